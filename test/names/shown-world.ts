// Tools for tests of names on cards: an alert of “Customer 1”, whose people have names, and what was asked for them.
import { alertUrl } from '../../playground/monitor/world.ts'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { bobToken, openWorld, type World, type WorldOptions } from '../world.ts'

const openedAt = 1_700_000_000

const diskFull = {
  ks: '5HkX',
  message: 'Disk full',
  severity: 2,
  timestamp: openedAt,
  ownerId: 7,
  containerId: 12,
  assetId: 34,
  link: { conditionId: 5, item: '/var log' },
  actions: [taken(7)],
} as const

/** It says where the alert is, which its key doesn’t. */
export const link =
  'https://monitoring.example.com/container/12/asset/34/alert?condition=5&item=%2Fvar%20log&alert=1700000000'

/** Somebody takes the alert, or hands it to somebody else. */
export function taken(by: number, owner = by) {
  const data = { userId: by, ownerId: owner, message: 'I take this one.' }
  return { kind: 'Assign', timestamp: openedAt + 60, data }
}

/** A world with an alert of container 12, on which Alice (7), Bob (8) and Dave (9) are. */
export async function openShown(
  options: WorldOptions = {},
  alert: object = diskFull,
): Promise<World> {
  const world = await openWorld({
    ...options,
    env: { MONITOR_ALERT_URL: alertUrl, ...options.env },
  })
  const { service } = world
  for (const name of ['alice', 'bob', 'dave'])
    service.addMember(12, { email: `${name}@example.com` })
  service.addAlert({ ...diskFull, ...alert })
  return world
}

/** Alice’s card in #general, drawn with its names. */
export async function namedCard(world: World): Promise<SeenMessage> {
  const { alice, general, slack } = world
  await alice.types(`/alert ${link}`, general)
  const card = await alice.sees('Customer 1 (12)', general)
  await slack.idle()
  return card
}

/** The card of another look-up in #general. */
export async function nextCard(
  world: World,
  line: string,
  asker = world.alice,
): Promise<SeenMessage> {
  const { general, slack } = world
  const before = asker.messages(general).map(({ ts }) => ts)
  const found = () =>
    asker.messages(general).find(({ ts, plain }) => !before.includes(ts) && plain.includes('5HkX'))
  await asker.types(line, general)
  return slack.workspace.changes.until(found, 5000, () => `no card after ${line}`)
}

export async function connectBob(world: World): Promise<void> {
  await world.connect(world.bob, bobToken)
}

/** What the service was asked since, and with whose token. */
export function asked({ service }: World, since = 0): readonly string[] {
  return service.requests.slice(since).map(({ path, token }) => `${path} ${token}`)
}

/** Whatever tells of names. */
export const namesPath = /^\/container\//

/** How often a message was edited. */
export function editsOf({ slack }: World, card: SeenMessage): number {
  return slack.calls.filter(({ method, args }) => method === 'chat.update' && args.ts === card.ts)
    .length
}
