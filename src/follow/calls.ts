// Calls that nobody answers are made again: ten and thirty minutes after the first, the third time to whoever is behind
// “then”. An alert is answered once somebody has it, watches it, or it is no longer open.

import { callNow, isAwayFrom, mentionOf } from '../alert/call.ts'
import {
  afterCall,
  againAt,
  type Call,
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

/** Notes whom new alerts call for, before they are posted: a crash in between loses no repeat. */
export async function openCallFor(
  { storage }: House,
  follow: Follow,
  told: readonly OpenAlert[],
): Promise<void> {
  const { from = -1 } = follow.call ?? {}
  const calling = told.filter((alert) => alert.ownerId === null && alert.lastSeverity <= from)
  if (calling.length === 0) return

  const keys = calling.map(({ ks }) => ks)
  await storage.follows.change(follow, (one, now) => ({
    ...one,
    openCalls: withCalled(one.openCalls, keys, now),
  }))
}

/** When the next open call is to be looked at; a mention waits until the one before is five minutes old. */
export function nextCallAt({ call, openCalls = [] }: Follow): number | undefined {
  if (call === undefined || openCalls.length === 0) return undefined

  const soonest = Math.min(...openCalls.map(againAt))
  return Math.max(soonest, (call.at ?? 0) + calledForMs)
}

export function isCallDue({ call, openCalls = [] }: Follow, now: number): boolean {
  return call !== undefined && openCalls.some((one) => againAt(one) <= now)
}

/** An alert that waits for somebody. */
interface Waiting {
  readonly ks: string
  readonly severity: number
}

interface UnansweredCall {
  readonly open: OpenCall
  /** The gravest first; at least one. */
  readonly waiting: readonly Waiting[]
}

/** The alerts of a follow: `told`, as they are known; `listed`: undefined where monitoring doesn’t say what is open. */
interface Known {
  readonly told: ReadonlyMap<string, SeenAlert>
  readonly listed: readonly OpenAlert[] | undefined
}

/**
 * Makes the gravest call again that is due and that nobody has answered. Others wait, as after any mention. What is answered,
 * or was called three times, is counted and gone.
 * @param call - Whom the follow calls, as this look knows.
 * @returns The call as it is stored then; undefined where none was made.
 */
export async function callAgain(
  house: House,
  follow: Follow,
  known: Known,
  call: Call | undefined,
): Promise<Call | undefined> {
  const { storage, now } = house
  if (call === undefined || !isCallDue(follow, now())) return undefined

  const due = (follow.openCalls ?? []).filter((one) => againAt(one) <= now())
  let gravest: UnansweredCall | undefined
  for (const open of due) {
    const waiting = await waitingIn(house, follow, open, call.from, known)
    const [first] = waiting
    if (first === undefined || open.times === mostTimes) {
      const isAnswered = first === undefined
      await conclude(house, follow, open, isAnswered ? callOutcomes[open.times - 1] : 'never')
    } else if (first.severity < (gravest?.waiting[0]?.severity ?? Number.POSITIVE_INFINITY))
      gravest = { open, waiting }
  }
  if (gravest === undefined) return undefined

  const { open, waiting } = gravest
  const stored = await withLease(house, follow)
  // True once another process has made the call, or while one has the follow, which then makes it.
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

/** Alerts of a call that nobody has answered, the gravest first. */
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

    // A watch counts wherever it is: somebody is there.
    const cards = await storage.liveCards.list({ workspaceId, ref: ks })
    const isWatched = cards.some((live) => peopleAt(live, now()).length > 0)
    if (!isWatched) waiting.push({ ks, severity })
  }

  return waiting.toSorted((one, other) => one.severity - other.severity)
}

/**
 * Says that nobody has answered: below the card of the gravest alert, or below the message that tells it among many, and in
 * the channel as well. The carrier hears it where the channel takes nothing.
 * @returns `maybe`: Slack may have posted it, so it isn’t said again at once.
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
      // Somebody has deleted that message: the next place takes it.
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

/** A call that nobody has answered, in words for its message: the alert as the list, else its card, has it. */
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

/** Whom the channel’s warning mentions once nobody reads any more: somebody whose call nobody has answered. */
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
