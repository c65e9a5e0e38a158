// Tells people of access that ends by itself (an end): that it ends soon, and later that it has ended. The latter is told
// in the thread of the alert that it was given for, else to those who gave it or asked for it; and to whoever had it.
// Access that nobody could take back is reported to those who can: at once or, if the reason may pass, after a quarter of
// an hour; again after an hour; then daily, until it is gone.

import { accessOf, isGranted, nameOf, resultsOf } from '../grant/access.ts'
import { whatEnds } from '../grant/access-name.ts'
import { canExtend } from '../grant/lasting.ts'
import type { House } from '../house.ts'
import { containerInWords } from '../names/containers.ts'
import { learnName } from '../names/names.ts'
import { isAccess, type Write } from '../send/outcome.ts'
import type { Request, StandingMessage, TimedAccess } from '../send/request.ts'
import type { Notice } from '../send/send.ts'
import { batchesBy, type Some } from '../send/telling.ts'
import { orRefusal, SlackError, unlessSlackFails } from '../slack/client.ts'
import type { Place } from '../slack/outbound/delivery.ts'
import { joined, type Message, type Posted, say } from '../slack/outbound/message.ts'
import type { Account, SlackUser } from '../slack/person.ts'
import { dayMs, hourMs, minuteMs } from '../work/durations.ts'
import { poked } from '../work/lease.ts'
import {
  type Gone,
  renderEnded,
  renderGone,
  renderHandBack,
  renderKept,
  renderSoon,
  renderStuck,
  type ShownEnd,
  whatOf,
} from './render.ts'
import { type End, endsIn, isBeingTaken, isPassing, restStep, warnAgainStep } from './states.ts'

/** How late access may end, while the service is away, before anybody is told. */
const patienceMs = 15 * minuteMs

/** A take-back that succeeded, with the access that it took away. */
interface Done extends TimedAccess {
  readonly request: Request
  /** Slack id of the person who had the access, unless they gave it or asked for it. */
  readonly recipientId: string | undefined
}

/**
 * Tells of take-backs that have been tried: edits standing messages, posts in threads and to those in charge, then composes
 * a notice for each person who hears of some of them. A person reads container names that their own token has shown. The
 * alert’s thread, and the person who had the access, read names that the giver’s token has shown. Other channels read
 * numbers of containers.
 * @param requests - Of one giver.
 * @param pressedAt - The place where their sender pressed, and hears of it; other people hear in a direct message.
 * @throws If it has to be called again.
 */
export async function showAndComposeEnds(
  house: House,
  requests: readonly Request[],
  pressedAt?: Place,
): Promise<readonly Notice[]> {
  const done: Done[] = []
  const left: (End | undefined)[] = []
  // Lines stand in the order that the warning had, whichever access was taken back first.
  for (const request of requests.toSorted((one, other) => one.id.localeCompare(other.id))) {
    const { taking } = request
    if (taking === undefined) continue

    if (resultsOf(request).every(isGranted)) {
      const recipientId = await recipientOf(house, taking)
      done.push({ ...taking, request, recipientId })
    } else left.push(await house.storage.ends.find(taking))
  }
  await tellStuck(house, left)

  const saying = (some: readonly Done[], readerId?: string) =>
    renderEnded(some.map((one) => goneFor(house, one, readerId)))

  // 1. Edits of standing messages come before any post: if an edit fails, all of this runs again, and would post twice.
  // A channel’s message then says what has ended; one reader’s message says only that it has, as they get a notice of it.
  await settleMessages(house, done, (some, readerId) =>
    readerId ? say('✅ This has ended.') : saying(some),
  )

  // 2. Posts in threads, for everybody who reads there.
  const posted = await postInThreads(house, done, saying)

  // 3. Notices for those who gave the access, asked for it, or had it.
  const told = byHearer(done, (one) => {
    const { request, giverId, askerId, recipientId } = one
    const direct = posted.includes(one) ? [] : [request.sender.userId, giverId, askerId]
    return [...direct, pressedAt?.userId, recipientId]
  })

  return Array.from(told, ([userId, some]) => ({
    userId,
    of: some.map(({ request }) => request),
    place: userId === pressedAt?.userId ? pressedAt : undefined,
    message: saying(some, userId),
  }))
}

/**
 * Tells whoever has access, gave it or asked for it that it ends soon, in one message each; after a crash, perhaps twice.
 * While Slack fails, this is tried again every minute, until the access ends.
 */
