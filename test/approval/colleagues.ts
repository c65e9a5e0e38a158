// People around a request: who asks, who may approve, and how a test gets a card to press.
import type { Channel } from '../../playground/slack/model/model.ts'
import type { Person } from '../../playground/slack/person/person.ts'
import type { SeenMessage, SeenModal } from '../../playground/slack/person/seen.ts'
import type { Flag } from '../../src/grant/roles.ts'
import { trailOf } from '../audit/read.ts'
import { bobToken, openWorld, type World, type WorldOptions } from '../world.ts'

export const line = '/grant 12 dave@example.com viewer'
export const reason = 'Dave is on call this week'

export interface Colleagues extends World {
  /** May grant, and is connected with a token of her own. */
  readonly carol: Person
  /** Gets the access; in this Slack under his address, written in another case. */
  readonly dave: Person
}

/** Carol reads #general, and has a token that may give some access. */
export function addCarol({ slack, service, general }: World): Person {
  const carol = slack.addPerson({
    name: 'carol',
    realName: 'Carol Cook',
    email: 'carol@example.com',
  })
  general.members.add(carol.id)
  carolMay({ service }, 'API', 'READ', 'CONTAINER_ACCESS')
  return carol
}

/** What her token may do from now on. */
export function carolMay({ service }: Pick<World, 'service'>, ...flags: readonly Flag[]): void {
  service.addToken({ token: 'carol-token', name: 'carol', flags })
}

/** From now on there is a channel for requests. */
export async function asksIn(
  { slack, restart }: World,
  ...members: readonly Person[]
): Promise<Channel> {
  const approvals = slack.addChannel({ name: 'approvals', members, botIsMember: true })
  await restart({ APPROVAL_CHANNEL: approvals.id })
  return approvals
}

/** Bob is connected, and his token lacks CONTAINER_ACCESS. */
export async function openColleagues(options: WorldOptions = {}): Promise<Colleagues> {
  const world = await openWorld(options)
  const { slack, general, ops } = world
  const carol = addCarol(world)
  const dave = slack.addPerson({ name: 'dave', realName: 'Dave Diver', email: 'Dave@Example.com' })
  general.members.add(dave.id)
  for (const { id } of [carol, dave]) ops.members.add(id)
  await world.connect(world.bob, bobToken)
  await world.connect(carol, 'carol-token')
  return { ...world, carol, dave }
}

/** Fills in the modal that is open. */
export async function givesReason(
  person: Person,
  fields: Record<string, string> = {},
): Promise<void> {
  await person.seesModal('Ask for approval')
  await person.submits({ fields: { Reason: reason, ...fields } })
}

/** Presses the button on what they were told, and gives the reason. */
export async function asksOn(person: Person, told: SeenMessage, fields?: Record<string, string>) {
  await person.presses('Ask for approval', told)
  await givesReason(person, fields)
}

/** Types the line, and asks for approval where that is offered instead of a grant. */
export async function asks(
  person: Person,
  typed: string,
  channel: Channel,
  fields?: Record<string, string>,
): Promise<void> {
  await person.types(typed, channel)
  await asksOn(person, await person.sees('[Ask for approval]', channel), fields)
}

/** Bob types the line, is refused, and asks for approval; the card, as Alice sees it. */
export async function asked(world: Colleagues, typed = line): Promise<SeenMessage> {
  const { alice, bob, general } = world
  await asks(bob, typed, general)
  await bob.sees('Asked for approval in', general)
  return alice.sees('🔑', general)
}

/** Bob asks for what he types, and Carol approves it; the card. */
export async function approvedByCarol(
  { bob, carol, general, slack }: Colleagues,
  typed: string,
  label = 'Approve',
): Promise<SeenMessage> {
  await asks(bob, typed, general)
  const card = await carol.sees('🔑 bob asks: ', general)
  await carol.presses(label, card)
  await bob.sees('✅ Granted by carol', bob.dm)
  await slack.idle()
  return card
}

/** Colleagues, and the card of what Bob has asked for. */
export async function openAsked(typed = line, options?: WorldOptions) {
  const world = await openColleagues(options)
  const card = await asked(world, typed)
  return { ...world, world, card }
}

/** Types the line, is refused, and sees the form in which to ask. */
export async function beginsToAsk(person: Person, channel: Channel): Promise<SeenModal> {
  await person.types(line, channel)
  await person.presses('Ask for approval', await person.sees('Not granted', channel))
  return person.seesModal('Ask for approval')
}

/** Says no to it, for that reason. */
export async function declines(person: Person, card: SeenMessage, why: string): Promise<void> {
  await person.presses('Decline', card)
  await person.seesModal('Decline request')
  await person.submits({ fields: { Reason: why } })
}

/** What is on record of acts of that name. */
export async function recordsOf(world: World, name: string) {
  return (await trailOf(world)).filter(({ act }) => act === name)
}
