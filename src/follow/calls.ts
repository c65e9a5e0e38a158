// Makes the calls of a follow again that nobody answers. A call is a message on new alerts that mentions a person or group.
// The second mention comes ten minutes after the first. The third comes thirty minutes after the first, and goes to the
// person or group behind “then”. An alert is answered once somebody owns or watches it, or once it is no longer open, or
// no longer grave enough.

import { callNow, isAwayFrom, mentionOf } from '../alert/call.ts'
import {
  afterCall,
  againAt,
  type Call,
  callDue,
  calledForMs,
  mostTimes,
  type OpenCall,
  withCalled,
} from '../alert/followed.ts'
import { wordsFor } from '../alert/render/open-list.ts'
import { withCounts } from '../alert/tally.ts'
import type { House } from '../house.ts'
import { peopleAt } from '../live/live-cards.ts'
import { callOutcomes, callsTotal } from '../metrics/metrics.ts'
import type { OpenAlert } from '../monitor/schema.ts'
import { SlackError } from '../slack/client.ts'
import { cardKeyOf, type Follow, type SeenAlert } from './follows.ts'
import { post, tellCarrier, withLease } from './posting.ts'
import { renderUnanswered, renderUnansweredTo, type Unanswered } from './render.ts'

/**
 * Notes the call that new alerts make, before these are posted: so a crash after the post loses no repeat. Only alerts that
 * nobody owns and that are grave enough call somebody.
 */
export async function openCallFor(
  { storage }: House,
  follow: Follow,
  told: readonly OpenAlert[],
): Promise<void> {
  const { from = -1 } = follow.call ?? {}
  const calling = told.filter((alert) => alert.ownerId === null && alert.lastSeverity <= from)
  if (calling.length === 0) return

  const keys = calling.map(({ ks }) => ks)
  const gravest = Math.min(...calling.map(({ lastSeverity }) => lastSeverity))
  await storage.follows.change(follow, (one, now) => {
    const isMentioned = callDue(one.call, gravest, now) !== undefined
    return { ...one, openCalls: withCalled(one.openCalls, keys, now, isMentioned) }
  })
}

/**
 * The time at which an open call is next made again, or given up, in milliseconds since 1970. By then, the last mention is
 * five minutes old. Undefined without open calls.
 */
export function nextCallAt({ call, openCalls = [] }: Follow): number | undefined {
  if (call === undefined || openCalls.length === 0) return undefined

  const soonest = Math.min(...openCalls.map(againAt))
  return Math.max(soonest, (call.at ?? 0) + calledForMs)
}

export function isRepeatDue({ call, openCalls = [] }: Follow, now: number): boolean {
  return call !== undefined && openCalls.some((one) => againAt(one) <= now)
}

/** An alert of a call, which nobody has answered. */
interface Waiting {
  readonly ks: string
  readonly severity: number
}

interface UnansweredCall {
  readonly open: OpenCall
  /** Alerts that nobody has answered, the gravest first; at least one. */
  readonly waiting: readonly Waiting[]
}

/**
 * Alerts of a follow. `told`: by key, all that the channel knows. `listed`: all that are open now; undefined if monitoring
 * doesn’t answer.
 */
interface Known {
  readonly told: ReadonlyMap<string, SeenAlert>
  readonly listed: readonly OpenAlert[] | undefined
}

/**
 * Makes one call again: of those that are due and that nobody has answered, the gravest. The other calls wait five minutes,
 * as after any mention. A due call that is answered, or that was made three times, is counted and dropped.
 * @param call - Whom the follow calls, as this look knows.
 * @returns The call that was made, as it is stored then; undefined if none was made.
 */
export async function callAgain(
  house: House,
  follow: Follow,
  known: Known,
  call: Call | undefined,
): Promise<Call | undefined> {
  const { storage, now } = house
  if (call === undefined || !isRepeatDue(follow, now())) return undefined

  const due = (follow.openCalls ?? []).filter((one) => againAt(one) <= now())
  let gravest: UnansweredCall | undefined
  for (const open of due) {
    const waiting = await waitingIn(house, follow, open, call.from, known)
    const [first] = waiting
    if (first === undefined || open.times === mostTimes) {
      const answered = callOutcomes[Math.max(0, open.times - 1)]
      await conclude(house, follow, open, first === undefined ? answered : 'never')
    } else if (first.severity < (gravest?.waiting[0]?.severity ?? Number.POSITIVE_INFINITY))
      gravest = { open, waiting }
  }
  if (gravest === undefined) return undefined

  const { open, waiting } = gravest
  const stored = await withLease(house, follow)
  // True if another process has made this call by now, or holds the follow and so makes the call itself.
  const isDone = !stored?.openCalls?.some(({ at, times }) => at === open.at && times === open.times)
  if (isDone) return undefined

  const isThird = open.times === mostTimes - 1
  const severity = waiting[0]?.severity ?? call.from
  const made = await callNow(house, follow.channelId, call, severity, isThird)
  if (made === undefined) return undefined

  const mention = mentionOf(made, isThird)
  const heard =
    mention === undefined ? 'heard' : await sayAgain(house, follow, known, gravest, mention)
  if (heard === 'later') return undefined

  await storage.follows.change(follow, (one) => ({
    ...one,
    call: afterCall(one.call, made),
    openCalls: one.openCalls?.map((other) =>
      other.at === open.at && heard === 'heard' ? { ...other, times: other.times + 1 } : other,
    ),
  }))
  return made
}

