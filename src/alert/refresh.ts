// Refresh: the card becomes true again, and what is new goes into its thread, once.
import type { ConnectFirst } from '../account/connect-first.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { AlertReads } from '../monitor/cache.ts'
import type { Action, Alert } from '../monitor/schema.ts'
import { type Clock, personKey } from '../slack/ids.ts'
import type { Message } from '../slack/message.ts'
import type { Outbound } from '../slack/outbound.ts'
import type { Delivery, Place } from '../slack/place.ts'
import { isCertainlyNotPosted, isSlackFailure } from '../slack/refusals.ts'
import type { From } from '../slack/requests.ts'
import { quote } from '../slack/typed.ts'
import { fingerprint, untold } from './actions.ts'
import type { Card, Cards } from './cards.ts'
import { type CardSettings, renderCard, renderJoined } from './render.ts'
import { renderNews } from './render-history.ts'
import { createTurns } from './turns.ts'

export type Refresh = (from: From, cardId: string) => Promise<void>

export function createRefresh(room: {
  readonly reads: AlertReads
  readonly cards: Cards
  readonly connectFirst: ConnectFirst
  readonly delivery: Delivery
  readonly outbound: Outbound
  readonly settings: CardSettings
  readonly now: Clock
}): Refresh {
  const { reads, cards, connectFirst, delivery, outbound, settings, now } = room
  const turns = createTurns()

  async function readAgain(person: string, token: string, ks: string): Promise<Alert> {
    try {
      return await reads.fresh(person, token, ks)
    } catch (error) {
      if (!(error instanceof MonitorError) || error.code !== 'not-found') throw error
      throw new UserError(
        `The monitoring service has no alert ${quote(ks)} any more. The card was left as it was.`,
      )
    }
  }

  /** Notes the news as told before anybody tells them, so that of two refreshes one does. */
  async function claimNews(card: Card, alert: Alert): Promise<readonly Action[]> {
    for (let current: Card | undefined = card; current !== undefined; ) {
      const { workspaceId, id, version, told } = current
      const news = untold(alert.actions, told)
      if (news.length === 0) return []
      if (await cards.tell(workspaceId, id, version, [...told, ...news.map(fingerprint)])) return news
      current = await cards.find(workspaceId, id)
    }
    return []
  }

  async function giveBack({ workspaceId, id }: Card, news: readonly Action[]): Promise<void> {
    for (let isBack = false; !isBack; ) {
      const current = await cards.find(workspaceId, id)
      if (current === undefined) return
      const told = [...current.told]
      for (const action of news) {
        const index = told.indexOf(fingerprint(action))
        if (index >= 0) told.splice(index, 1)
      }
      isBack = await cards.tell(workspaceId, id, current.version, told)
    }
  }

  /** Through the Web API, or through the button's own response_url where the bot is not (any more) a member. */
  async function inChannel(
    place: Place,
    byApi: () => Promise<unknown>,
    byUrl: (url: string) => Promise<void>,
  ) {
    try {
      await byApi()
    } catch (error) {
      if (!isCertainlyNotPosted(error) || place.responseUrl === undefined) throw error
      await byUrl(place.responseUrl)
    }
  }

  async function replaceCard(place: Place, card: Message): Promise<void> {
    const { channelId, pressedTs } = place
    if (channelId === undefined || pressedTs === undefined) return
    await inChannel(
      place,
      () => outbound.update({ channelId, ts: pressedTs }, card),
      (url) => outbound.respond(url, card, { to: 'channel', replaces: true }),
    )
  }

  /** In the thread; where it is not certain that they arrived there, to the presser, as no action is told twice. */
  async function tellNews(place: Place, card: Card, news: readonly Action[], older: number): Promise<void> {
    const { channelId, pressedTs } = place
    if (channelId === undefined || pressedTs === undefined || news.length === 0) return
    const message = renderNews(card.id, news, older)
    try {
      await inChannel(
        place,
        () => outbound.post(channelId, message, pressedTs),
        (url) => outbound.respond(url, message, { to: 'channel', threadTs: pressedTs }),
      )
    } catch (error) {
      if (isSlackFailure(error) && !isCertainlyNotPosted(error)) return delivery.privately(place, message)
      await giveBack(card, news)
      throw error
    }
  }

  async function refresh({ asker, place }: From, card: Card, token: string): Promise<void> {
    const { id: cardId, ks, isPrivate, form, askerName } = card
    const alert = await readAgain(personKey(asker), token, ks)
    const refresherName = asker.userId === card.asker.userId ? undefined : asker.name
    const canShare = card.channelId !== undefined
    const asOf = Math.floor(now() / 1000)
    const view = { cardId, alert, askerName, refresherName, asOf, isPrivate, canShare }
    if (form === 'joined') {
      if (place.responseUrl === undefined) return
      const joined = renderJoined(settings, view, isPrivate || place.isDirect ? undefined : 'invite')
      const to = isPrivate ? 'asker' : 'channel'
      return outbound.respond(place.responseUrl, joined, { to, replaces: true })
    }
    await replaceCard(place, renderCard(settings, view))
    const news = await claimNews(card, alert)
    await tellNews(place, card, news, alert.actions.length - news.length)
  }

  return async (from, cardId) => {
    const { workspaceId, userId } = from.asker
    const card = await cards.find(workspaceId, cardId)
    if (card === undefined) throw new UserError('This card is too old to be refreshed. Use /alert again.')
    if (card.isPrivate && card.asker.userId !== userId) return
    await connectFirst.withToken(
      from,
      { feature: 'refresh', asked: 'alert', ks: card.ks, ask: { cardId } },
      // In turns, so that an older answer of the service never overwrites a newer one.
      (token) => turns(cardId, () => refresh(from, card, token)),
    )
  }
}
