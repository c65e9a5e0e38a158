// Acts on the buttons of access that ends by itself: its menu (more time, for good, remove now), *It’s gone*, and *I’m
// done* for whoever has the access. Lists such access for `/grant due`. An end is the document that says when access ends.
import { randomUUID } from 'node:crypto'
import { UserError } from '../errors.ts'
import { nameOf } from '../grant/access.ts'
import { canExtend, tooLong } from '../grant/lasting.ts'
import { personIn, readPeople } from '../grant/people.ts'
import { extensions } from '../grant/render/lasting.ts'
import { whyNotToGive } from '../grant/rights.ts'
import type { House } from '../house.ts'
import { isSameAddress } from '../monitor/schema.ts'
import { containerInWords } from '../names/containers.ts'
import { ownIdOf } from '../names/own-id.ts'
import { type NotDoneCode, refusals } from '../send/outcome.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import { say } from '../slack/outbound/message.ts'
import { personInLine, type SlackUser } from '../slack/person.ts'
import { whenSlow } from '../work/under-way.ts'
import {
  type DueOf,
  readDuePage,
  renderDue,
  renderKept,
  renderRemoveUnlisted,
  type ShownEnd,
} from './render.ts'
import { type End, endingAtStep, endsIn, endsListed, isBeingTaken } from './states.ts'
import { takeBack } from './taking-back.ts'
import { shownTo, tellGone, tellMoved } from './telling.ts'

/** Finds an end by its id. @throws UserError if the access has ended, or no longer ends by itself. */
export async function findEnd(
  { storage }: House,
  { asker: presser }: From,
  id: string,
): Promise<End> {
  const end = await storage.ends.find({ workspaceId: presser.workspaceId, id })
  if (end === undefined)
    throw new UserError(
      'This access has ended already, or no longer ends by itself. What still does is in /grant due.',
    )
  return end
}

/** Reads a button’s value: what to do, and the end’s id, which may hold blanks. */
export function readEdit(value: string): readonly [what: string, id: string] {
  const [what = '', ...id] = value.split(' ')
  return [what, id.join(' ')]
}

/**
 * Acts on a choice in the menu of an end. More time, or access for good, needs a presser who may give that. *Remove now*
 * takes the access back: with the giver’s account if it is the presser’s own access, else with the presser’s account.
 */
export async function editEnd(house: House, pressed: ActionRequest): Promise<void> {
  const [what, id] = readEdit(pressed.value)
  const end = await findEnd(house, pressed, id)
  if (what === 'now') return handBack(house, { ...pressed, value: id })
  if (what === 'all') return endNow(house, pressed, end, true)
  if (what === 'keep') return makeLast(house, pressed, end, undefined)
  const moreMs = extensions.get(what)
  if (moreMs === undefined) return

  const from = Math.max(end.endsAt, house.now())
  await makeLast(house, pressed, end, from + moreMs)
}

/**
 * Moves an end to a later time, or deletes it so that the access is for good; and says so.
 * @param endsAt - Undefined: for good.
 * @throws UserError if the presser couldn’t give that access today, or it is being taken back just now.
 */
async function makeLast(
  house: House,
  { asker: presser, place }: ActionRequest,
  end: End,
  endsAt: number | undefined,
): Promise<void> {
  const { config, storage } = house
  await mayLast(house, presser, end, endsAt)

  // Refused while the access is being taken back: people would read that it lasts, and then it would be gone.
  const moved = await storage.ends.change(end, (one, now) => {
    if (isBeingTaken(one, now)) return undefined
    return endsAt === undefined ? 'gone' : endingAtStep(endsAt)(one, now)
  })
  const isGone = endsAt === undefined && (await storage.ends.find(end)) === undefined
  if (moved === undefined && !isGone)
    throw new UserError('I’m taking it back right now. If it’s still there in a minute, try again.')

  recordEnd(house, presser, end, {
    act: 'extend',
    outcome: 'done',
    key: `extend:${end.id}:${endsAt ?? 'kept'}`,
    permissions: end.flags,
    until: endsAt,
  })
  if (await tellMoved(house, end, endsAt, place)) return

  const shown = shownTo(house, end, presser.userId)
  await house.slack.privately(place, renderKept(shown, endsAt, config.roles))
}

type Recorded = Parameters<House['audit']['record']>[0]