async function conclude(
  { storage }: House,
  follow: Follow,
  { at }: OpenCall,
  outcome: (typeof callOutcomes)[number] = 'never',
): Promise<void> {
  const counts = outcome === 'never' ? { unanswered: 1 } : {}
  const changed = await storage.follows.change(follow, (one, now) => ({
    ...one,
    openCalls: one.openCalls?.filter((other) => other.at !== at),
    tally: withCounts(one.tally, counts, now),
  }))
  if (changed !== undefined) callsTotal.inc({ outcome })
}

/** The alerts of a call that nobody has answered, the gravest first. */
async function waitingIn(
  { storage, now }: House,
  { workspaceId }: Follow,
  { keys }: OpenCall,
  from: number,
  { told, listed }: Known,
): Promise<readonly Waiting[]> {
  const open = new Map(listed?.map((alert) => [alert.ks, alert]))
  const waiting: Waiting[] = []
  for (const ks of keys) {
    const seen = told.get(ks)
    if (seen === undefined) continue

    const alert = open.get(ks)
    const isOpen = listed === undefined || alert !== undefined
    const isOwned = alert ? alert.ownerId !== null : seen.isOwned === true
    const severity = alert?.lastSeverity ?? seen.severity
    if (!isOpen || isOwned || severity > from) continue

    // A watch counts in whatever channel its card is: somebody looks after the alert.
    const cards = await storage.liveCards.list({ workspaceId, ref: ks })
    const isWatched = cards.some((live) => peopleAt(live, now()).length > 0)
    if (!isWatched) waiting.push({ ks, severity })
  }

  return waiting.toSorted((one, other) => one.severity - other.severity)
}

/**
 * Says that nobody has answered: in a reply to the card of the gravest alert, else to the message that tells this alert
 * among many. The channel sees the reply, too. If both messages are gone, says so in the channel itself. If Slack refuses
 * the post for good, tells the carrier.
 * @returns `heard`: posted, or the carrier knows. `maybe`: Slack may have posted it, so nobody is called again at once.
 * `later`: the next look tries again.
 */
async function sayAgain(
  house: House,
  follow: Follow,
  known: Known,
  gravest: UnansweredCall,
  mention: string,
): Promise<'heard' | 'maybe' | 'later'> {
  const { storage, log } = house
  const { ks = '' } = gravest.waiting[0] ?? {}
  const unanswered = await unansweredOf(house, follow, known, gravest)
  const card = (await storage.cards.find(cardKeyOf(follow, ks)))?.posted
  const list = follow.lists.findLast(({ keys }) => keys.includes(ks))?.posted
  const places = [
    { place: 'card', threadTs: card?.ts },
    { place: 'list', threadTs: list?.ts },
    { place: 'channel', threadTs: undefined },
  ] as const
  for (const { place, threadTs } of places) {
    const isThere = place === 'channel' || threadTs !== undefined
    if (!isThere) continue

    try {
      await post(house, follow, renderUnanswered(unanswered, place, mention), threadTs)
      return 'heard'
    } catch (error) {
      if (!(error instanceof SlackError)) throw error
      // Somebody has deleted the message that this one would reply to: the next place is tried.
      if (error.meaning === 'gone') continue

      log.failedJob('warn', { err: error }, 'a call could not be made again')
      if (error.mayBeDone) return 'maybe'
      if (!error.isForGood || error.isChannelLost) return 'later'

      const refused = renderUnansweredTo(follow, unanswered, error.word)
      return (await tellCarrier(house, follow, refused)) ? 'heard' : 'later'
    }
  }
  return 'later'
}

/** Facts for the message on a call that nobody has answered; the alert as the list of open ones, else its card, has it. */
async function unansweredOf(
  { storage, config, assets, now }: House,
  follow: Follow,
  { told, listed }: Known,
  { open, waiting }: UnansweredCall,
): Promise<Unanswered> {
  const { carrier, containerId, container, readAt } = follow
  const { ks = '' } = waiting[0] ?? {}
  const inList = listed?.find((one) => one.ks === ks)
  const onCard = (await storage.liveCards.find(cardKeyOf(follow, ks)))?.shown.alert
  const alert = inList ?? onCard
  const asset = told.get(ks)?.asset
  const at = asset === undefined ? undefined : { asset, container: containerId }
  const machine = at && assets.nameKnown(carrier, at)

  return {
    title: alert ? wordsFor(config, alert, machine) : `an alert of ${container}`,
    count: waiting.length,
    forMs: now() - open.at,
    lastSeenAt: listed ? undefined : readAt,
  }
}

/**
 * Slack’s id of the person or group whom the warning mentions that nobody reads any more. Undefined if no call waits for an
 * answer, or if the person is away.
 */
export async function lastMention(house: House, follow: Follow): Promise<string | undefined> {
  const { call, openCalls = [], channelId, seen } = follow
  if (call === undefined) return undefined

  const known = { told: new Map(Object.entries(seen)), listed: undefined }
  for (const open of openCalls) {
    const waiting = await waitingIn(house, follow, open, call.from, known)
    if (waiting.length === 0) continue
    return (await isAwayFrom(house, channelId, call.mention)) ? undefined : call.mention
  }
  return undefined
}
