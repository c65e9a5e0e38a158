// Tools for tests of maintenance: container 12 with machines, which #general follows.
import type { Channel } from '../../playground/slack/model/model.ts'
import type { Person } from '../../playground/slack/person/person.ts'
import { openCustomer } from '../follow/follow.ts'
import { placeUrl, type World, type WorldOptions } from '../world.ts'

export const minute = 60_000
export const hour = 60 * minute

/** Container 12 is Customer 1, with web-01 (33), db-03 (34) and db-04 (35). */
export async function openMachines(options: WorldOptions = {}) {
  const world = await openCustomer({
    ...options,
    env: { MONITOR_ALERT_URL: placeUrl, ...options.env },
  })
  for (const [id, name] of [
    [33, 'web-01'],
    [34, 'db-03'],
    [35, 'db-04'],
  ] as const)
    world.service.addAsset(id, { name })
  return world
}

/** Known to whoever asks from then on, as the list is read. */
export async function knowsCustomer({ alice, ops, slack }: World, person = alice, channel = ops) {
  await person.types('/alert maintenance 12', channel)
  await person.sees('Customer 1 (12)', channel)
  await slack.idle()
}

/** Alice asks, and has the question. Default: for two hours. */
export async function asked({ alice, ops, slack }: World, line = '12/34 for 2h', channel = ops) {
  await alice.types(`/alert maintenance ${line}`, channel)
  await slack.idle()
  return alice.sees(/^Put .* in maintenance until/, channel)
}

/** Alice has put db-03 in maintenance, for two hours unless said otherwise, and whoever follows has heard of it. */
export async function begun(world: World, line?: string) {
  const question = await asked(world, line)
  await world.alice.presses('Start maintenance', question)
  const told = await world.alice.sees(/^🔧 .* is in maintenance until .*\.$/m, world.ops)
  await world.slack.idle()
  return told
}

/** What was sent to change modes, in order. */
export const writes = ({ service }: World) =>
  service.requests.flatMap(({ method, path, body }) => (method === 'PATCH' ? [{ path, body }] : []))

export const mayManage = (world: World, token: string, name: string, userId: number) =>
  world.service.addToken({ token, name, flags: ['API', 'READ', 'ASSET_MANAGEMENT'], userId })

/** All that somebody reads there that says so, replies too. */
export function saying(person: Person, channel: Channel, words: string | RegExp) {
  return person
    .messages(channel)
    .flatMap((message) => [message, ...message.thread])
    .map(({ plain }) => plain)
    .filter((plain) => (typeof words === 'string' ? plain.includes(words) : words.test(plain)))
}

/** Lets time pass in steps in which everything that falls due is done. */
export async function passesBy({ slack, clock }: World, ...steps: readonly number[]) {
  for (const ms of steps) {
    await slack.idle()
    clock.advance(ms)
    await slack.idle()
  }
}
