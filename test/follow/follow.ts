// Tools for tests of a channel that follows a container.
import type { Channel } from '../../playground/slack/model/model.ts'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { openWorld, type World, type WorldOptions } from '../world.ts'

const minuteMs = 66_000

/** Container 12 is Customer 1, and what is open there is read by Alice, who is known at the service. */
export async function openCustomer(options: WorldOptions = {}): Promise<World> {
  const world = await openWorld(options)
  const { service } = world
  service.addContainer(12, { name: 'Customer 1' })
  service.addMember(12, { id: 7, name: 'Alice Archer', email: 'alice@example.com' })
  service.addMember(12, { id: 8, name: 'Bob Baker', email: 'bob@example.com' })
  return world
}

/** Something happens in container 12. */
export function opens(
  world: World,
  ks: string,
  more: { message?: string; severity?: number } = {},
) {
  const message = `${ks} is broken`
  return world.service.addAlert({ ks, containerId: 12, severity: 2, message, ...more })
}

/** Alice has #general follow container 12, and its first look is done. @returns Its own message. */
export async function followed(world: World, words = '', channel?: Channel): Promise<SeenMessage> {
  const { alice, general } = world
  const where = channel ?? general
  await alice.types(`/alert follow 12${words}`, where)
  await alice.presses('Follow', await alice.sees('in this channel?', where))
  const own = await alice.sees('Following Customer 1 (12)', where)
  await alice.sees(/(?:is open in|already)/, where)
  await world.slack.idle()
  return own
}

/** A follow in #general, and a new alert there with its card: ERROR unless said otherwise. */
export async function carded(world: World, { severity = 3, follow = '' } = {}) {
  const { bob, general, slack } = world
  const own = await followed(world, follow)
  const alert = opens(world, 'disk', { message: 'Disk full', severity })
  await passes(world)
  const card = await bob.sees(/(?:^|\n).* Disk full/, general)
  await slack.idle()
  return { own, alert, card }
}

/** A follow in #general, and so many new alerts there in one message: `host 0` and so on. */
export async function stormed(world: World, count: number) {
  const { bob, general, slack } = world
  await followed(world)
  const alerts = Array.from({ length: count }, (_, at) => opens(world, `host ${at}`))
  await passes(world)
  const storm = await bob.sees(`${count} new alerts in Customer 1 (12)`, general)
  await slack.idle()
  return { alerts, storm }
}

/** Lets what is under way be done, then a minute pass. */
export async function passes(world: World, ms = minuteMs): Promise<void> {
  await world.slack.idle()
  world.clock.advance(ms)
}

/** Those that say this. */
export function inChannel<Message extends { readonly plain: string }>(
  messages: readonly Message[],
  words: string,
) {
  return messages.filter(({ plain }) => plain.includes(words))
}
