// Refresh: the card is brought up to date, and what is new goes into its thread, once.
import { type Resumed, withToken } from '../account/connect-first.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { Alert } from '../monitor/schema.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Person } from '../slack/ids.ts'
import { quote } from '../slack/text/typed.ts'
import { type Card, maySee } from './cards.ts'
import { showOnCard } from './drawing/redraw.ts'
import { ofCard, readAlert, sayingWhenSlow } from './look-up.ts'
import { renderNothingNew } from './render/no-card.ts'
import type { AlertRoom } from './room.ts'
import { isNews } from './thread-news.ts'

/**
 * *Refresh* on a card.
 * @param drawnAt - When the card came to look as it does, in Unix seconds; without it nobody hears that nothing is new.
 */
export async function refreshCard(
  room: AlertRoom,
  from: From,
  cardId: string,
  drawnAt?: number,
): Promise<void> {
  const card = await room.cards.find(from.asker.workspaceId, cardId)
  if (card === undefined) throw new UserError('This card is too old to refresh. Use /alert again.')
  if (!maySee(from.asker, card)) return
  const wanted = { feature: 'refresh', ks: card.ks, ask: { cardId } } as const
  // In turns, so that an older answer of the service never overwrites a newer one.
  await withToken(room.account, from, wanted, (token) =>
    room.turns(cardId, async () => {
      const alert = await bringUpToDate(room, from, card, token)
      if (drawnAt !== undefined && !isNewsSince(drawnAt, room, card, alert))
        await room.delivery.privately(from.place, renderNothingNew(drawnAt, Math.floor(room.now() / 1000)))
    }),
  )
}

export function resumeRefresh(room: AlertRoom, from: From, { ask }: Resumed): Promise<void> {
  return refreshCard(room, from, ofCard.parse(ask).cardId)
}

/** The card was drawn with what was read before: it takes so long at most to read an alert, and to draw its card. */
const drawingSeconds = 30

/** Whether anything has happened to the alert since its card was drawn, or is not told in its thread. */
function isNewsSince(drawnAt: number, room: AlertRoom, card: Card, alert: Alert): boolean {
  const { timestamp, lastTimestamp, closedTimestamp, actions } = alert
  const times = [timestamp, lastTimestamp, closedTimestamp ?? 0, ...actions.map((one) => one.timestamp)]
  return times.some((at) => at >= drawnAt - drawingSeconds) || isNews(room, card, { alert })
}

/** So often somebody else may draw a card between what is read for it and its drawing. */
const mostReads = 3

/** Draws the card as the alert is now, and tells its thread what is new. */
async function bringUpToDate(room: AlertRoom, from: From, card: Card, token: string): Promise<Alert> {
  const { asker } = from
  const { id, ks } = card
  const { workspaceId } = asker
  for (let reads = 1; ; reads += 1) {
    // Other processes have turns of their own.
    const after = reads < mostReads ? await room.cards.drawingOf(workspaceId, id) : undefined
    const reading = readAgain(room, asker, token, ks)
    const alert = await sayingWhenSlow(room, from, { ks, answer: 'on-card' }, reading)
    room.noteClosed(workspaceId, alert, { ks, but: id })
    if (await showOnCard(room, from, card, { alert, after })) return alert
  }
}

async function readAgain(room: AlertRoom, asker: Person, token: string, ks: string): Promise<Alert> {
  try {
    return await readAlert(room, asker, token, ks, { isFresh: true })
  } catch (error) {
    if (!(error instanceof MonitorError) || error.code !== 'not-found') throw error
    throw new UserError(`Monitoring no longer has an alert ${quote(ks)}. The card wasn’t changed.`)
  }
}
