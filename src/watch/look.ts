// A look at one live card: the alert is read with a watcher's token, news go into the thread, the card is drawn where
// somebody would see a difference, and it is kept when to look again. Nobody asks for it.
import { hash } from 'node:crypto'
import { askToConnect } from '../account/connect-first.ts'
import { learnNamesForRedraw, namesShownIn } from '../alert/card-names.ts'
import { type Card, liveFor, readerIdOf } from '../alert/cards.ts'
import { callOthersIfClosed } from '../alert/closings.ts'
import { renderCard } from '../alert/render/card.ts'
import { tellThread } from '../alert/thread-news.ts'
import { MonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import type { Alert } from '../monitor/schema.ts'
import { type Names, noNames } from '../names/names.ts'
import { SlackError, waitSecondsOf } from '../slack/client/slack-error.ts'
import type { Message } from '../slack/outbound/message.ts'
import { NotSent } from '../slack/outbound/pace.ts'
import { doubling } from '../work/retry.ts'
import type { Held, Poller } from './poller.ts'
import {
  type EndOfCard,
  endingWords,
  nameOf,
  refusedWatchWords,
  renderGone,
  renderNotAllowed,
  unreadWords,
} from './render.ts'
import { goodForMs, type Urgency } from './updates.ts'
import type { CardShown, Ended, LiveCard, Looked, Watcher } from './watches.ts'

/** So long a closed alert is looked at, as it may open again. */
const restMs = 15 * 60_000
/** So many intervals without an answer make a card overdue. */
const overdueIntervals = 4
/** A service that fails is asked this rarely at last. */
const longestPauseMs = 10 * 60_000
/** What Slack did not take yet is tried again after this time. */
const soonMs = 5_000

/** Background job: looks at live cards as they fall due. */
export function keepLive(house: House): { start(): void; readonly stop: Poller['stop'] } {
  const { poller, turns } = house
  return {
    start: () => poller.start((held) => turns(`refresh ${held.live.cardId}`, () => look(house, held))),
    stop: poller.stop,
  }
}

/** Something happened to one of these alerts: its live cards are looked at at once. */
export async function lookSoon(
  { storage, poller }: House,
  workspaceId: string,
  keys: readonly string[],
): Promise<void> {
  await storage.watches.makeDue(workspaceId, keys)
  poller.wake()
}

/** What the service said, and who watches. */
interface Found {
  readonly answer:
    | { readonly kind: 'alert'; readonly alert: Alert }
    | { readonly kind: 'missing' | 'not-asked' }
    | { readonly kind: 'failure'; readonly error: MonitorError }
  /** The alert was read with the token of the first. */
  readonly remaining: readonly Watcher[]
  readonly ended: readonly { readonly watcher: Watcher; readonly why: Ended }[]
}

async function look(house: House, held: Held): Promise<void> {
  const { owner, live } = held
  const { cards, watches } = house.storage
  // As it is by now: somebody may have pressed Refresh while it waited for its turn.
  const card = await cards.find(live.workspaceId, live.cardId)
  if (card === undefined) return void (await watches.finish(owner, live))
  const looked = { drawn: undefined, isSeen: undefined, isRead: false, failures: 0 }
  const intervalMs = Math.round(house.config.watch.intervalMs * (0.95 + Math.random() / 10))
  try {
    const next = await lookAt(house, held, card)
    if (next !== 'over') await watches.looked(owner, live, { ...looked, inMs: intervalMs, ...next })
    else await watches.finish(owner, live)
  } catch (error) {
    if (error instanceof NotSent) return watches.looked(owner, live, { ...looked, inMs: 0 })
    if (error instanceof SlackError && error.isMessageLost) return abandon(house, held, card)
    house.log.failedJob(error instanceof SlackError ? 'warn' : 'error', { err: error }, failed)
    await watches.looked(owner, live, { ...looked, isSeen: false, inMs: soonMs, failures: live.failures + 1 })
  }
}

const failed = 'a live card could not be brought up to date; it is tried again'

async function lookAt(house: House, held: Held, card: Card): Promise<Partial<Looked> | 'over'> {
  const { live, owner } = held
  const { watches } = house.storage
  const { intervalMs } = house.config.watch
  const found = await read(house, live, card)
  const { answer, remaining, ended } = found
  const isRead = answer.kind === 'alert'
  const alert = isRead ? answer.alert : live.shown?.alert
  const end = endOf(found)
  // Somebody may watch again by now.
  if (end !== undefined && !(await watches.isStill(owner, live))) return { inMs: 0 }
  const isUnread = (live.readMsAgo ?? 0) >= overdueIntervals * intervalMs
  const isOverdue = answer.kind === 'failure' && !isClosed(alert) && isUnread
  const where = { ...card, channelId: live.posted.channelId }
  const [reader] = remaining
  const names =
    isRead && reader !== undefined
      ? await learnNamesForRedraw(house, card, answer.alert, reader.userId, where.channelId)
      : await namesShownIn(house, where, card.names ?? noNames)

  const isBusy = await tell(house, held, { ...card, names }, found, end, isOverdue)
  const drawing = alert && { card, alert, names, isRead, isOverdue, watchers: end ? [] : remaining }
  const drawn = drawing && (await draw(house, held, drawing, end !== undefined))
  const shown = drawn === 'waits' ? undefined : drawn
  if (isBusy) return { drawn: shown, isRead }
  if (drawn === 'waits') return { isRead, inMs: soonMs }

  for (const { watcher, why } of ended)
    if (!watcher.ended && (await watches.markEnded(owner, live, watcher.userId, why)))
      await inform(house, live, card, watcher, why)
  if (end?.kind === 'closed' && !isClosed(live.shown?.alert))
    callOthersIfClosed(house, live.workspaceId, end.alert, { ks: card.ks, but: card.id })
  const isRested = isClosed(live.shown?.alert) && (live.drawnMsAgo ?? 0) >= restMs
  if (end !== undefined && (end.kind !== 'closed' || isRested || remaining.length === 0)) return 'over'
  const gone = ended.map(({ watcher }) => watcher.userId)
  await watches.drop(owner, live, gone)
  if (answer.kind !== 'failure') return { drawn: shown, isRead, isSeen: true }
  const backoff = doubling(2 * intervalMs, longestPauseMs)(live.failures + 1)
  const untilOverdueMs = overdueIntervals * intervalMs - (live.readMsAgo ?? 0)
  const inMs = !isOverdue && untilOverdueMs > 0 ? Math.min(backoff, untilOverdueMs) : backoff
  // However long it asks to be left alone, somebody's watch may end meanwhile.
  const askedMs = Math.min(answer.error.retryAfterMs, longestPauseMs)
  return { drawn: shown, failures: live.failures + 1, inMs: Math.max(inMs, askedMs) }
}

function endOf({ answer, remaining, ended }: Found): EndOfCard | undefined {
  if (answer.kind === 'alert' && isClosed(answer.alert)) return { kind: 'closed', alert: answer.alert }
  if (answer.kind === 'missing') return { kind: 'missing' }
  const last = ended.at(-1)
  if (remaining.length > 0) return undefined
  if (last === undefined) return { kind: 'missing' }
  return { kind: 'left', name: last.watcher.name, why: last.why }
}

function isClosed(alert: Alert | undefined): boolean {
  return alert !== undefined && alert.closedTimestamp !== null
}

/** @returns True when Slack asks to wait: the card is drawn all the same. */
async function tell(
  house: House,
  held: Held,
  card: Card,
  { answer }: Found,
  end: EndOfCard | undefined,
  isOverdue: boolean,
): Promise<boolean> {
  const { since, shown } = held.live
  const alert = answer.kind === 'alert' ? answer.alert : undefined
  // It was closed when the card was drawn last, and its thread knows.
  const isKnown = end?.kind === 'closed' && isClosed(shown?.alert)
  const ending =
    end && !isKnown
      ? { id: String(since), ...endingWords(end, house.config.watch.ttlHours, card.names ?? noNames) }
      : isOverdue
        ? { id: `${since} unread ${shown?.asOf ?? 0}`, words: unreadWords }
        : undefined
  try {
    await tellThread(house, card, { alert, ending }, (message) => post(house, held, message))
    return false
  } catch (error) {
    if (waitSecondsOf(error) === undefined) throw error
    return true
  }
}

interface Drawing {
  readonly card: Card
  readonly alert: Alert
  readonly names: Names
  readonly isRead: boolean
  readonly isOverdue: boolean
  readonly watchers: readonly Watcher[]
}

/** Draws it where somebody would see a difference, or it must not seem stale. @returns What it shows since. */
async function draw(
  house: House,
  held: Held,
  { card, alert, names, isRead, isOverdue, watchers }: Drawing,
  isEnd: boolean,
): Promise<CardShown | 'waits' | undefined> {
  const { live } = held
  const { config, slack, updates } = house
  const { intervalMs } = config.watch
  const asOf = isRead ? Math.floor(house.now() / 1000) : (live.shown?.asOf ?? 0)
  const nextBy = isRead ? asOf + Math.floor(goodForMs(intervalMs) / 1000) : live.shown?.nextBy
  const view = {
    cardId: card.id,
    alert,
    askerName: card.askerName,
    asOf,
    nextBy,
    isPrivate: card.isPrivate,
    canShare: card.channelId !== undefined,
    link: card.link,
    isOverdue,
    readerId: await readerIdOf(house, card, alert),
    names,
    live: liveFor(watchers),
  }
  const bare = { ...alert, actions: [] }
  const look = hash('sha256', JSON.stringify({ ...view, alert: bare, asOf: 0, nextBy: 0 }), 'base64url')
  const urgency = urgencyOf(live, look, isEnd, isRead && watchers.length > 0, intervalMs)
  if (urgency === undefined) return undefined
  const done = held.isHeld() ? updates.take(urgency) : undefined
  if (done === undefined) return 'waits'
  try {
    await slack.updateOnce(live.posted, renderCard(config, view))
    return { alert: bare, asOf, nextBy, isOverdue, look }
  } catch (error) {
    const waitSeconds = waitSecondsOf(error)
    if (waitSeconds === undefined) throw error
    updates.busy(waitSeconds)
    return 'waits'
  } finally {
    done()
  }
}

/** How much somebody who reads the card would miss; undefined when that is nothing. */
function urgencyOf(
  { shown, isSeen, drawnMsAgo }: LiveCard,
  look: string,
  isEnd: boolean,
  isLive: boolean,
  intervalMs: number,
): Urgency | undefined {
  if (shown?.look !== look || !isSeen) return isEnd || !shown?.look ? 'pressed' : 'change'
  const isDue = (drawnMsAgo ?? Number.POSITIVE_INFINITY) >= goodForMs(intervalMs) - 1.1 * intervalMs - 30_000
  return isLive && isDue ? 'renewal' : undefined
}

/** With its watchers' tokens in turn. Never throws for anything that the service does. */
async function read(house: House, { workspaceId, posted, watchers }: LiveCard, { ks }: Card): Promise<Found> {
  const ended = watchers.flatMap((watcher) => {
    const why: Ended | undefined = watcher.ended ?? (watcher.isOver ? { kind: 'lifetime' } : undefined)
    return why === undefined ? [] : [{ watcher, why }]
  })
  const running = watchers.filter((one) => one.ended === undefined && !one.isOver)
  if (running.length > 0 && (await house.slack.channels.wasShared(posted.channelId))) {
    ended.push(...running.map((watcher) => ({ watcher, why: { kind: 'shared' } as const })))
    return { answer: { kind: 'not-asked' }, remaining: [], ended }
  }
  for (const [index, watcher] of running.entries()) {
    const remaining = running.slice(index)
    const token = await house.tokens.find({ workspaceId, userId: watcher.userId })
    if (token === undefined) {
      ended.push({ watcher, why: { kind: 'disconnected' } })
      continue
    }
    try {
      return {
        answer: { kind: 'alert', alert: await house.monitor.readAlert(token, ks, 2) },
        remaining,
        ended,
      }
    } catch (error) {
      if (!(error instanceof MonitorError)) throw error
      const { code } = error
      if (code === 'not-found' || code === 'bad-request')
        return { answer: { kind: 'missing' }, remaining, ended }
      if (code !== 'refused' && code !== 'forbidden')
        return { answer: { kind: 'failure', error }, remaining, ended }
      ended.push({ watcher, why: { kind: code } })
    }
  }
  return { answer: { kind: 'not-asked' }, remaining: [], ended }
}

/** Posts into the thread, in the channel's turn. */
function post(
  { pace, slack, storage }: House,
  { live, owner, isHeld }: Held,
  message: Message,
): Promise<void> {
  return pace.inTurn(live.posted.channelId, async () => {
    if (!isHeld() || !(await storage.watches.isStill(owner, live))) throw new NotSent()
    await slack.reply(live.posted, message)
  })
}

/** The card is out of reach: its watchers hear it directly, as no thread can tell them. */
async function abandon(house: House, { owner, live }: Held, card: Card): Promise<void> {
  for (const watcher of live.watchers)
    if (!watcher.ended) await inform(house, live, card, watcher, { kind: 'gone' })
  await house.storage.watches.finish(owner, live)
}

/** Tells a watcher directly that they watch no more, where they could not know it from the thread. Never throws. */
async function inform(
  house: House,
  { workspaceId, shown }: LiveCard,
  { id: cardId, ks }: Card,
  { userId, name }: Watcher,
  { kind }: Ended,
): Promise<void> {
  const alertName = nameOf(ks, shown)
  try {
    const send = (message: Message) => house.slack.post(userId, message)
    if (kind === 'gone') await send(renderGone(alertName, ks))
    if (kind === 'forbidden') await send(renderNotAllowed(alertName))
    if (kind !== 'refused') return
    const place = { workspaceId, userId, channelId: undefined, responseUrl: undefined, isDirect: true }
    const wanted = { feature: 'watch', ask: { cardId } } as const
    const text = refusedWatchWords(alertName)
    await askToConnect(house, { asker: { workspaceId, userId, name }, place }, wanted, 'refused', { text })
  } catch (error) {
    house.log.failedJob(
      'warn',
      { err: error, user: userId },
      'a watcher could not be told that their watch has ended',
    )
  }
}