export async function warn(house: House, ends: readonly End[], giver: Account): Promise<void> {
  const { storage, slack, log } = house
  await Promise.all(ends.map(({ containerId }) => learnName(house, giver, containerId)))

  let isTold = true
  /** The result; undefined if Slack fails now: the next try is in a minute. */
  const orLater = <T>(asked: Promise<T>): Promise<T | undefined> =>
    asked.catch((error: unknown) => {
      if (!(error instanceof SlackError)) throw error
      log.warn({ err: error }, 'people could not be told that access ends soon')
      isTold = false
      return undefined
    })

  const recipients = await Promise.all(ends.map((end) => orLater(recipientOf(house, end))))
  const left = byHearer(ends, (end) => {
    const hearers = [end.giverId, end.askerId, recipients[ends.indexOf(end)]]
    return hearers.filter((userId = '') => !end.warnedIds?.includes(userId))
  })

  const told: { ends: readonly End[]; userId: string; posted: Posted | SlackError }[] = []
  for (const [userId, own] of left) {
    const message = await draw(house, own, { readerId: userId })
    // Somebody who has left counts as told: Slack refuses a message to them for good.
    const posted = await orLater(orRefusal(slack.post(userId, message)))
    if (posted !== undefined) told.push({ ends: own, userId, posted })
  }

  for (const end of ends) {
    const own = told.filter((one) => one.ends.includes(end))
    await storage.ends.change(end, (one, now) => {
      // If somebody moved the end as soon as they heard, the warning isn’t noted, as it no longer holds.
      if (one.endsAt !== end.endsAt) return undefined

      const posts = own.flatMap(({ posted, userId }) =>
        'ts' in posted ? [messageAt(posted, userId)] : [],
      )
      const standingMessages = [...one.standingMessages, ...posts]
      const warnedIds = [...(one.warnedIds ?? []), ...own.map(({ userId }) => userId)]
      const step = isTold ? restStep : warnAgainStep
      return step({ ...one, standingMessages, warnedIds }, now)
    })
  }
}

/** Each person who hears of some of these (a hearer), by their Slack id, with all that they hear of. */
function byHearer<T>(
  all: readonly T[],
  hearersOf: (one: T) => readonly (string | undefined)[],
): ReadonlyMap<string, Some<T>> {
  const heard = new Map<string, Some<T>>()
  for (const one of all) {
    for (const userId of new Set(hearersOf(one))) {
      if (userId === undefined) continue
      const before = heard.get(userId) ?? []
      heard.set(userId, [...before, one])
    }
  }

  return heard
}

/** Access that is gone, as this reader may know it. @param readerId - Undefined if a channel reads it. */
function goneFor(house: House, one: Done, readerId: string | undefined): Gone {
  const { request, recipientId, giverId, whom, endsAt } = one
  const { concludedAt = 0 } = request
  const { takes = [], member } = accessOf(request)
  const isTheirs = readerId !== undefined && readerId === recipientId
  const container = containerAsReadBy(house, one, isTheirs ? giverId : readerId)
  const taken = whatEnds({ flags: takes, member: member === false }, house.config.roles)
  return {
    who: isTheirs ? undefined : nameOf(whom),
    what: `${taken} on ${container}`,
    lateAt: concludedAt > endsAt + minuteMs ? concludedAt : undefined,
  }
}

/**
 * The container, as this reader’s own token has shown it.
 * @param readerId - Undefined if a channel reads it.
 */
function containerAsReadBy(
  house: House,
  { workspaceId, containerId }: TimedAccess,
  readerId: string | undefined,
): string {
  // A channel reads the number: no token has shown it a name.
  return containerInWords(house, { workspaceId, userId: readerId ?? '' }, containerId)
}

/**
 * Posts about ends of access: in the threads of the alerts that it was given for, with the container names that its giver
 * may read; and in the threads of the cards on which it was approved, with numbers.
 * @returns The ends that an alert’s thread now tells of.
 */
