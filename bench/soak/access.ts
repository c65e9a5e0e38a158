// Access for a time in a soak, and what becomes of people meanwhile: they hide their address, or get another one; they are
// there twice, or not listed; others give them more, or take it; it is asked for, made longer, given up.
import { setTimeout as wait } from 'node:timers/promises'
import type { Channel } from '../../playground/slack/model/model.ts'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { type Given, responder, type Subject, viewer } from './ledger.ts'
import { type Stage, seen } from './seen.ts'
import { containerId, membersOnlyId, tags } from './world.ts'

const hourMs = 3_600_000
/** What ends while the soak goes on, and what ends once its clock is moved. */
const lengths = { '1m': 60_000, '4h': 4 * hourMs } as const
type Length = keyof typeof lengths

const lengthIn = ({ random }: Stage): Length => random.pick(['1m', '1m', '4h'] as const)

/** Somebody whom the service knows, and who is on no container. */
export function newSubject({ world, story }: Stage, where = containerId): Subject {
  const email = tags.email(world.number())
  const { id: userId } = world.service.addUser({ email, name: tags.name(email) })
  return { email, userId, containerId: where, story }
}

/** Where lists show everybody, or members alone. */
const anywhere = (stage: Stage): Subject =>
  newSubject(stage, stage.random.pick([containerId, containerId, membersOnlyId]))

interface Gift extends Subject {
  readonly given: Given
  readonly receipt: SeenMessage
  readonly channel: Channel
}

/** It is in the ledger before anybody hears of it: even what is never seen may have been given. */
function enter(
  { world }: Stage,
  subject: Subject,
  lastsMs: number,
  more: Partial<Given> = {},
): Given {
  const usual = { flags: viewer, name: 'Viewer', isBrought: true, mostUntil: 0 }
  const given = { ...subject, lastsMs, ...usual, ...more }
  world.ledger.given.push(given)
  return given
}

/** What is given, as it is typed; a responder is made a member too. */
const roles = {
  viewer: { flags: viewer, name: 'Viewer' },
  responder: { flags: responder, name: 'Responder' },
} as const

/** Resolves once the giver reads that it is given. @param how - Behind the role: `via Password`. */
async function gives(
  stage: Stage,
  subject = newSubject(stage),
  role: keyof typeof roles = 'viewer',
  how = '',
): Promise<Gift> {
  const { world, soaker, random } = stage
  const [{ email }, length, channel] = [subject, lengthIn(stage), random.pick(world.channels)]
  const given = enter(stage, subject, lengths[length], roles[role])
  const line = `/grant ${subject.containerId} ${email} ${role}${how} for ${length}`
  await world.types(soaker.person, line, email, channel)
  return { ...subject, given, channel, receipt: await seen(stage, [email, '✅ Granted'], channel) }
}

/** Somebody does it at the service itself, and nobody tells Bellhop. */
function atService(
  { world: { service, ledger } }: Stage,
  { email, userId, containerId }: Subject,
  now: {
    readonly member?: boolean
    readonly permissions?: readonly string[]
    readonly isHidden?: boolean
  },
): void {
  ledger.touched.add(userId)
  service.addMember(containerId, { email, ...now })
}

function keeps(
  { world }: Stage,
  { email, userId, containerId, story }: Subject,
  flags: readonly string[],
  member = false,
): void {
  world.ledger.kept.push({ email, userId, containerId, story, flags, member })
}

const eitherRole = ({ random }: Stage) => random.pick(['viewer', 'responder'] as const)

/** For a while, or until the end of the soak. */
async function meanwhile({ random }: Stage, begin: () => void, end: () => void): Promise<void> {
  begin()
  if (random.pick([true, false])) return
  await wait(random.between(500, 3_000))
  end()
}

async function hidesAddress(stage: Stage): Promise<void> {
  const { email } = await gives(stage, anywhere(stage), eitherRole(stage))
  const hides = (hidesEmail: boolean) => () =>
    void stage.world.service.addUser({ email, hidesEmail })
  await meanwhile(stage, hides(true), hides(false))
}

async function getsAnotherAddress(stage: Stage): Promise<void> {
  const { email, userId } = await gives(stage, anywhere(stage), eitherRole(stage))
  const { service } = stage.world
  const named = (address: string) => () => service.changeAddress(userId, address)
  await meanwhile(stage, named(tags.newEmail(email)), named(email))
}

async function leavesTheList(stage: Stage): Promise<void> {
  const gift = await gives(stage)
  const listed = (isListed: boolean) => () => atService(stage, gift, { isHidden: !isListed })
  await meanwhile(stage, listed(false), listed(true))
}