/** Records in the audit trail what somebody did about an end. */
function recordEnd(
  { audit }: House,
  { workspaceId, userId }: SlackUser,
  { id: reference, containerId, whom }: End,
  what: Pick<Recorded, 'act' | 'outcome' | 'key' | 'permissions' | 'until'>,
): void {
  void audit.record({
    ...what,
    workspaceId,
    userId,
    reference,
    containerId,
    email: whom.email || undefined,
    personId: whom.there?.userId,
  })
}

/** @throws UserError if the presser couldn’t give this access until `endsAt`, by today’s settings and their flags. */
async function mayLast(
  house: House,
  presser: SlackUser,
  end: End,
  endsAt: number | undefined,
): Promise<void> {
  const { config } = house
  const { containerId, flags } = end
  if (!canExtend(config, end, presser.userId)) throw new UserError(onlyInvolved)

  checkLasting(config, end, endsAt)

  const token = await tokenOf(house, presser)
  const why = await whyNotToGive(house, token, containerId, flags)
  if (why !== undefined)
    throw new UserError(`Not extended: ${whyWords(house, presser, end, why, 'extend')}`)
}

/**
 * @throws UserError if a flag of the end may not last that long.
 * @param endsAt - Undefined: for good.
 */
export function checkLasting(config: House['config'], end: End, endsAt: number | undefined): void {
  const timed = tooLong(config, end, endsAt)
  if (timed.length > 0) throw new UserError(`${timed.join(', ')} can’t last that long here.`)
}

export const onlyInvolved =
  'Only the person who gave this access can make it last, unless a colleague has to approve that. They, and whoever asked for it, can ask for more time: type /grant due and choose Ask for 4 hours more.'

/** @throws UserError if the presser has connected no account. */
async function tokenOf({ tokens }: House, presser: SlackUser): Promise<string> {
  const token = await tokens.find(presser)
  if (token !== undefined) return token

  throw new UserError('Connect your account with /alert connect first, then try again.')
}

/** Words for the service’s refusal, said to the person whose token it refused. Raw. */
function whyWords(
  house: House,
  presser: SlackUser,
  { containerId }: End,
  code: NotDoneCode,
  kind: 'extend' | 'take-back',
): string {
  const where = containerInWords(house, presser, containerId)
  return refusals[code]('your', where, kind).filter(Boolean).join('. ')
}

/**
 * Takes access back now, with the presser’s token, and says how that went.
 * @param isUnlisted - True removes the person with all access there, though no list shows them; the presser has read that.
 */
async function endNow(house: House, press: From, end: End, isUnlisted = false): Promise<void> {
  const { asker: presser, place } = press
  const { slack, slowMs } = house
  const token = await tokenOf(house, presser)
  const id = `${end.id}:now ${randomUUID()}`
  const how = { idOf: () => id, place, isUnlisted }

  const taking = takeBack(house, [end], { owner: presser, token }, how)
  const [tried] = await whenSlow(taking, slowMs, () =>
    slack.privately(place, say('Taking it back …')).catch(() => undefined),
  )

  // Nothing was sent. If other ends hold all of this access, the end is gone by now, and the presser reads that.
  if (tried === undefined) await findEnd(house, press, end.id)

  const outcome = tried?.sends[0]?.outcome
  // Done: `takeBack` has said so already, in the place of the press.
  if (outcome?.kind === 'done') return

  if (outcome?.kind === 'not-done') {
    const why = whyWords(house, presser, end, outcome.code, 'take-back')
    return slack.privately(place, say(`Not ended: ${why}`))
  }

  const isListed = outcome?.kind !== 'uncertain' || outcome.cause !== 'not-listed'
  if (isListed) {
    const unsure = 'Monitoring doesn’t show yet that it’s gone. I’ll keep trying.'
    return slack.privately(place, say(unsure))
  }

  const container = containerInWords(house, presser, end.containerId)
  await slack.privately(place, renderRemoveUnlisted(end, container))
}

/**
 * *I’m done*, *Hand back now* and *Remove now*. Pressed by whoever has the access: it is taken back with the account of its
 * giver, who agreed to that by giving it for a time. Pressed by anybody else: it is taken back with their own account.
 */
export async function handBack(house: House, pressed: ActionRequest): Promise<void> {
  const end = await findEnd(house, pressed, pressed.value)
  if (await isTheirs(house, pressed.asker, end)) return giveUp(house, pressed, end)

  await endNow(house, pressed, end)
}