async function postInThreads<One extends TimedAccess>(
  house: House,
  ends: readonly One[],
  saying: (some: readonly One[], readerId?: string) => Message,
): Promise<readonly One[]> {
  const posted: One[] = []
  const inThread = ends.filter(({ about }) => about?.isForAll)
  for (const some of batchesBy(inThread, ({ about }) => `${about?.channelId} ${about?.threadTs}`)) {
    const [{ about, giverId }] = some
    const message = saying(some, giverId)
    const isPosted = await postAmongUs(house, about?.channelId, message, about?.threadTs)
    if (isPosted) posted.push(...some)
  }

  for (const some of batchesBy(ends, ({ card }) => `${card?.channelId} ${card?.ts}`)) {
    const [{ card }] = some
    await postAmongUs(house, card?.channelId, saying(some), card?.ts)
  }

  return posted
}

/**
 * The place of a posted message, which stands from now on.
 * @param readerId - Its one reader; undefined if a channel reads it.
 */
function messageAt({ channelId, ts }: Posted, readerId?: string): StandingMessage {
  return { channelId, ts, readerId }
}

/**
 * Edits the standing messages that show these ends. A message that shows other ends too shows only the others from then on.
 * @param gone - Ends of one giver about which these messages no longer tell the truth.
 * @param saying - Says what became of the ends that one message showed.
 * @throws SlackError if the edits have to be tried again.
 */
async function settleMessages<One extends TimedAccess>(
  house: House,
  gone: readonly One[],
  saying: (some: readonly One[], readerId: string | undefined) => Message,
): Promise<void> {
  const { storage, slack } = house
  const keyOf = ({ channelId, ts }: StandingMessage) => `${channelId} ${ts}`
  const messages = gone.flatMap((end) => end.standingMessages)
  const all = new Map(messages.map((one) => [keyOf(one), one]))
  const [first] = gone
  if (first === undefined || all.size === 0) return

  const { workspaceId, giverId: ownerId } = first
  // Edits for one giver take turns. Each reads first which ends still run, so that the last edit shows what is left.
  await house.turns(`ends of ${ownerId}`, async () => {
    const running = await storage.ends.list({ workspaceId, ownerId })
    const others = running.filter(({ id }) => !gone.some((one) => one.id === id))
    for (const [key, one] of all) {
      const isThere = (end: TimedAccess) =>
        end.standingMessages.some((other) => keyOf(other) === key)
      const [next, ...more] = others.filter(isThere)
      const now = next
        ? await draw(house, [next, ...more], one)
        : saying(gone.filter(isThere), one.readerId)
      await orRefusal(slack.update(one, now))
    }
  })
}

/** A message about access from one giver: that it ends soon or, with `isStuck`, that nobody’s account takes it back. */
async function draw(
  house: House,
  ends: Some<End>,
  { readerId, isStuck = readerId === undefined }: Pick<StandingMessage, 'readerId' | 'isStuck'>,
): Promise<Message> {
  const { config, slack, now } = house
  const [{ giverId }] = ends
  const isGivers = readerId === giverId
  const giver = isGivers ? undefined : await slack.people.nameOf(giverId)
  const whose = isGivers ? 'your' : `${giver ?? 'the giver'}’s`

  // A message with `isStuck` may have other readers too, who get no container names that one person’s token has shown.
  const shown = ends.map((end) => shownTo(house, end, isStuck ? undefined : readerId))
  if (!isStuck) return renderSoon(shown, whose, config.roles)

  const rows = shown.map((one) => {
    const isOver = now() >= one.end.endsAt
    return renderStuck(one, whose, isOver, config.roles)
  })
  return joined(rows)
}

/**
 * An end as a person may know it who gave the access, asked for it or has it.
 * @param readerId - Undefined if a channel reads it.
 */
export function shownTo(house: House, end: End, readerId: string | undefined): ShownEnd {
  const may = readerId === undefined ? undefined : mayOf(house.config, end, readerId)
  return { ...namedFor(house, end, may === 'give up' ? end.giverId : readerId), may }
}

/** The choice of a person who gave the access, asked for it or has it. */
function mayOf(config: House['config'], end: End, readerId: string): ShownEnd['may'] {
  if (readerId !== end.giverId && readerId !== end.askerId) return 'give up'
  return canExtend(config, end, readerId) ? 'extend' : 'ask'
}

/**
 * Says that access lasts longer: in place of standing messages, in the thread of the alert that it was given for, and in
 * the thread of the card on which it was approved. Best effort: `/grant due` has the time.
 * @param endsAt - Undefined: for good.
 * @returns True if the person who pressed at `pressedAt` reads it there.
 */