/** By one line, and told together. */
async function severalAtOnce(stage: Stage): Promise<void> {
  const { world, soaker, random } = stage
  const [length, first] = [lengthIn(stage), anywhere(stage)]
  const subjects = [first, newSubject(stage, first.containerId)]
  for (const one of subjects) enter(stage, one, lengths[length])
  const emails = subjects.map(({ email }) => email)
  const line = `/grant ${first.containerId} ${emails.join(' ')} viewer for ${length}`
  await world.types(soaker.person, line, emails[0] ?? '', random.pick(world.channels))
  await seen(stage, emails)
}

/** Two people, two ways to sign in: one has it for a time, the other for good. */
async function isThereTwice(stage: Stage): Promise<void> {
  const { world, random } = stage
  const [first, { service }] = [newSubject(stage), world]
  const { email } = first
  const addSecond = () => {
    const { id: userId } = service.addUser({
      email,
      name: tags.name(email),
      authProvider: 'Google',
    })
    return { ...first, userId }
  }
  if (random.pick([true, false])) {
    await gives(stage, first)
    const second = addSecond()
    service.addMember(containerId, { email, authProvider: 'Google', permissions: ['READ'] })
    return keeps(stage, second, ['READ'])
  }
  const second = addSecond()
  const { channel } = await gives(stage, first, 'viewer', ' via Password')
  const line = `/grant ${containerId} ${email} READ API via Google`
  await world.types(stage.soaker.person, line, email, channel)
  await seen(stage, [email, 'READ and API', '✅ Granted'], channel)
  keeps(stage, second, ['READ', 'API'])
}

async function getsMoreFromOthers(stage: Stage): Promise<void> {
  const gift = await gives(stage, anywhere(stage))
  if (stage.random.pick([true, false])) {
    atService(stage, gift, { permissions: [...viewer, 'BILLING'] })
    return keeps(stage, gift, ['BILLING'])
  }
  atService(stage, gift, { member: true })
  keeps(stage, gift, [], true)
}

async function isTakenOffByOthers(stage: Stage): Promise<void> {
  const { userId } = await gives(stage)
  stage.world.ledger.touched.add(userId)
  stage.world.service.removeMember(containerId, userId)
}

/** Another lead than the giver types it, and presses what is asked. Resolves once that is told. */
async function another(
  stage: Stage,
  line: string,
  { email }: Subject,
  label: string,
  told: string,
): Promise<void> {
  const { world, random, soaker } = stage
  const leads = world.soakers.filter((one) => one.mayGrant && one !== soaker)
  const [own, channel] = [{ ...stage, soaker: random.pick(leads) }, random.pick(world.channels)]
  await world.types(own.soaker.person, line, email, channel)
  const question = await seen(own, [email, label], channel)
  world.aim()
  await own.soaker.person.presses(label, question)
  await seen(own, [email, told], channel)
}

/** Removed in Slack, and then somebody gives it for good. */
async function isRemovedAndBack(stage: Stage): Promise<void> {
  const gift = await gives(stage)
  const line = `/grant remove ${containerId} ${gift.email}`
  await another(stage, line, gift, 'Remove access', '✅ Removed')
  atService(stage, gift, { permissions: ['READ'] })
  keeps(stage, gift, ['READ'])
}

async function getsMoreForGood(stage: Stage): Promise<void> {
  const gift = await gives(stage)
  gift.given.mostUntil = Number.POSITIVE_INFINITY
  const line = `/grant change ${containerId} ${gift.email} responder`
  await another(stage, line, gift, 'Change access', '✅ Changed')
  keeps(stage, gift, responder, true)
}

async function getsMoreForTime(stage: Stage): Promise<void> {
  const gift = await gives(stage)
  const [length, more] = [
    lengthIn(stage),
    { flags: ['BILLING'], name: 'BILLING', isBrought: false },
  ]
  enter(stage, gift, lengths[length], more)
  const line = `/grant change ${containerId} ${gift.email} +BILLING for ${length}`
  await another(stage, line, gift, 'Change access', '✅ Changed')
}

async function isExtended(stage: Stage): Promise<void> {
  const { world, soaker, random } = stage
  const { given, receipt } = await gives(stage, anywhere(stage))
  const [label, ms] = random.pick([
    ['Extend by 1 hour', hourMs],
    ['Keep for good', Number.POSITIVE_INFINITY],
  ] as const)
  given.mostUntil = world.clock.now() + given.lastsMs + ms
  world.aim()
  await soaker.person.presses(label, receipt)
}

