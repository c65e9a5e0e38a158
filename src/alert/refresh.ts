// Refresh: the card becomes true again, and what is new goes into its thread, once.
import type { ConnectFirst } from '../account/connect-first.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { AlertReads } from '../monitor/cache.ts'
import type { Action, Alert } from '../monitor/schema.ts'
import { type Clock, personKey } from '../slack/ids.ts'
import type { Message } from '../slack/message.ts'
import type { Outbound } from '../slack/outbound.ts'
import type { Place } from '../slack/place.ts'
import { isSlackFailure } from '../slack/refusals.ts'
import { quote } from '../slack/typed.ts'
import { fingerprint, untold } from './actions.ts'
import type { Card, Cards } from './cards.ts'
import type { From } from './look-up.ts'
import { type CardSettings, renderCard, renderJoined } from './render.ts'
import { renderNews } from './render-history.ts'

export type Refresh = (from: From, cardId: string) => Promise<void>

export function createRefresh(room: {
  readonly reads: AlertReads
  readonly cards: Cards
  readonly connectFirst: ConnectFirst
  readonly outbound: Outbound
  readonly settings: CardSettings
  readonly now: Clock
}): Refresh {
  const { reads, cards, connectFirst, outbound, settings, now } = room

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
  async function claimNews(
    card: Card,
    alert: Alert,
  ): Promise<{ readonly news: readonly Action[]; giveBack(): Promise<void> }> {
    for (let current: Card | undefined = card; current !== undefined; ) {
      const { workspaceId, id, version, told } = current
      const news = untold(alert.actions, told)
      if (news.length === 0) break
      if (await cards.tell(workspaceId, id, version, [...told, ...news.map(fingerprint)])) {
        return { news, giveBack: async () => void (await cards.tell(workspaceId, id, version + 1, told)) }
      }
      current = await cards.find(workspaceId, id)
    }
    return { news: [], giveBack: async () => undefined }
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
      if (!isSlackFailure(error) || place.responseUrl === undefined) throw error
      await byUrl(place.responseUrl)
    }
  }

  async function replaceCard(place: Place, card: Message): Promise<void> {
    const { channelId, pressed } = place
    if (channelId === undefined || pressed === undefined) return
    await inChannel(
      place,
      () => outbound.update({ channelId, ts: pressed.ts }, card),
      (url) => outbound.respond(url, card, { to: 'channel', replaces: true }),
    )
  }

  async function tellNews(place: Place, news: Message): Promise<void> {
    const { channelId, pressed } = place
    if (channelId === undefined || pressed === undefined) return
    await inChannel(
      place,
      () => outbound.post(channelId, news, pressed.ts),
      (url) => outbound.respond(url, news, { to: 'channel', threadTs: pressed.ts }),
    )
  }

  return async (from, cardId) => {
    const { asker, place } = from
    const card = await cards.find(asker.workspaceId, cardId)
    if (card === undefined) throw new UserError('This card is too old to be refreshed. Use /alert again.')
    const { ks, isPrivate, form, askerName } = card
    if (isPrivate && card.asker.userId !== asker.userId) return
    await connectFirst.withToken(
      from,
      { feature: 'refresh', asked: 'alert', ks, ask: { cardId } },
      async (token) => {
        const alert = await readAgain(personKey(asker), token, ks)
        const refresherName = asker.userId === card.asker.userId ? undefined : asker.name
        const canShare = card.channelId !== undefined
        const view = {
          cardId,
          alert,
          askerName,
          refresherName,
          asOf: Math.floor(now() / 1000),
          isPrivate,
          canShare,
        }
        if (form === 'joined') {
          if (place.responseUrl === undefined) return
          const note = isPrivate || place.isDirect ? undefined : 'invite'
          const joined = renderJoined(settings, view, note)
          await outbound.respond(place.responseUrl, joined, {
            to: isPrivate ? 'asker' : 'channel',
            replaces: true,
          })
          return
        }
        await replaceCard(place, renderCard(settings, view))
        const { news, giveBack } = await claimNews(card, alert)
        if (news.length === 0) return
        try {
          await tellNews(place, renderNews(cardId, news, alert.actions.length - news.length))
        } catch (error) {
          await giveBack()
          throw error
        }
      },
    )
  }
}
