// Tools for tests of maintenance: container 12 with machines, and an alert on one of them.
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { followed, openCustomer } from '../follow/follow.ts'
import { bobToken, placeUrl, type World, type WorldOptions } from '../world.ts'

export const minute = 60_000
export const hour = 60 * minute
/** Reads of db-03, whose number is 34. */
export const itsRead = { only: { method: 'GET', path: /^\/asset\/34$/ } } as const

/** Container 12 is Customer 1, with web-01 (33), db-03 (34) and db-04 (35). On db-03 is the alert `mem 1`. */
export async function openMachines(options: WorldOptions = {}): Promise<World> {
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
  happens(world, 'mem 1')
  return world
}

export const happens = ({ service }: World, ks: string, assetId = 34) =>
  service.addAlert({ ks, message: `${ks} is full`, containerId: 12, assetId, severity: 2 })

/** Alice asks, and has what comes of it: the question, unless said otherwise. Default: db-03, for two hours. */
export async function asked(
  world: World,
  line = '12/34 for 2h',
  words = 'Put ',
): Promise<SeenMessage> {
  const { alice, ops, slack } = world
  await alice.types(`/alert maintenance ${line}`, ops)
  await slack.idle()
  return alice.sees(words, ops)
}

/** Alice has begun it, and whoever follows has heard. @returns What she was told. */
export async function begun(world: World, line?: string): Promise<SeenMessage> {
  const { alice, ops } = world
  await alice.presses('Start maintenance', await asked(world, line))
  const told = await alice.sees(' is in maintenance until', ops)
  await passesBy(world, minute, minute)
  return told
}

/** #general follows, and has the card of an alert on db-03, which is in maintenance for two hours. */
export async function quiet(line?: string) {
  const world = await openMachines()
  const { bob, general } = world
  const own = await followed(world)
  happens(world, 'disk')
  await passesBy(world, 66_000, 66_000)
  const card = await bob.sees('disk is full', general)
  await begun(world, line)
  return { ...world, world, card, own, shown: () => `${card.plain} ${own.plain}` }
}

/** Bob may set it as well. */
export async function withBob(world: World): Promise<void> {
  world.service.addToken({
    token: bobToken,
    name: 'bob',
    flags: ['API', 'READ', 'ASSET_MANAGEMENT'],
    userId: 8,
  })
  await world.connect(world.bob, bobToken)
}

/** Bodies of what was sent to change modes, in order. */
export const writes = ({ service }: World) =>
  service.requests.flatMap(({ method, body }) => (method === 'PATCH' ? [body] : []))

/** All that somebody reads in #general, #ops and from the bot that says so, replies too. */
export function saying({ general, ops }: World, person: World['bob'], words: string) {
  return [general, ops, person.dm]
    .flatMap((place) => person.messages(place))
    .flatMap((message) => [message, ...message.thread])
    .flatMap(({ plain }) => (plain.includes(words) ? [plain] : []))
}

/** Lets time pass in steps in which everything that falls due is done. */
export async function passesBy({ slack, clock }: World, ...steps: readonly number[]) {
  for (const ms of steps) {
    await slack.idle()
    clock.advance(ms)
    await slack.idle()
  }
}