async function isRemovedNow(stage: Stage): Promise<void> {
  const { receipt } = await gives(stage, anywhere(stage))
  stage.world.aim()
  await stage.soaker.person.presses('Remove now', receipt)
  await seen(stage, ['gone'])
}

/** Named by `@`, they get another address in Slack, look at what ends, and may give it up. */
async function isNamedAndDone(stage: Stage): Promise<void> {
  const { world, soaker, random } = stage
  const [subject, channel, length] = [
    newSubject(stage),
    random.pick(world.channels),
    lengthIn(stage),
  ]
  const { email } = subject
  const person = world.slack.addPerson({ name: email.replace(/@.*/, ''), email })
  channel.members.add(person.id)
  enter(stage, subject, lengths[length])
  const line = `/grant ${containerId} @${person.name} viewer for ${length}`
  await world.types(soaker.person, line, email, channel)
  const question = await seen(stage, [email, 'Grant access'], channel)
  world.aim()
  await soaker.person.presses('Grant access', question)
  await seen(stage, [email, '✅ Granted'], channel)
  if (random.pick([true, false])) Object.assign(person.member, { email: tags.newEmail(email) })
  await world.types(person, '/grant due', '', channel)
  const due = await seen({ world, soaker: { person, mayGrant: false } }, ['You · Viewer'], channel)
  world.aim()
  await person.presses('I’m done', due)
}

/** Asked for by somebody who may not give it; a lead approves for an hour at most, and the asker wants it to last. */
export async function asksForTime(stage: Stage): Promise<void> {
  const { world, soaker, random } = stage
  const [subject, channel] = [newSubject(stage), random.pick(world.channels)]
  const { email } = subject
  const given = enter(stage, subject, hourMs)
  const line = `/grant ${containerId} ${email} viewer for 4h`
  await asks(stage, line, email, channel)
  await approves(stage, 'Approve for 1 hour', [email], channel)
  await seen(stage, [email, '✅ Granted'])
  await world.types(soaker.person, '/grant due', '', channel)
  const due = await seen(stage, [email, 'Viewer', 'until'], channel)
  world.aim()
  // Where the menu lets them make it last themself, they do.
  const label = ['Keep for good', 'Extend by 1 hour'].find((one) => due.buttons.includes(one))
  await soaker.person.presses(label ?? 'Ask for 1 hour more', due)
  if (label !== undefined) return
  await givesReason(stage)
  given.mostUntil = world.clock.now() + given.lastsMs + hourMs
  await approves(stage, 'Approve', [email, 'more'], channel)
}

/** The line of somebody who may not; resolves once the request stands there. */
export async function asks(
  stage: Stage,
  line: string,
  email: string,
  channel: Channel,
): Promise<void> {
  const { world, soaker } = stage
  await world.types(soaker.person, line, email, channel)
  const refused = await seen(stage, [email, 'Ask for approval'], channel)
  world.aim()
  await soaker.person.presses('Ask for approval', refused)
  await givesReason(stage)
}

async function givesReason({ world, soaker: { person } }: Stage): Promise<void> {
  await person.seesModal('Ask for approval')
  world.aim()
  await person.submits({ fields: { Reason: 'On call this week' } })
}

async function approves(
  stage: Stage,
  label: string,
  words: readonly string[],
  channel: Channel,
): Promise<void> {
  const { world, random } = stage
  const lead = random.pick(world.soakers.filter(({ mayGrant }) => mayGrant))
  const card = await seen({ world, soaker: lead }, [...words, label], channel)
  world.aim()
  await lead.person.presses(label, card)
}

export type Act = readonly [name: string, act: (stage: Stage) => Promise<unknown>]

/** Of those who may give access; each has its turn in every soak. */
export const storiesOfTime: readonly Act[] = [
  ['for a time, to several', severalAtOnce],
  ['for a time, hides the address', hidesAddress],
  ['for a time, another address', getsAnotherAddress],
  ['for a time, not listed', leavesTheList],
  ['for a time, one address twice', isThereTwice],
  ['for a time, more from others', getsMoreFromOthers],
  ['for a time, taken off by others', isTakenOffByOthers],
  ['for a time, removed and back', isRemovedAndBack],
  ['for a time, more for good', getsMoreForGood],
  ['for a time, more for a time', getsMoreForTime],
  ['for a time, extended', isExtended],
  ['for a time, removed now', isRemovedNow],
  ['for a time, named and done', isNamedAndDone],
]
