// Repeats the calls of a follow until somebody answers them. A call is a message on new alerts that mentions a person or
// group. The second mention comes ten minutes after the first. The third comes thirty minutes after the first, and goes to
// the person or group behind “then”. An alert is answered once somebody owns or watches it. It needs no answer any more
// once it is closed, or less grave than the follow calls for.

import { callNow, isAwayFrom } from '../alert/call.ts'
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
import { cardKeyOf, type Follow } from './follows.ts'
import { post, tellCarrier, withLease } from './posting.ts'
import { renderUnanswered, renderUnansweredTo, type Unanswered } from './render.ts'

/**
 * Notes that new alerts call somebody. Done before the alerts are posted: if the process dies after the post, the call is
 * still repeated. Only alerts that nobody owns and that are grave enough call somebody.
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
 * The next time at which an open call is repeated or given up, in milliseconds since 1970. At the earliest, this is five
 * minutes after the last mention. Undefined without open calls.
 */
export function nextCallAt({ call, openCalls = [] }: Follow): number | undefined {
  if (call === undefined || openCalls.length === 0) return undefined

  const soonest = Math.min(...openCalls.map(againAt))
  return Math.max(soonest, (call.at ?? 0) + calledForMs)
}

export function isRepeatDue({ call, openCalls = [] }: Follow, now: number): boolean {
  return call !== undefined && openCalls.some((one) => againAt(one) <= now)
}

/** An open call that nobody has answered, with the gravest of its alerts that still wait for an answer. */
interface UnansweredCall {
  readonly open: OpenCall
  readonly ks: string
  readonly severity: number
  /** How many of its alerts wait. */
  readonly count: number
}

/** Alerts that are open now; undefined if monitoring doesn’t answer. */
type OpenNow = readonly OpenAlert[] | undefined

/**
 * Repeats the gravest of the due calls that nobody has answered. The other due calls wait five minutes, as after any
 * mention. A due call that is answered, or that was made three times, is counted and dropped.
 * @param call - The follow’s call, with the mentions that this look has made already.
 * @returns The call as it is stored after this mention; undefined if nobody was called.
 */
export async function callAgain(
  house: House,
  follow: Follow,
  listed: OpenNow,
  call: Call | undefined,
): Promise<Call | undefined> {
  const { storage, now } = house
  if (call === undefined || !isRepeatDue(follow, now())) return undefined

  const due = (follow.openCalls ?? []).filter((one) => againAt(one) <= now())
  let gravest: UnansweredCall | undefined
  for (const open of due) {
    const unanswered = await waitingIn(house, follow, open, call.from, listed)
    if (unanswered === undefined || open.times === mostTimes) {
      const answered = callOutcomes[Math.max(0, open.times - 1)]
      await conclude(house, follow, open, unanswered ? 'never' : answered)
    } else if (gravest === undefined || unanswered.severity < gravest.severity) gravest = unanswered
  }
  if (gravest === undefined) return undefined

  const { open, severity } = gravest
  const stored = await withLease(house, follow)
  // True if another process has repeated this call by now, or holds the follow: then that process repeats it.
  const isDone = !stored?.openCalls?.some(({ at, times }) => at === open.at && times === open.times)
  if (isDone) return undefined

  const isThird = open.times === mostTimes - 1
  const made = await callNow(house, follow.channelId, call, severity, isThird)
  if (made === undefined) return undefined

  const { mention } = made
  const heard =
    mention === undefined ? 'heard' : await sayAgain(house, follow, listed, gravest, mention)
  if (heard === 'later') return undefined

  await storage.follows.change(follow, (one) => ({
    ...one,
    call: afterCall(one.call, made.call),
    openCalls: one.openCalls?.map((other) =>
      other.at === open.at && heard === 'heard' ? { ...other, times: other.times + 1 } : other,
    ),
  }))
  return made.call
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

/** Finds which alerts of a call still wait for an answer; undefined if none does. */
async function waitingIn(
  { storage, now }: House,
  { workspaceId, seen }: Follow,
  open: OpenCall,
  from: number,
  listed: OpenNow,
): Promise<UnansweredCall | undefined> {
  const byKey = new Map(listed?.map((alert) => [alert.ks, alert]))
  const waiting: Pick<UnansweredCall, 'ks' | 'severity'>[] = []
  for (const ks of open.keys) {
    const known = Object.hasOwn(seen, ks) ? seen[ks] : undefined
    const alert = byKey.get(ks)
    const isOpen = listed === undefined || alert !== undefined
    if (known === undefined || !isOpen) continue

    const isOwned = alert ? alert.ownerId !== null : known.isOwned === true
    const severity = alert?.lastSeverity ?? known.severity
    if (isOwned || severity > from) continue

    // A watch counts, whatever channel its card is in: somebody looks after the alert.
    const cards = await storage.liveCards.list({ workspaceId, ref: ks })
    const isWatched = cards.some((live) => peopleAt(live, now()).length > 0)
    if (!isWatched) waiting.push({ ks, severity })
  }

  const [gravest] = waiting.toSorted((one, other) => one.severity - other.severity)
  return gravest && { open, ...gravest, count: waiting.length }
}

/**
 * Says that nobody has answered. If the gravest alert has a card, this is a reply to the card. If the alert is in a message
 * of many, it is a reply to that message. The channel sees the reply, too. If the message is gone, it is no reply, but a
 * message in the channel. If Slack refuses the post for good, the carrier is told.
 * @returns `heard`: it is posted, or the carrier knows. `maybe`: Slack may have posted it, so the next try comes only after
 * five minutes. `later`: the next look tries again.
 */
async function sayAgain(
  house: House,
  follow: Follow,
  listed: OpenNow,
  call: UnansweredCall,
  mention: string,
): Promise<'heard' | 'maybe' | 'later'> {
  const { storage, log } = house
  const { ks } = call
  const unanswered = await unansweredOf(house, follow, listed, call)
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
      // The message to reply to was deleted: the next place is tried.
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

/** Facts for the message that repeats a call. The alert’s words are from the list of open alerts, else from its card. */
async function unansweredOf(
  { storage, config, assets, now }: House,
  follow: Follow,
  listed: OpenNow,
  { open, ks, count }: UnansweredCall,
): Promise<Unanswered> {
  const { carrier, containerId, container, readAt } = follow
  const inList = listed?.find((one) => one.ks === ks)
  const onCard = (await storage.liveCards.find(cardKeyOf(follow, ks)))?.shown.alert
  const alert = inList ?? onCard
  const asset = follow.seen[ks]?.asset
  const at = asset === undefined ? undefined : { asset, container: containerId }
  const machine = at && assets.nameKnown(carrier, at)

  return {
    title: alert ? wordsFor(config, alert, machine) : `an alert of ${container}`,
    count,
    forMs: now() - open.at,
    lastSeenAt: listed ? undefined : readAt,
  }
}

/**
 * Slack’s id of the person or group to mention in the last warning of a follow that nobody reads for any more. Undefined if
 * no call waits for an answer, or if the person is away.
 */
export async function lastMention(house: House, follow: Follow): Promise<string | undefined> {
  const { call, openCalls = [], channelId } = follow
  if (call === undefined) return undefined

  for (const open of openCalls) {
    if ((await waitingIn(house, follow, open, call.from, undefined)) === undefined) continue
    return (await isAwayFrom(house, channelId, call.mention)) ? undefined : call.mention
  }
  return undefined
}
