// A service that takes its time: whoever waits hears of it once, alone, and then gets what they asked for.
import { describe, expect, it } from 'vitest'
import type { Channel } from '../../playground/slack/model/model.ts'
import type { Person } from '../../playground/slack/person/person.ts'
import { openWorld, type World } from '../world.ts'

const diskFull = { ks: 'disk-full', message: 'Disk /var is 96 % full' } as const
const stillAsking = 'Still asking monitoring about disk-full.'

const told = (person: Person, channel: Channel) =>
  person.messages(channel).filter(({ plain }) => plain.includes(stillAsking))

async function openSlow(): Promise<World & { readonly letGo: () => void }> {
  const world = await openWorld({ slowMs: 1 })
  world.service.addAlert(diskFull)
  return { ...world, letGo: world.service.trouble.hold() }
}

describe('a look-up that takes long', () => {
  it('is told to the asker alone, once, and the card comes where it was asked for', async () => {
    const { alice, bob, general, slack, letGo } = await openSlow()

    await alice.types('/alert disk-full', general)

    const line = await alice.sees(
      `${stillAsking} You’ll have the answer as soon as it’s there.`,
      general,
    )
    expect(line.isEphemeral).toBe(true)
    letGo()
    await bob.sees('96 % full', general)
    await slack.idle()
    expect(told(alice, general)).toHaveLength(1)
    expect(told(bob, general)).toEqual([])
  })
})
