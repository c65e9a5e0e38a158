// Somebody asks faster than is allowed: they are told, nothing is done, and what they typed is not lost.
import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import { alertUrl, diskFull, openWorld, type World, type WorldOptions } from '../world.ts'

const tooFast = 'a minute from each person'

/** Nobody has asked for anything in the last minute: connecting is a command and a submission. */
async function open(perMinute: number, options: WorldOptions = {}): Promise<World> {
  const world = await openWorld({ env: { RATE_PER_MINUTE: String(perMinute) }, ...options })
  world.clock.advance(60_000)
  return world
}

async function asks(person: Person, times: number, { general }: World): Promise<void> {
  for (let count = 0; count < times; count += 1) await person.types('/alert watches', general)
}

const told = (person: Person, { general }: World) =>
  person.messages(general).filter(({ plain }) => plain.includes(tooFast))

describe('somebody who asks too fast', () => {
  it.each(['http', 'socket'] as const)(
    'is told privately when to try again (%s)',
    async (transport) => {
      const world = await open(3, { transport })
      const { alice, bob, general, service, clock, slack } = world
      service.addAlert(diskFull)
      const before = service.requests.length

      await asks(alice, 3, world)
      await alice.types('/alert 5HkX', general)
      await alice.sees(tooFast, general)
      await slack.idle(100)

      expect(told(alice, world)).toHaveLength(1)
      expect(told(alice, world)[0]?.plain).toContain('Nothing was done. Try again in 20 s:')
      expect(bob.messages(general).filter(({ plain }) => plain.includes(tooFast))).toEqual([])
      expect(service.requests).toHaveLength(before)
      clock.advance(20_000)
      await alice.types('/alert 5HkX', general)
      await alice.sees('Disk full', general)
    },
  )

  it('is told so of any line, which nobody reads', async () => {
    const world = await open(3)
    const { alice, general, slack } = world
    const people = Array.from({ length: 100 }, (_, at) => `p${at}@example.com`).join()
    for (let count = 0; count < 4; count += 1) await alice.types(`/grant 12 ${people}`, general)
    await slack.idle(100)
    const [last] = told(alice, world)
    expect(alice.screen(general).match(/That’s 100 people/g)).toHaveLength(3)
    expect(last?.plain).toContain('Nothing was done. Try again in 20 s:')
  })

  it('keeps the form with what is typed in it', async () => {
    const world = await open(3)
    const { alice, general, service, clock, slack } = world
    service.addAlert(diskFull)
    await alice.types('/alert', general)
    await alice.seesModal('Look up an alert')
    await asks(alice, 2, world)

    await alice.submits({ fields: { 'Alert key': '5HkX', 'Post to': general } })

    expect(alice.modal?.errors['Alert key']).toContain(tooFast)
    clock.advance(20_000)
    await alice.submits()
    await alice.sees('Disk full', general)
    await slack.idle()
  })

  it('is told of mentions, and of previews not at all', async () => {
    const world = await open(2)
    const { alice, general, service, slack } = world
    service.addAlert(diskFull)
    for (let count = 0; count < 2; count += 1) alice.says('@Bellhop alert help', general)
    await slack.idle(100)
    const before = service.requests.length
    alice.says('@Bellhop alert 5HkX', general)
    alice.says(alertUrl.replace('{ks}', '5HkX'), general)
    await slack.idle(200)
    expect(told(alice, world)).toHaveLength(1)
    expect(service.requests).toHaveLength(before)
  })
})
