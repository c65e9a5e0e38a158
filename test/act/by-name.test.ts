// Whoever took an alert or closed it, by name, on everybody's card and in its thread; and what they hear themselves.
import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import { repliesWith } from '../live/live.ts'
import type { World } from '../world.ts'
import { aliceCard, closesOn, linkedCard, onCallWithBob, written } from './on-card.ts'

const toldAlone = (person: Person, { general }: World) =>
  person.messages(general).filter(({ isEphemeral }) => isEphemeral)

describe('a colleague’s card', () => {
  it('names whoever takes the alert there, whom their address tells, as their own token does, and says nothing besides', async () => {
    const { world, alice, bob, general, slack } = await onCallWithBob()
    const card = await linkedCard(world, alice)

    await bob.presses('Assign to me', await bob.sees('Disk full', general))

    await alice.sees('assigned to Bob Baker', general)
    await alice.sees('Bob Baker took it', card)
    await slack.idle()
    expect(written(world)).toEqual([{ userId: 8 }])
    expect(bob.modal).toBeUndefined()
    expect(toldAlone(bob, world)).toEqual([])
  })

  it('names whoever closes it as Slack does where monitoring gives no name, and so does its next drawing', async () => {
    const { world, alice, bob, general, slack } = await onCallWithBob()
    const card = await aliceCard(world)

    await closesOn(await bob.sees('Disk full', general), bob)

    await alice.sees('Bob Baker closed it: “Old logs removed.”', card)
    await expect.poll(() => card.plain).toContain('Closed by Bob Baker')
    await alice.presses('Refresh', card)
    await slack.idle()
    expect(card.plain).toContain('Closed by Bob Baker')
    expect(toldAlone(bob, world)).toEqual([])
  })

  it('names nobody where another organisation reads, so that its presser hears it alone', async () => {
    const { world, alice, bob, general, slack } = await onCallWithBob()
    general.isShared = true
    const card = await linkedCard(world, alice)

    await bob.presses('Assign to me', await bob.sees('Disk full', general))

    await bob.sees('Assigned to you', general)
    await slack.idle()
    expect(card.plain).toMatch(/ · assigned\n/)
    expect(repliesWith(card, 'Bob')).toEqual([])
    expect(repliesWith(card, 'took it')).toHaveLength(1)
  })
})
