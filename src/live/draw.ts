// Draws a card: a new one; one that somebody presses something on, at once; and a live one as much as somebody would
// miss, as often as Slack takes it. Slack lets some 50 updates a minute into the workspace, people's own among them, so
// that whoever draws live cards leaves room for what people press.
// Source: docs.slack.dev/apis/web-api/rate-limits; chat.update is Tier 3.
import { hash } from 'node:crypto'
import { type Card, type CardView, namesShownIn } from '../alert/cards.ts'
import { renderCard, renderInOneMessage } from '../alert/render/card.ts'
import { renderHistory } from '../alert/render/history.ts'
import { isClosed } from '../alert/render/state.ts'
import { type Ending, marksOf } from '../alert/thread.ts'
import type { House } from '../house.ts'
import type { Alert } from '../monitor/schema.ts'
import { type Names, noNames } from '../names/names.ts'
import { ownIdOf } from '../names/own-id.ts'
import { waitSecondsOf } from '../slack/client.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Landed, Story } from '../slack/outbound/delivery.ts'
import type { Posted } from '../slack/outbound/message.ts'
import { type CardShown, type LiveCard, lineOf, type Outcome, runningAt } from './live-cards.ts'

/** A card in the hands of this process. */
export interface Held {
  readonly card: Card
  /** Undefined where nobody watches it. */
  readonly live: LiveCard | undefined
}

/** What a card is to show, and its thread to know; and what becomes of a live card, where that differs from a usual look. */
export interface Reading extends Pick<Outcome, 'watchers' | 'failures' | 'inMs' | 'isOver'> {
  /** Undefined where there is nothing to draw. */
  readonly alert: Alert | undefined
  /** With whose token it was read just now, as Slack names them; missing where it is what the card shows already. */
  readonly readBy?: string | undefined
  /** Said in the thread besides. */
  readonly ending?: Ending | undefined
  readonly isOverdue?: boolean
}

/** All that is known in one turn of a card. */
export interface Turn extends Held, Reading {
  /** Where it stands; undefined where Slack did not say. */
  readonly posted: Posted | undefined
  /** Those that may be shown there. */
  readonly names: Names
  readonly by: From | undefined
}

/**
 * Sends a new card, and keeps how it was delivered: whatever is pressed on it comes after.
 * @param card - It is kept already.
 * @param send - The first way that works.
 * @returns The card, and its look as a live card that nobody watches.
 */
export function sendCard(
  house: House,
  card: Card,
  alert: Alert,
  send: (story: Story) => Promise<Landed>,
): Promise<{ readonly card: Card; look(): string }> {
  const { config, storage, turns } = house
  return turns(`card ${card.id}`, async () => {
    const names = await namesShownIn(house, card, card.names ?? noNames)
    const readBy = card.asker.userId
    const view = await viewOf(house, { card, live: undefined, alert, readBy, names, by: undefined })
    const landed = await send({
      card: (isPrivate) => renderCard(config, { ...view, isPrivate }),
      history: () => renderHistory(alert.actions, names),
      inOneMessage: ({ isPrivate, wantsThread }) =>
        renderInOneMessage(config, { ...view, isPrivate }, wantsThread),
    })
    const { isPrivate, posted, isHistoryTold } = landed
    // The next Refresh, or look at a live card, brings all of it into the thread.
    const told = isHistoryTold ? card.told : marksOf(alert, [])
    const kept = await storage.cards.change(card, (one) => ({ ...one, isPrivate, posted, told }))
    return { card: kept ?? card, look: () => shownIn(house, view).look }
  })
}

/** @returns What the card shows since; `waits` where Slack, or another process, has to be waited for. */
export async function draw(house: House, turn: Turn): Promise<CardShown | 'waits' | undefined> {
  const { config, slack, updates } = house
  const { live, alert, posted, by } = turn
  if (alert === undefined) return undefined
  const view = await viewOf(house, { ...turn, alert })
  if (posted === undefined) return void (by && (await replaceByUrl(house, view, by)))
  const message = renderCard(config, view)
  const shown = shownIn(house, view)
  if (by !== undefined) {
    await slack.update(posted, message)
    updates.note()
    return shown
  }
  if (live === undefined) return undefined
  const urgency = urgencyOf(house, live, shown.look, view)
  if (urgency === undefined) return undefined
  // As much as Slack takes: nobody waits for it.
  const isTaken =
    (await isStill(house, live)) && (await updates.run(urgency, () => slack.updateOnce(posted, message)))
  return isTaken ? shown : 'waits'
}

