// Brings a card up to date with what was read for whoever pressed something on it, *Refresh* above all, and tells its thread
// what is new.
import { type Resumed, withToken } from '../account/connect-first.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import type { Alert } from '../monitor/schema.ts'
import { mayBeDone, waitSecondsOf } from '../slack/client/slack-error.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Person } from '../slack/ids.ts'
import type { Place } from '../slack/outbound/delivery.ts'
import type { Message } from '../slack/outbound/message.ts'
import { quote } from '../slack/text/typed.ts'
import { goodForMs } from '../watch/updates.ts'
import { learnNamesForRedraw } from './card-names.ts'
import { type Card, cardFor, type Ending, readerIdOf } from './cards.ts'
import { callOthersIfClosed } from './closings.ts'
import { renderCard, renderInOneMessage } from './render/card.ts'
import { ofCard, readForAsker, sayingWhenSlow } from './show.ts'
import { tellThread } from './thread-news.ts'

/** *Refresh* on a card. */
export async function refreshCard(house: House, from: From, cardId: string): Promise<void> {
  const card = await cardFor(house, from.asker, cardId, 'This card is too old to refresh. Use /alert again.')
  if (card === undefined) return
  const { ks } = card
  // In turns, so that an older answer of the service never overwrites a newer one.
  await withToken(house, from, { feature: 'refresh', ask: { cardId } }, (token) =>
    house.turns(`refresh ${cardId}`, async () => {
      const reading = readAgain(house, from.asker, token, ks)
      const alert = await sayingWhenSlow(house, from, { ks, answer: 'on-card' }, reading)
      const readAt = Math.floor(house.now() / 1000)
      callOthersIfClosed(house, from.asker.workspaceId, alert, { ks, but: cardId })
      await showOnCard(house, from, card, { alert, readAt })
    }),
  )
}

export function resumeRefresh(house: House, from: From, { ask }: Resumed): Promise<void> {
  return refreshCard(house, from, ofCard.parse(ask).cardId)
}

async function readAgain(house: House, asker: Person, token: string, ks: string): Promise<Alert> {
  try {
    return await readForAsker(house, asker, token, ks)
  } catch (error) {
    if (!(error instanceof MonitorError) || error.code !== 'not-found') throw error
    throw new UserError(`Monitoring no longer has an alert ${quote(ks)}. The card wasn’t changed.`)
  }
}

/** An alert as it was read. */
export interface ReadAlert {
  readonly alert: Alert
  /** When, in Unix seconds. */
  readonly readAt: number
}

/** What a card is to show, and its thread to know. */
interface ToShow extends ReadAlert {
  /** Said in the thread besides. */
  readonly ending?: Ending | undefined
}

/**
 * Draws a card as the alert is, and tells its thread what is new. In the card’s turn, and of an alert that was read in it:
 * nothing older is drawn over something newer.
 * @param from - With whose token the alert was read, and where the card stands: its message is `pressedTs`.
 * @throws What Slack said.
 */
export async function showOnCard(
  house: House,
  { asker, place }: From,
  card: Card,
  { alert, readAt, ending }: ToShow,
): Promise<void> {
  const { config, storage, slack } = house
  const { id: cardId, isPrivate, layout, askerName, link } = card
  const { workspaceId } = asker
  const refresherName = asker.userId === card.asker.userId ? undefined : asker.name
  const canShare = card.channelId !== undefined
  const readerId = await readerIdOf(house, card, alert)
  // Names may have been learned, and news told, while this waited for its turn.
  const current = (await storage.cards.find(workspaceId, cardId)) ?? card
  const names = await learnNamesForRedraw(house, current, alert, asker.userId, place.channelId)
  const drawn = { cardId, alert, asOf: readAt, isPrivate, canShare, link, readerId, names }
  const view = { ...drawn, askerName, refresherName }
  if (layout === 'one-message') {
    // Nothing but its button's response_url leads to such a card.
    if (place.responseUrl === undefined) return
    const wantsThread = !isPrivate && !place.isDirect && place.threadTs === undefined
    const message = renderInOneMessage(config, view, wantsThread ? 'invite' : undefined)
    const to = isPrivate ? 'asker' : 'channel'
    return slack.respond(place.responseUrl, message, { to, replaces: true })
  }
  // Bellhop keeps checking the card of a closed alert for a while, but the card does not say so.
  const live = alert.closedTimestamp === null ? await storage.watches.liveOf(workspaceId, cardId) : undefined
  const nextBy = live && readAt + Math.floor(goodForMs(config.watch.intervalMs) / 1000)
  await replaceCard(house, place, renderCard(config, { ...view, live, nextBy }))
  await storage.watches.forgetLook(workspaceId, cardId)
  await tellThread(house, { ...current, names }, { alert, ending }, (message) =>
    postInThread(house, place, message),
  )
}

async function replaceCard({ slack }: House, place: Place, card: Message): Promise<void> {
  const { channelId, pressedTs } = place
  if (channelId === undefined || pressedTs === undefined) return
  await byApiOrUrl(
    place,
    () => slack.update({ channelId, ts: pressedTs }, card),
    (url) => slack.respond(url, card, { to: 'channel', replaces: true }),
  )
}

async function postInThread({ slack }: House, place: Place, news: Message): Promise<void> {
  const { channelId, pressedTs, threadTs } = place
  if (channelId === undefined || pressedTs === undefined) return
  await byApiOrUrl(
    place,
    () => slack.patiently(() => slack.reply({ channelId, ts: pressedTs, threadTs }, news)),
    (url) => slack.respond(url, news, { to: 'channel', threadTs: threadTs ?? pressedTs }),
  )
}

/** Through the Web API, or through the button's own response_url where the bot is not (any more) a member. */
async function byApiOrUrl(
  place: Place,
  byApi: () => Promise<unknown>,
  byUrl: (url: string) => Promise<void>,
): Promise<void> {
  try {
    await byApi()
  } catch (error) {
    const isRefused = !mayBeDone(error) && waitSecondsOf(error) === undefined
    if (!isRefused || place.responseUrl === undefined) throw error
    await byUrl(place.responseUrl)
  }
}
