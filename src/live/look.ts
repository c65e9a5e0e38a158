// Looks at one live card that is due: reads its alert with its watchers' tokens in turn. A watcher whose token can't read
// the alert any more hears so.

import { askToConnect } from '../account/connect-first.ts'
import type { Card } from '../alert/cards.ts'
import { type Following, fingerprintInList } from '../alert/followed.ts'
import { isClosed } from '../alert/render/state.ts'
import { type CardReading, soonMs, type Update, updateCard, waitingFor } from '../alert/turn.ts'
import { MonitorError, orMonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import type { Alert } from '../monitor/schema.ts'
import { SlackError } from '../slack/client.ts'
import { say } from '../slack/outbound/message.ts'
import { NotSent } from '../slack/pace.ts'
import { minuteMs } from '../work/durations.ts'
import { poked, takenBy } from '../work/lease.ts'
import type { TakeDue } from '../work/poller.ts'
import { doubling } from '../work/retry.ts'
import {
  type Ended,
  givenBack,
  isPerson,
  type LiveCard,
  noFingerprint,
  runningAt,
  type TurnOutcome,
  unconfirmedMs,
  type Watcher,
  withoutWatch,
} from './live-cards.ts'
import { alertName, endingWords, missingWords, unwatchedWords } from './render.ts'

/** So many intervals without an answer make a card overdue. */
const overdueIntervals = 4
/** The longest pause between readings while the service fails. */
const longestPauseMs = 10 * minuteMs
/**
 * How much later than in one interval a card may be due. If it is due even later, it was stored before the clock was set
 * back, and is taken at once.
 */
const aheadMs = 15 * minuteMs

export const takeLiveCards: TakeDue = async (house, most) => {
  const { config, poller, storage } = house
  const due = await storage.liveCards.takeDue(
    (live, now) => takenBy(live, poller.owner, poller.leaseMs, now),
    most,
    config.watch.intervalMs + aheadMs,
  )
  return due.map((live) => () => lookAtCard(house, live))
}

/**
 * Makes an alert's live cards due, in the background, as something happened to it.
 * @param ks - The key by which it was read.
 */
export function lookSoon(house: House, workspaceId: string, alert: Alert, ks: string): void {
  const { storage, poller, slack, log } = house
  const calling = async () => {
    for (const ref of new Set([ks, alert.ks]))
      for (const live of await storage.liveCards.list({ workspaceId, ref }))
        await storage.liveCards.change(live, poked)
    poller.wake()
  }

  const failed = (error: unknown) =>
    log.failedJob('warn', { err: error }, 'other live cards of an alert could not be made due')
  void slack.work.track(calling().catch(failed))
}

/** Never rejects: what fails is tried again, at the latest when the lease is over. */
async function lookAtCard(house: House, taken: LiveCard): Promise<void> {
  const { storage, turns, updates, log } = house
  try {
    if (waitsStill(house, taken)) {
      const wait = (one: LiveCard, now: number) => givenBack(one, taken, waitingFor(taken), now)
      await turns(`card ${taken.id}`, () => storage.liveCards.change(taken, wait))
      return
    }

    const update: Update = {
      // The alert is read only if the card's due time is still the same: somebody may have pressed Refresh while this look
      // waited for its turn.
      read: async (card, live) =>
        live?.dueAt === taken.dueAt ? readWithAny(house, card, live) : undefined,
      onFailure: (error, live) => afterFailure(house, error, live),
    }
    await updates.keepingRoom(() => updateCard(house, taken, update))
  } catch (error) {
    log.failedJob('error', { err: error, card: taken.id }, 'a live card could not be checked')
  }
}

/** True of a card that is only drawn again, as Slack hasn’t taken it yet; false once its watchers need a new reading. */
function waitsStill({ config, updates, now }: House, live: LiveCard): boolean {
  const { waitsUntil, dueAt, readAt } = live
  const isWaiting = waitsUntil !== undefined && waitsUntil === dueAt
  if (!isWaiting || updates.hasRoom()) return false

  const isReadLately = now() < readAt + 0.9 * config.watch.intervalMs
  return isReadLately || runningAt(live, now()).length === 0
}

/** The outcome for a live card that couldn’t be told or drawn: it is over if its place is gone, else tried again. */
async function afterFailure(house: House, error: unknown, live: LiveCard): Promise<TurnOutcome> {
  if (error instanceof NotSent) return { inMs: 0 }
  if (error instanceof SlackError && (error.meaning === 'gone' || error.meaning === 'closed')) {
    // No thread can tell the watchers, so each is told directly.
    for (const watcher of runningAt(live, house.now())) await inform(house, live, watcher, 'gone')
    return live.followId ? afterLoss(house, live, error) : { isOver: true }
  }

  const kind = error instanceof SlackError ? 'warn' : 'error'
  house.log.failedJob(
    kind,
    { err: error },
    'a live card could not be brought up to date; it is tried again',
  )
  const failures = live.failures + 1

  return {
    inMs: pauseMs(error, failures),
    failures,
    shown: { ...live.shown, fingerprint: noFingerprint },
  }
}

function pauseMs(error: unknown, failures: number) {
  if (!(error instanceof SlackError)) return soonMs
  if (error.mayBeDone) return unconfirmedMs(failures)
  // A refusal for good is tried ever more rarely: Slack may take the message once the alert says something else.
  return error.isForGood ? doubling(soonMs, longestPauseMs)(failures) : soonMs
}

/**
 * Writes into the follow’s document that its card can’t be reached, so that the follow looks soon. A card that is gone is
 * live no more; any other card is tried later.
 */
async function afterLoss({ storage, poller, now }: House, live: LiveCard, error: SlackError) {
  const { workspaceId, followId = '', ks, shown } = live
  const severity = isClosed(shown.alert) ? null : shown.alert.lastSeverity
  const isGone = error.meaning === 'gone'
  if (isGone) await storage.cards.drop(live)
  await storage.follows.change({ workspaceId, id: followId }, (one) => {
    const forgotten = { ...one.forgotten, [ks]: severity }
    const unsaid = { since: now(), alerts: 0, ...one.unsaid, word: error.word }
    return poked({ ...one, ...(isGone ? { forgotten } : { unsaid }) }, now())
  })
  poller.wake()

  if (isGone) return { isOver: true }

  return { watchers: [], inMs: longestPauseMs, failures: live.failures + 1 }
}

/** Reads a card's alert with each watcher's token, then that of the follow's carrier, until one may read it. */
async function readWithAny(house: House, { ks }: Card, taken: LiveCard): Promise<CardReading> {
  const { slack, storage, tokens, monitor, now } = house
  const { workspaceId, posted, followId } = taken
  let live = taken
  const watchers = runningAt(live, now())
  const isSeen = watchers.length > 0 || followId
  if (isSeen && (await slack.channels.isSharedLately(posted.channelId)))
    return ended(house, withoutWatch(live, undefined, 'shared', now()))

  const follow = followId ? await storage.follows.find({ workspaceId, id: followId }) : undefined
  for (const reader of [...watchers, ...(follow ? [follow.carrier] : [])]) {
    const { userId: readBy } = reader
    const token = await tokens.find({ workspaceId, userId: readBy })
    const read = token ? await orMonitorError(monitor.readAlert(token, ks, 2)) : undefined
    if (read && !(read instanceof MonitorError))
      return cardReadingOf(house, live, read, readBy, follow)

    const why = read?.code ?? 'disconnected'
    if (why === 'not-found' || why === 'bad-request') return ended(house, live, missingWords)
    if (why !== 'disconnected' && why !== 'refused' && why !== 'forbidden')
      return unread(house, live, read?.retryAfterMs)

    const watcher = watchers.find((one) => one === reader)
    if (!watcher) continue

    await inform(house, live, watcher, why)
    const without = (one: LiveCard) => withoutWatch(one, readBy, why, now())
    live = without(live)
    // The end of the watch is stored at once, so that each watcher is told of it once, whatever becomes of this look.
    await storage.liveCards.change(live, (one) =>
      one.dueAt === live.dueAt ? without(one) : undefined,
    )
  }

  // The carrier's token can't read the alert, this once or until somebody takes over the follow. The card is tried later,
  // as the follow itself may then see no change that makes the card due.
  if (follow) return { alert: live.shown.alert, watchers: [], inMs: longestPauseMs }

  return ended(house, live)
}

/**
 * The time until the alert is read again, if it differs from the follow’s last list; undefined if they agree. A follow makes
 * a card due if two of its lists differ: it doesn’t see a change that is undone before its next list.
 */
function repeatOf({ config }: House, alert: Alert, { seen }: Following) {
  const fingerprint = seen[alert.ks]?.fingerprint
  if (fingerprint === undefined) return isClosed(alert) ? undefined : { inMs: longestPauseMs }

  return isClosed(alert) || fingerprint !== fingerprintInList(alert)
    ? { inMs: config.watch.intervalMs }
    : undefined
}

/** The reading of an alert that a watcher’s or the carrier’s token has just shown, and whose watch goes on. */
function cardReadingOf(
  house: House,
  live: LiveCard,
  alert: Alert,
  readBy: string,
  follow: Following | undefined,
): CardReading {
  const now = house.now()
  const repeat = follow && repeatOf(house, alert, follow)
  const running = runningAt(live, now)
  if (!isClosed(alert)) {
    // Somebody who closed the alert only wanted to hear that it is open again: their watch ends.
    const watchers = running.filter(isPerson)
    const isOver = watchers.length === 0 && !live.followId
    return { alert, readBy, watchers, isOver, ...repeat }
  }

  // The card is over at once if nobody watches: a follow sees in its list that the alert opens again.
  const isOver = !repeat && (running.length === 0 || isClosedForGood(live, now))
  return { alert, readBy, watchers: running, isOver, ...repeat }
}

/**
 * The reading of a card whose alert is gone, or may be read by nobody any more.
 * @param words - Last words in the card's thread. Default: why the last watcher watches no more.
 */
function ended({ config }: House, live: LiveCard, words?: string): CardReading {
  const { followId, since, shown } = live
  const last = live.watchers.findLast(isPerson)
  const isMissing = words !== undefined && followId
  // A card that was live only to tell whether its alert opens again ends without a word.
  if (!last && !isMissing) return { alert: undefined, isOver: true }

  const why = words ?? (last ? endingWords(last, config.watch.ttlHours) : missingWords)
  return {
    alert: shown.alert,
    watchers: [],
    ending: { id: String(since), words: why },
    isOver: true,
  }
}

/** The reading while the service is busy or silent, or not understood: the alert as it is shown, and when to try again. */
function unread({ config, now }: House, live: LiveCard, retryAfterMs = 0): CardReading {
  const { alert } = live.shown
  const { intervalMs } = config.watch
  const watchers = runningAt(live, now())
  // A card that a follow alone keeps promises no next check, and the follow says itself that it can’t look.
  const isPromised = !isClosed(alert) && watchers.length > 0
  const untilOverdueMs = live.readAt + overdueIntervals * intervalMs - now()
  const failures = live.failures + 1
  const backoff = doubling(2 * intervalMs, longestPauseMs)(failures)
  const pauseMs = untilOverdueMs > 0 ? Math.min(backoff, untilOverdueMs) : backoff

  return {
    alert,
    watchers,
    isOverdue: isPromised && untilOverdueMs <= 0,
    // If the service asks for a longer pause, it is cut: somebody’s watch may end meanwhile.
    inMs: Math.max(pauseMs, Math.min(retryAfterMs, longestPauseMs)),
    failures,
    isOver: isClosed(alert) && isClosedForGood(live, now()),
  }
}

function isClosedForGood({ mayReopenUntil = Number.POSITIVE_INFINITY }: LiveCard, now: number) {
  return mayReopenUntil <= now
}

/** Tells a watcher directly that they watch no more, if they can't know it from the thread. Never throws. */
async function inform(
  house: House,
  { workspaceId, id: ask, ks, shown }: LiveCard,
  { userId, name, hasClosed }: Watcher,
  why: Ended,
) {
  // Somebody who only closed the alert never asked for news. For reasons other than these three, the thread has told it.
  if (hasClosed || (why !== 'gone' && why !== 'forbidden' && why !== 'refused')) return

  const text = unwatchedWords(alertName(ks, shown), ks, why)
  const asker = { workspaceId, userId, name }
  const from = { asker, place: { userId: asker.userId, isDirect: true } }
  try {
    if (why !== 'refused') await house.slack.post(userId, say(text))
    else await askToConnect(house, from, { feature: 'watch', ask }, why, { text })
  } catch (error) {
    house.log.failedJob(
      'warn',
      { err: error, user: userId },
      'a watcher could not be told of their end',
    )
  }
}
