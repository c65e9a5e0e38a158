// Tools for tests of access that Alice gives Dave for a time.
import type { Person } from '../../playground/slack/person/person.ts'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { addDave } from '../grant/dave.ts'
import { openWorld, type World, type WorldOptions } from '../world.ts'
import { untilLookedAt } from './many.ts'

export const hourMs = 3_600_000
export const minuteMs = 60_000
export const line = '/grant 12 dave@example.com viewer for 4h'

/** What the service was asked to change. */
export const writes = ({ service }: World) =>
  service.requests.filter(({ method }) => method !== 'GET')

/** Alice gives it, without a question. */
export async function gives({ alice, general, slack }: World, typed = line): Promise<SeenMessage> {
  await alice.types(typed, general)
  const receipt = await alice.sees('✅ Granted', general)
  await slack.idle()
  return receipt
}

/** She has given it. */
export async function given(typed = line, options?: WorldOptions) {
  const world = await openWorld(options)
  const dave = addDave(world)
  const receipt = await gives(world, typed)
  return { ...world, world, dave, receipt }
}

/** What `/grant due` lists of Dave’s Viewer. */
export async function dueOf(person: Person, { general }: World): Promise<SeenMessage> {
  await person.types('/grant due', general)
  return person.sees('dave@example.com · Viewer', general)
}

export async function nothingEnds({ alice, general }: World): Promise<void> {
  await alice.types('/grant due', general)
  await alice.sees('You haven’t given any access that ends by itself', general)
}

/** Alice’s account is gone, and she knows what that leaves. */
export async function disconnects({ alice, general }: World): Promise<void> {
  await alice.types('/alert disconnect', general)
  await alice.presses('Disconnect', await alice.sees('If you disconnect, I can’t', general))
}

/** Its time comes. */
export async function isOver(world: World, ms = 4 * hourMs) {
  world.clock.advance(ms + 1_000)
  await untilLookedAt(world)
}

/** So much time passes, and whatever is due is done. */
export async function passes({ clock, slack }: World, ms: number): Promise<void> {
  clock.advance(ms)
  await slack.idle(200)
}

/** Ten minutes before its time, Alice is told. */
export async function warned({ alice, clock, slack }: World): Promise<SeenMessage> {
  clock.advance(4 * hourMs - 10 * minuteMs)
  const soon = await alice.sees('dave@example.com has Viewer on', alice.dm)
  await slack.idle()
  return soon
}

/** After so much time, Alice reads that it has ended. */
export async function endsAfter(
  { alice, clock, slack }: World,
  ms: number,
  words = '✅ Ended',
): Promise<void> {
  await slack.idle()
  clock.advance(ms)
  await alice.sees(words, alice.dm)
}
