// `/alert assign` typed as a command, in a mention, and in the direct message with the bot.
import { describe, expect, it } from 'vitest'
import type { World } from '../world.ts'
import { linkedCard, onCall, takenBy, written } from './on-card.ts'

/** Alice has looked it up by its link, so that her token tells the container. */
async function knowsContainer(world: World): Promise<World> {
  await linkedCard(world, world.alice)
  return world
}

describe('/alert assign', () => {
  it('<key> me opens the form where nobody knows who types it', async () => {
    const world = await onCall()
    world.service.behaves({ addresses: 'none' })
    const { alice, general } = await knowsContainer(world)
    await alice.types('/alert assign 5HkX me “on it”', general)
    await alice.seesModal('Who are you?')
    await alice.submits({ fields: { 'Which of these are you?': 'Alice Archer' } })
    await alice.sees('Assigned to you', general)
    expect(written(world)).toEqual([{ userId: 7, message: 'on it' }])
  })

  it.each([
    ['nobody’s', null],
    ['one’s own, which monitoring alone knows,', 7],
  ])(
    '<key> @person, of %s alert, finds them by the address that they have in Slack',
    async (_, ownerId) => {
      const world = await knowsContainer(await onCall())
      if (ownerId)
        world.service.alert('5HkX')?.act({ kind: 'Assign', data: { userId: 8, ownerId } })
      await world.alice.types('/alert assign 5HkX @bob "yours"', world.general)
      await world.alice.sees('Assigned to Bob Baker', world.general)
      expect(written(world)).toEqual([{ userId: 8, message: 'yours' }])
      expect(
        world.bob.messages(world.general).filter(({ plain }) => plain.includes('Assigned to')),
      ).toEqual([])
    },
  )

  it.each(['typed', 'said'])(
    'takes it from nobody who has it already, unless its writer knows (%s)',
    async (how) => {
      const world = await knowsContainer(await onCall())
      const { alice, general } = world
      takenBy(world, 7, 8)
      if (how === 'typed') await alice.types('/alert assign 5HkX 9', general)
      else await alice.writes('@bellhop assign 5HkX 9', general)
      const answer = await alice.sees('Nothing was sent', general)
      expect(answer.plain).toContain('is assigned to Bob Baker now')
      expect(written(world)).toEqual([])
      await alice.presses('Assign to Dave Doe anyway', answer)
      await alice.sees('Assigned to Dave Doe', general)
    },
  )

  it.each([
    ['/alert assign', 'Which alert?'],
    ['/alert assign 5HkX', 'Who gets it?'],
    ['/alert assign 5HkX @oncall', '/alert assign doesn’t know “@oncall”. Name one person'],
    ['/alert assign 5HkX dave', '/alert assign doesn’t know “dave”.'],
    [`/alert assign 5HkX 9 "${'x'.repeat(241)}"`, '240 characters at most, and that’s 241'],
    ['/alert assign nope 9', 'there’s no alert “nope”'],
    ['/alert assign 5HkX alice-token-4f1c9a', 'doesn’t know'],
  ])('%s sends nothing', async (line, words) => {
    const world = await onCall()
    await world.alice.types(line, world.general)
    await world.alice.sees(words, world.general)
    expect(written(world)).toEqual([])
  })

  it('is understood in the direct message with the bot, where a card is to ask who somebody is', async () => {
    const world = await knowsContainer(await onCall())
    const { alice, service } = world
    service.behaves({ addresses: 'none' })
    await alice.writes('assign 5HkX me', alice.dm)
    await alice.sees('Press Assign to me on an alert’s card: it asks you once.', alice.dm)
    expect(written(world)).toEqual([])
  })
})
