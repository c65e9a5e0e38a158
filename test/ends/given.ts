// Tools for tests of access that Alice gives Dave for a time.
import type { NewMember } from '../../playground/monitor/people.ts'
import type { Person } from '../../playground/slack/person/person.ts'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { openWorld, type World, type WorldOptions } from '../world.ts'
import { untilLookedAt } from './many.ts'

export const hourMs = 3_600_000
export const minuteMs = 60_000
export const line = '/grant 12 dave@example.com viewer for 4h'
export const viewer = ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG'] as const

/** What somebody has on container 12 by now: Dave, unless another number is given. */
export const has = ({ service }: World, id = 9) =>
  service.membersOf(12).find((one) => one.id === id)?.permissions

/** Who is on container 12. */
export const ids = ({ service }: World) => service.membersOf(12).map(({ id }) => id)

/** What the service was asked to change. */
export const writes = ({ service }: World) =>
  service.requests.filter(({ method }) => method !== 'GET')

/** Somebody makes him this in monitoring. */
export function daveIs({ service }: World, how: Partial<NewMember>): void {
  service.addMember(12, { id: 9, email: 'dave@example.com', ...how })
}

/** Dave, who reads #general as well. */
export function addDave({ slack, general }: World): Person {
  const dave = slack.addPerson({ name: 'dave', realName: 'Dave Doe', email: 'dave@example.com' })
  general.members.add(dave.id)
  return dave
}

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

/** Alice changes what Dave has, by a question that shows it so. */
export async function changes(
  { alice, general, slack }: World,
  what: string,
  shown: string | RegExp = '[Change access]',
): Promise<void> {
  await alice.types(`/grant change 12 dave@example.com ${what}`, general)
  await alice.presses('Change access', await alice.sees(shown, general))
  await alice.sees('✅ Changed', general)
  await slack.idle()
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
  { alice, clock }: World,
  ms: number,
  words = '✅ Ended',
): Promise<void> {
  clock.advance(ms)
  await alice.sees(words, alice.dm)
}
