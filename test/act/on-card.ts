// Tools for tests of acts: an alert whose people have names, its card, and comments and closings on it.
import type { Channel } from '../../playground/slack/model/model.ts'
import type { Person } from '../../playground/slack/person/person.ts'
import type { SeenMessage, SeenModal } from '../../playground/slack/person/seen.ts'
import { type Flag, flags } from '../../src/grant/roles.ts'
import { bobToken, openWorld, placeUrl, puts, type World, type WorldOptions } from '../world.ts'

export const diskFull = {
  ks: '5HkX',
  message: 'Disk full',
  severity: 2,
  containerId: 12,
  assetId: 34,
} as const

/** The alert, in a world where nobody waits long for what shows late. */
export async function withAlert(options: WorldOptions = {}) {
  const world = await openWorld({ lateMs: 50, ...options })
  return { ...world, world, alert: world.service.addAlert(diskFull) }
}

/** Likewise, with a card of Alice’s. */
export async function withCard(options?: WorldOptions) {
  const opened = await withAlert(options)
  return { ...opened, card: await aliceCard(opened.world) }
}

/** Alice, Bob and Dave are members of the alert's container, which the alert's link tells. */
export async function onCall({ env, ...options }: WorldOptions = {}) {
  const world = await openWorld({
    lateMs: 50,
    ...options,
    env: { MONITOR_ALERT_URL: placeUrl, ...env },
  })
  world.service.addAlert(diskFull)
  for (const name of ['alice', 'bob', 'dave'])
    world.service.addMember(12, { email: `${name}@example.com`, member: true })
  return { ...world, world }
}

/** Likewise, and Bob may do everything, too. */
export async function onCallWithBob() {
  const opened = await onCall()
  await bobMay(opened.world, flags)
  return opened
}

/** Bob connects with a token that has these flags: everywhere, or in the containers that they stand for. */
export async function bobMay(
  { bob, connect, service }: World,
  given: readonly Flag[] | Readonly<Record<number, Flag[]>>,
): Promise<void> {
  service.addToken({ token: bobToken, name: 'bob', flags: given, userId: 8 })
  await connect(bob, bobToken)
}

/** Somebody takes the alert, past the bot. */
export function takenBy({ service }: World, userId: number, ownerId = userId): void {
  service.alert('5HkX')?.act({ kind: 'Assign', data: { userId, ownerId } })
}

/** The card of somebody who asked by the link, and all that comes with it. */
export async function linkedCard(
  { general, service, slack }: World,
  person: Person,
  manner = '',
): Promise<SeenMessage> {
  await person.types(`/alert ${service.linkOf('5HkX')}${manner}`, general)
  const card = await person.sees('Disk full', general)
  await slack.idle()
  return card
}

/** What the service was asked to change. */
export const written = (world: World) => puts(world).map(({ body }) => body)

/** A card of Alice’s, and all that comes with it. */
export async function aliceCard(
  { alice, general, slack }: World,
  line = '/alert 5HkX',
  channel: Channel = general,
): Promise<SeenMessage> {
  await alice.types(line, channel)
  const card = await alice.sees('Disk full', channel)
  await slack.idle()
  return card
}

export async function assignForm(person: Person, card: SeenMessage): Promise<SeenModal> {
  await person.presses('Assign to somebody', card)
  return person.seesModal('Assign alert')
}

/** Resolves once the form is sent. */
export async function commentsOn(
  card: SeenMessage,
  person: Person,
  Comment: string,
): Promise<void> {
  await person.presses('Comment', card)
  await person.seesModal('Comment on alert')
  await person.submits({ fields: { Comment } })
}

/** Likewise. */
export async function closesOn(
  card: SeenMessage,
  person: Person,
  words = 'Old logs removed.',
): Promise<void> {
  await person.presses('Close alert', card)
  await person.seesModal('Close alert')
  await person.submits({ fields: { 'What fixed it?': words } })
}