export async function tellMoved(
  house: House,
  end: End,
  endsAt: number | undefined,
  pressedAt?: Place,
): Promise<boolean> {
  const { about, standingMessages } = end
  const telling = async () => {
    await settleMessages(house, [end], (_, readerId) =>
      renderKept(shownTo(house, end, readerId), endsAt, house.config.roles),
    )
    const inThread = await postInThreads(house, [end], (_, readerId) =>
      renderKept(namedFor(house, end, readerId), endsAt, house.config.roles),
    )

    const isRedrawn = standingMessages.some(({ ts }) => ts === pressedAt?.pressedTs)
    const isThere = inThread.length > 0 && about?.channelId === pressedAt?.channelId
    return isRedrawn || isThere
  }
  return (await unlessSlackFails(telling())) ?? false
}

/** An end for a message without buttons, as it says only what has become of the access. */
function namedFor(house: House, end: End, readerId: string | undefined): ShownEnd {
  return { end, container: containerAsReadBy(house, end, readerId) }
}

/** Edits messages about an end that took nothing back, as later ends gave the same: they say until when. Best effort. */
export async function settleHeld(house: House, end: End, others: readonly End[]): Promise<void> {
  const { flags, member } = end
  const holds = (one: End) =>
    one.flags.some((flag) => flags.includes(flag)) || (member && one.member)
  const endsAt = (others.find(holds) ?? others[0])?.endsAt
  const settling = settleMessages(house, [end], (_, readerId) =>
    renderKept(namedFor(house, end, readerId), endsAt, house.config.roles),
  )
  await unlessSlackFails(settling)
}

/** Edits standing messages about ends that a write has made needless: it took the access away, or gave it for longer. */
export async function settleLetGo(
  house: House,
  { endsAt, sends }: Request,
  gone: readonly End[],
): Promise<void> {
  const { roles } = house.config
  for (const end of gone) {
    const isGiven = sends.some(({ write }) => write.kind === 'add-user' || givesIn(write, end))
    await settleMessages(house, [end], (_, readerId) => {
      const shown = namedFor(house, end, readerId)
      if (isGiven) return renderKept(shown, endsAt, roles)
      return renderEnded([{ who: nameOf(end.whom), what: whatOf(shown, roles) }])
    })
  }
}

/** True if a change gives again what an end would have taken. */
function givesIn(write: Write, { flags }: End): boolean {
  if (!isAccess(write)) return false
  return flags.some((flag) => write.permissions.includes(flag) || write.takesOver?.includes(flag))
}

/**
 * Says that access is gone by somebody’s word (*It’s gone*): in place of standing messages, and to its giver, unless the
 * giver is the one who says so.
 * @param by - Name of the person who says so.
 * @throws SlackError if *It’s gone* has to be pressed again.
 */
export async function tellGone(
  house: House,
  end: End,
  { userId }: SlackUser,
  by: string,
): Promise<void> {
  const { giverId } = end
  const saying = (_: unknown, readerId: string | undefined) =>
    renderGone(namedFor(house, end, readerId), by, house.config.roles)
  await settleMessages(house, [end], saying)

  if (giverId !== userId) await orRefusal(house.slack.post(giverId, saying([], giverId)))
}

/**
 * Posts a message for colleagues alone. Undefined if no channel is given, another organisation may read there, or Slack
 * refuses the message.
 */
export async function postAmongUs(
  { slack }: House,
  channelId: string | undefined,
  message: Message,
  threadTs?: string,
): Promise<Posted | undefined> {
  if (channelId === undefined) return undefined
  if ((await slack.channels.outsiders(channelId)) !== 'none') return undefined

  const posted = await orRefusal(slack.post(channelId, message, threadTs))
  return 'ts' in posted ? posted : undefined
}

/**
 * Slack id of the person who has the access, stored with it, else found by their address. Undefined if nobody is found, or
 * if they gave it or asked for it.
 * @throws SlackError if the person may be found later.
 */
async function recipientOf(
  { slack }: House,
  { whom, giverId, askerId }: TimedAccess,
): Promise<string | undefined> {
  const { slackId, email } = whom
  const found = slackId ?? (email && (await orRefusal(slack.people.memberWith(email))))
  if (typeof found !== 'string') return undefined
  return [giverId, askerId, ''].includes(found) ? undefined : found
}