/** Makes access end now: the background job takes it back, with the account of whoever gave it. */
async function giveUp(house: House, { place, view }: ActionRequest, end: End): Promise<void> {
  await house.storage.ends.change(end, endingAtStep(house.now()))
  house.poller.wake()
  // Pressed on the Home tab, which no longer lists the access from now on: nothing is said until it is gone.
  if (view) return

  const thanks = say('Thanks. I’m taking it back, and I’ll say so once monitoring shows it.')
  await house.slack.privately(place, thanks, { replaces: place.pressedTs !== undefined })
}

/** True for the person who has the access: known by their Slack id or, if that is unknown, by their address in Slack. */
async function isTheirs(house: House, { userId }: SlackUser, { whom }: End): Promise<boolean> {
  if (whom.slackId !== undefined) return whom.slackId === userId

  const address = (await house.slack.people.whoIs(userId))?.email
  return Boolean(address && whom.email && isSameAddress(address, whom.email))
}

/**
 * *It’s gone*: the presser has looked where Bellhop can’t, and says that the access is gone. They are believed, and the end
 * is deleted, if the access isn’t their own, they may manage access there, and their token doesn’t show it.
 * @throws UserError if they aren’t believed.
 */
export async function sayGone(house: House, pressed: ActionRequest): Promise<void> {
  const { asker: presser, place, value } = pressed
  const end = await findEnd(house, pressed, value)
  const { containerId, whom, authProvider, flags } = end
  const ownId = await ownIdOf(house, presser)
  const isOwnNumber = ownId !== undefined && ownId === whom.there?.userId
  if (isOwnNumber || (await isTheirs(house, presser, end)))
    throw new UserError('This is your own access, so somebody else has to say that it’s gone.')

  const token = await tokenOf(house, presser)
  // The presser has to be allowed to manage access there, whatever the flags.
  const why = await whyNotToGive(house, token, containerId, [])
  if (why !== undefined)
    throw new UserError(`Not noted: ${whyWords(house, presser, end, why, 'take-back')}`)

  const list = await readPeople(house, token, containerId)
  // A list that can’t be read says nothing against the presser’s word.
  const them = typeof list === 'string' ? undefined : personIn(list, { ...whom, authProvider })
  const left = flags.filter((flag) => them?.permissions.includes(flag))
  if (left.length > 0)
    throw new UserError(`Monitoring shows you ${nameOf(whom)} with ${left.join(', ')}.`)

  await tellGone(house, end, presser, personInLine(presser))
  await house.storage.ends.change(end, () => 'gone')
  recordEnd(house, presser, end, {
    act: 'take-back',
    outcome: 'uncertain:said-gone',
    key: `take-back:${end.id}:said-gone`,
  })
  await house.slack.privately(place, say('Noted. I won’t look for it any more.'))
}

/** *Show more*: shows the next page in place of the page with the button. */
export function showMoreDue(house: House, pressed: ActionRequest): Promise<void> {
  const { of, after } = readDuePage(pressed.value)
  return listDue(house, pressed, of, after)
}

/** `/grant due`, or a later page of it. @param after - How many ends are on the pages before. */
export async function listDue(
  house: House,
  { asker, place }: From,
  of: DueOf,
  after = 0,
): Promise<void> {
  const { containerId, emails } = of
  const all = await dueFor(house, asker)
  const due = all.filter(({ end }) => {
    const isTheirs = emails.some((email) => isSameAddress(email, end.whom.email))
    const isThere = containerId === undefined || end.containerId === containerId
    return isThere && (isTheirs || emails.length === 0)
  })

  const list = renderDue(due, house.config.roles, of, after)
  await house.slack.privately(place, list, { replaces: after > 0 })
}

/** Ends of access that somebody gave, asked for or has, soonest first. */
export async function dueFor(house: House, person: SlackUser): Promise<readonly ShownEnd[]> {
  const { workspaceId, userId } = person
  const address = (await house.slack.people.whoIs(userId))?.email
  const lists = [endsIn.person(userId), ...(address ? [endsIn.address(address)] : [])]
  const all = await endsListed(house, workspaceId, lists)

  // An end that is being taken back for the first time is left out: it is listed again should that fail.
  const isUnderWay = (end: End) => end.endsAt <= house.now() && end.tries === 0
  const due = all.filter((end) => !isUnderWay(end))
  // Containers’ names are those that this person’s own token has shown, whoever gave the access.
  return due.map((end) => ({
    ...shownTo(house, end, userId),
    container: containerInWords(house, person, end.containerId),
  }))
}