function shownIn({ config }: House, view: CardView): CardShown {
  const { asOf, nextBy } = view
  const drawn = renderCard(config, { ...view, asOf: 0, nextBy: nextBy && 0 })
  const look = hash('sha256', JSON.stringify(drawn), 'base64url')
  return { alert: { ...view.alert, actions: [] }, asOf, nextBy, look }
}

type ToView = Pick<Turn, 'card' | 'live' | 'names' | 'readBy' | 'isOverdue' | 'watchers' | 'by'>

async function viewOf(
  house: House,
  { card, live, names, alert, readBy, isOverdue = false, watchers, by }: ToView & { readonly alert: Alert },
): Promise<CardView> {
  const { config, now } = house
  const { id, asker, askerName, isPrivate, channelId, link } = card
  const isRead = readBy !== undefined
  const asOf = isRead || live === undefined ? Math.floor(now() / 1000) : live.shown.asOf
  const named = watchers ?? (live ? runningAt(live, now()) : [])
  // Bellhop keeps looking at a closed alert for a while, but its card does not say so.
  const line = isClosed(alert) ? undefined : lineOf(named)
  const nextBy = isRead ? asOf + Math.floor(goodForMs(config.watch.intervalMs) / 1000) : live?.shown.nextBy
  const isAnothers = by !== undefined && by.asker.userId !== asker.userId
  return {
    ...{ cardId: id, alert, askerName, link, names, asOf, isOverdue, isPrivate },
    canShare: channelId !== undefined,
    refresherName: isAnothers ? by.asker.name : undefined,
    readerId: isPrivate ? await ownIdOf(house, asker) : undefined,
    live: line,
    nextBy: line && nextBy,
  }
}

/** How much somebody who reads the card would miss; undefined when that is nothing. */
function urgencyOf(
  { config, now }: House,
  card: LiveCard,
  look: string,
  { live, asOf }: CardView,
): Urgency | undefined {
  const { shown } = card
  const { intervalMs } = config.watch
  if (shown.look !== look) return 'change'
  const isDue = now() - shown.asOf * 1000 >= goodForMs(intervalMs) - 1.1 * intervalMs - 30_000
  return live !== undefined && asOf > shown.asOf && isDue ? 'renewal' : undefined
}

/** Where the bot cannot change it: the message that was pressed becomes card and history in one. */
async function replaceByUrl({ config, slack }: House, view: CardView, { place }: From): Promise<void> {
  const { responseUrl, isDirect, threadTs } = place
  if (responseUrl === undefined) return
  const wantsThread = !view.isPrivate && !isDirect && threadTs === undefined
  const message = renderInOneMessage(config, view, wantsThread)
  await slack.respond(responseUrl, message, { to: view.isPrivate ? 'asker' : 'channel', replaces: true })
}

/** True while nobody has changed who watches it, and no other process has it. */
export async function isStill({ storage, poller, stopping }: House, live: LiveCard): Promise<boolean> {
  const found = stopping.aborted ? undefined : await storage.liveCards.find(live)
  return found?.holder === poller.owner && found.dueAt === live.dueAt
}

export type Urgency = 'change' | 'renewal'

const minuteMs = 60_000
const mostPerMinute: Readonly<Record<Urgency, number>> = { change: 40, renewal: 30 }
/** What quiet cards need to stay trusted is 20 updates a minute. */
export const mostLiveCards = 200

/** For how long a card that is drawn now can be trusted. Where alerts are read rarely, none can be true more often. */
function goodForMs(intervalMs: number): number {
  return Math.max(10 * minuteMs, 1.25 * intervalMs + minuteMs)
}

export type Updates = ReturnType<typeof createUpdates>

/** @param now - Milliseconds, never jumps. */
export function createUpdates(now: () => number) {
  /** Of the last minute, and those that are under way. */
  let sent: { at: number }[] = []
  let busyUntil = 0
  function sentLately() {
    sent = sent.filter(({ at }) => at > now() - minuteMs)
    return sent
  }
  return {
    /** Draws, unless that has to wait. @returns False where it has to. @throws What Slack said otherwise. */
    async run(urgency: Urgency, update: () => Promise<unknown>): Promise<boolean> {
      if (busyUntil > now() || sentLately().length >= mostPerMinute[urgency]) return false
      // Only once Slack has answered, its minute passes.
      const one = { at: Number.POSITIVE_INFINITY }
      sent.push(one)
      try {
        await update()
        return true
      } catch (error) {
        const waitSeconds = waitSecondsOf(error)
        if (waitSeconds === undefined) throw error
        busyUntil = Math.max(busyUntil, now() + waitSeconds * 1000)
        return false
      } finally {
        one.at = now()
      }
    },
    /** Somebody's own update went out, which waits for nothing. */
    note: () => void sentLately().push({ at: now() }),
  }
}