/** Says that somebody still has access that should have ended, unless that was said lately. */
export async function tellStuck(house: House, ends: readonly (End | undefined)[]): Promise<void> {
  const now = house.now()
  const news = ends.flatMap((end) => {
    if (end === undefined) return []
    const { endsAt, why = 'busy', sayAgainAt = 0 } = end
    const firstAt = isPassing(why) ? endsAt + patienceMs : endsAt
    return now < Math.max(sayAgainAt, firstAt) ? [] : [end]
  })

  for (const { id: end, why } of news)
    house.log.warn({ end, why }, 'access that should have ended is still there')

  await tellInCharge(house, news, (posted) => (end) => {
    // No message was posted: the end stays as it is, so the next try posts one.
    if (posted === undefined) return undefined
    // A message was posted: the next one comes after an hour, later ones daily.
    const sayAgainAt = now + (end.sayAgainAt === undefined ? hourMs : dayMs)
    return {
      ...end,
      sayAgainAt,
      standingMessages: [...end.standingMessages, posted].slice(-mostMessages),
    }
  })
}

/** Most messages about an end that are edited once it is gone. Older messages stay as they are: there is one each day. */
const mostMessages = 10

/**
 * Makes all ends of a giver due at once whose account is gone, so that people hear that nobody’s account takes it back.
 * @returns How many ends these are.
 */
export async function accountGone(
  house: House,
  { workspaceId, userId }: SlackUser,
): Promise<number> {
  const { storage, poller } = house
  const orphans = await storage.ends.list({ workspaceId, ownerId: userId })
  await Promise.all(orphans.map((end) => storage.ends.change(end, poked)))

  if (orphans.length > 0) poller.wake()
  return orphans.length
}

/** Most ends in one message, each with two buttons: a longer message may be too large for Slack. */
const mostStuck = 10

/**
 * Tells those in charge of access that is still there after its time, or that nobody’s account will take back at its time.
 * @param noting - Returns the step that stores the message in an end; `posted` is undefined if nobody could be told.
 */
export async function tellInCharge(
  house: House,
  ends: readonly End[],
  noting: (posted: StandingMessage | undefined) => (end: End, now: number) => End | undefined,
): Promise<void> {
  for (const some of batchesBy(ends, ({ giverId }) => giverId, mostStuck)) {
    const posted = await postInCharge(house, some)
    const step = noting(posted)
    for (const end of some) await house.storage.ends.change(end, step)
  }
}

/**
 * Posts about ends to those who can do something: the approval channel, else the audit channel, else their giver.
 * @returns The message; undefined if nobody could be told.
 */
async function postInCharge(house: House, ends: Some<End>): Promise<StandingMessage | undefined> {
  const { slack, config } = house
  const [{ giverId }] = ends
  const message = await draw(house, ends, {})
  for (const channelId of [config.approval.channelId, config.audit.channelId]) {
    const posted = await unlessSlackFails(postAmongUs(house, channelId, message))
    if (posted) return messageAt(posted)
  }

  const own = await draw(house, ends, { readerId: giverId, isStuck: true })
  const told = await unlessSlackFails(slack.post(giverId, own))
  return told && { ...messageAt(told, giverId), isStuck: true }
}

/** Ends that are more than five minutes overdue: how many there are, and by how much the most overdue one is. */
export async function overdue({ storage, now }: House) {
  const { count, first } = await storage.ends.count(endsIn.all, now() - 5 * minuteMs)
  return { count, mostMs: now() - (first ?? now()) }
}

/** Offers *Hand back now*, once, in the thread of a closed alert that somebody got access for. */
export async function offerHandBack(house: House, workspaceId: string, { channelId, ts }: Posted) {
  const { storage, config, now } = house
  if (!config.hasAllOperations) return

  const list = endsIn.thread({ channelId, threadTs: ts })
  for (const end of await storage.ends.inList(list, workspaceId)) {
    if (isBeingTaken(end, now())) continue
    if (!(await storage.once.claim(workspaceId, `hand-back ${end.id}`))) continue

    const offer = renderHandBack(namedFor(house, end, end.giverId), config.roles)
    const posted = await postAmongUs(house, channelId, offer, ts)
    if (posted === undefined) continue

    const offered = messageAt(posted)
    await storage.ends.change(end, (one) => ({
      ...one,
      standingMessages: [...one.standingMessages, offered],
    }))
  }
}
