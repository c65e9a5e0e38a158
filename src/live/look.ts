// A look at one live card that is due: its alert is read with its watchers' tokens in turn, and those who can't read it any
// more hear so. Nobody asks for it.
import { askToConnect } from '../account/connect-first.ts'
import type { Card } from '../alert/cards.ts'
import { isClosed } from '../alert/render/state.ts'
import { MonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import type { Alert } from '../monitor/schema.ts'
import { SlackError } from '../slack/client/slack-error.ts'
import { say } from '../slack/outbound/message.ts'
import { NotSent } from '../slack/outbound/pace.ts'
import { doubling } from '../work/retry.ts'
import type { Held, Reading } from './draw.ts'
import { poked, takenBy } from './lease.ts'
import {
  type Ended,
  isFollowed,
  isPerson,
  isSameWatch,
  type LiveCard,
  type Outcome,
  restsAt,
  runningAt,
  type Watcher,
} from './live-cards.ts'
import { endingWords, nameOf, unwatchedWords } from './render.ts'
import { soonMs, updateCard } from './update.ts'

/** So many intervals without an answer make a card overdue. */
const overdueIntervals = 4
/** A service that fails is asked this rarely at last. */
const longestPauseMs = 10 * 60_000

/** A card that is due in much longer than it ever rests was kept before the clock was set back. */
const aheadMs = 15 * 60_000

/** Takes the live cards that are due; each is a look. */
export async function takeLiveCards(house: House): Promise<readonly (() => Promise<void>)[]> {
  const { config, poller, storage } = house
  const due = await storage.liveCards.takeDue(
    (live, now) => takenBy(live, poller.owner, poller.leaseMs, now),
    config.watch.intervalMs + aheadMs,
  )
  return due.map((live) => () => look(house, live))
}

/**
 * Something happened to an alert: its live cards are looked at at once, each with its own watchers' tokens. In the
 * background; nobody waits for it.
 * @param ks - The key that it was read by.
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
async function look(house: House, taken: LiveCard): Promise<void> {
  try {
    await updateCard(house, taken, {
      // Somebody may have pressed Refresh while it waited for its turn.
      read: async ({ card, live }) => (live?.dueAt === taken.dueAt ? readFor(house, card, live) : undefined),
      onFailure: (error, held) => afterFailure(house, held, error),
    })
  } catch (error) {
    house.log.failedJob('error', { err: error, card: taken.id }, 'a live card could not be checked')
  }
}

async function afterFailure(house: House, { card, live }: Held, error: unknown): Promise<Outcome> {
  if (live === undefined) return {}
  if (error instanceof NotSent) return { inMs: 0 }
  if (error instanceof SlackError && error.isMessageLost) {
    // No thread can tell them.
    for (const watcher of live.watchers)
      if (!watcher.ended) await inform(house, card, live, watcher, { kind: 'gone' })
    return { isOver: true }
  }
  const kind = error instanceof SlackError ? 'warn' : 'error'
  house.log.failedJob(kind, { err: error }, 'a live card could not be brought up to date; it is tried again')
  return { inMs: soonMs, failures: live.failures + 1, shown: { ...live.shown, look: '' } }
}

/** What the service said; neither an alert nor an error where nobody could ask it. */
interface Asked {
  readonly alert?: Alert
  /** With whose token, as Slack names them. */
  readonly readBy?: string
  readonly error?: MonitorError
  /** Those who watch on. */
  readonly watchers: readonly Watcher[]
  readonly left: readonly { readonly watcher: Watcher; readonly why: Ended }[]
}

async function readFor(house: House, card: Card, live: LiveCard): Promise<Reading> {
  const { now, config } = house
  const { alert, readBy, error, watchers, left } = await ask(house, card, live)
  const gone = left.map(({ watcher }) => watcher)
  const isRested = (live.restsUntil ?? Number.POSITIVE_INFINITY) <= now()
  if (alert !== undefined) {
    const closers = watchers.filter(({ hasClosed }) => hasClosed)
    // Whoever closed it hears that it is open again, and that is all they wanted. A follow sees that in its list.
    const isOver = isClosed(alert)
      ? isRested || watchers.every(({ followId }) => followId !== undefined)
      : closers.length === watchers.length
    const outcome = { gone: isClosed(alert) ? gone : [...gone, ...closers], isOver }
    return { alert, readBy, watchers, outcome }
  }
  const known = { alert: live.shown.alert, readBy: undefined }
  const isMissing = error?.code === 'not-found' || error?.code === 'bad-request'
  if (error !== undefined && !isMissing) {
    const { intervalMs } = config.watch
    const unreadMs = now() - live.readAt
    // A card that a follow alone keeps promises no next check, and the follow says itself that it can't look.
    const isPromised = !isClosed(known.alert) && !restsAt(live, now())
    const untilOverdueMs = overdueIntervals * intervalMs - unreadMs
    const failures = live.failures + 1
    const backoff = doubling(2 * intervalMs, longestPauseMs)(failures)
    const pauseMs = untilOverdueMs > 0 ? Math.min(backoff, untilOverdueMs) : backoff
    // However long it asks to be left alone, somebody's watch may end meanwhile.
    const inMs = Math.max(pauseMs, Math.min(error.retryAfterMs, longestPauseMs))
    const outcome = { gone, inMs, failures, isOver: isClosed(known.alert) && isRested }
    return { ...known, watchers, isOverdue: isPromised && untilOverdueMs <= 0, outcome }
  }
  // Its carrier can't read just now: the follow says so, and the card waits for whoever takes over.
  if (!isMissing && watchers.length > 0) return { ...known, watchers, outcome: { gone, inMs: 'never' } }
  const outcome = { gone, isOver: true }
  // Of one that only was to say whether it opens again, nobody expects anything.
  const isExpected = live.watchers.some(isPerson) || (isMissing && isFollowed(live))
  if (!isExpected) return { alert: undefined, readBy: undefined, outcome }
  const last = isMissing ? undefined : left.at(-1)
  const words = endingWords(last && { name: last.watcher.name, why: last.why }, config.watch.ttlHours)
  return { ...known, watchers: [], ending: { id: String(live.since), words }, outcome }
}

/** Asks with the token of each who watches, until one may read it. Never throws for anything that the service does. */
async function ask(house: House, card: Card, live: LiveCard): Promise<Asked> {
  const { slack, tokens, monitor, now } = house
  const { workspaceId, posted } = live
  const running = runningAt(live, now())
  const left: { watcher: Watcher; why: Ended }[] = live.watchers
    .filter((one) => !running.includes(one))
    .map((watcher) => ({ watcher, why: watcher.ended ?? { kind: 'lifetime' } }))
  if (running.length > 0 && (await slack.channels.wasShared(posted.channelId))) {
    left.push(...running.map((watcher) => ({ watcher, why: { kind: 'shared' } as const })))
    return { watchers: [], left }
  }
  const waiting: Watcher[] = []
  for (const [index, watcher] of running.entries()) {
    const watchers = [...waiting, ...running.slice(index)]
    const readBy = await readerOf(house, live, watcher)
    const token = readBy && (await tokens.find({ workspaceId, userId: readBy }))
    let kind: 'disconnected' | 'refused' | 'forbidden' = 'disconnected'
    try {
      if (readBy && token)
        return { alert: await monitor.readAlert(token, card.ks, 2), readBy, watchers, left }
    } catch (error) {
      if (!(error instanceof MonitorError)) throw error
      if (error.code !== 'refused' && error.code !== 'forbidden') return { error, watchers, left }
      kind = error.code
    }
    if (watcher.followId !== undefined && readBy !== undefined) waiting.push(watcher)
    else {
      left.push({ watcher, why: { kind } })
      await inform(house, card, live, watcher, { kind })
      // They hear it once, whatever becomes of this look.
      const ended = (one: Watcher) => (isSameWatch(one, watcher) ? { ...one, ended: { kind } } : one)
      await house.storage.liveCards.change(live, (one) => ({ ...one, watchers: one.watchers.map(ended) }))
    }
  }
  return { watchers: waiting, left }
}

/** Whose token reads for a watcher; undefined where the follow has ended that kept the card. */
async function readerOf(
  { storage }: House,
  { workspaceId }: LiveCard,
  { userId, followId }: Watcher,
): Promise<string | undefined> {
  if (followId === undefined) return userId
  return (await storage.follows.find({ workspaceId, id: followId }))?.carrier.userId
}

/** Tells a watcher directly that they watch no more, where they could not know it from the thread. Never throws. */
async function inform(
  house: House,
  { id: cardId, ks }: Card,
  { workspaceId, shown }: LiveCard,
  watcher: Watcher,
  { kind }: Ended,
): Promise<void> {
  const { userId, name } = watcher
  // The others asked for nothing; and the rest stands in the thread.
  if (!isPerson(watcher) || (kind !== 'gone' && kind !== 'forbidden' && kind !== 'refused')) return
  const text = unwatchedWords(nameOf(ks, shown), ks, kind)
  const place = { workspaceId, userId, channelId: undefined, responseUrl: undefined, isDirect: true }
  const wanted = { feature: 'watch', ks, ask: { cardId } } as const
  try {
    if (kind !== 'refused') await house.slack.post(userId, say(text))
    else
      await askToConnect(house, { asker: { workspaceId, userId, name }, place }, wanted, 'refused', { text })
  } catch (error) {
    const what = { err: error, user: userId }
    house.log.failedJob('warn', what, 'a watcher could not be told that their watch has ended')
  }
}
