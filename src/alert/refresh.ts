// Refresh: the card becomes true again, and what is new goes into its thread, once.
import { isDeepStrictEqual } from 'node:util'
import type { ConnectFirst } from '../account/connect-first.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { Alert } from '../monitor/schema.ts'
import type { Patiently } from '../slack/client/patience.ts'
import { classify } from '../slack/client/refusals.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Clock, Person } from '../slack/ids.ts'
import type { Delivery, Place } from '../slack/outbound/delivery.ts'
import type { Message } from '../slack/outbound/message.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import { quote } from '../slack/text/typed.ts'
import { type ChannelStyles, isQuiet } from '../slack/workspace/channels.ts'
import { createTurns } from '../work/turns.ts'
import { type Card, type Cards, isOpenTo, type LiveCards } from './cards.ts'
import type { ReadAlert } from './read-alert.ts'
import { type CardSettings, type CardView, renderCard, renderJoined } from './render/card.ts'
import type { ThreadNews, Way } from './thread-news.ts'

export type Refresh = (from: From, cardId: string) => Promise<void>

export function createRefresh(room: {
  readonly readAlert: ReadAlert
  readonly cards: Cards
  readonly threadNews: ThreadNews
  readonly liveCards: LiveCards
  readonly channelStyles: Pick<ChannelStyles, 'of'>
  readonly patiently: Patiently
  readonly connectFirst: ConnectFirst
  readonly delivery: Delivery
  readonly outbound: PerWorkspace<Outbound>
  readonly settings: CardSettings
  readonly now: Clock
}): Refresh {
  const {
    readAlert,
    cards,
    threadNews,
    liveCards,
    channelStyles,
    connectFirst,
    delivery,
    outbound,
    patiently,
  } = room
  const { settings, now } = room
  const turns = createTurns()

  async function readAgain(asker: Person, token: string, ks: string): Promise<Alert> {
    try {
      return await readAlert(asker, token, ks, { isFresh: true })
    } catch (error) {
      if (!(error instanceof MonitorError) || error.code !== 'not-found') throw error
      throw new UserError(
        `The monitoring service has no alert ${quote(ks)} any more. The card was left as it was.`,
      )
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
      const { kind, mayBeDone } = classify(error)
      if (mayBeDone || kind === 'busy' || place.responseUrl === undefined) throw error
      await byUrl(place.responseUrl)
    }
  }

  async function replaceCard(place: Place, card: Message): Promise<void> {
    const { channelId, pressedTs } = place
    if (channelId === undefined || pressedTs === undefined) return
    await inChannel(
      place,
      () => outbound.in(place.workspaceId).update({ channelId, ts: pressedTs }, card),
      (url) => outbound.in(place.workspaceId).respond(url, card, { to: 'channel', replaces: true }),
    )
  }

  /** In the thread; where it is not certain that they arrived there, to the presser, as no action is told twice. */
  async function tellNews({ asker, place }: From, card: Card, alert: Alert, isLive: boolean): Promise<void> {
    const { channelId, pressedTs, threadTs } = place
    if (channelId === undefined || pressedTs === undefined) return
    const parent = { channelId, ts: pressedTs, threadTs }
    const isForPresser = !isLive && (await isQuiet(channelStyles, { asker, place }))
    const way: Way = {
      post: (message, mark) =>
        isForPresser
          ? delivery.privately(place, message)
          : inChannel(
              place,
              () => outbound.in(place.workspaceId).reply(parent, message, mark),
              (url) =>
                outbound
                  .in(place.workspaceId)
                  .respond(url, message, { to: 'channel', threadTs: threadTs ?? pressedTs }),
            ),
      seek: (markId, since) => outbound.in(place.workspaceId).seek(parent, markId, since),
    }
    const told = await patiently(() => threadNews.tell(card, alert.actions, way))
    // On a live card the next poll finds out whether the reply has arrived.
    if (told.kind !== 'doubtful' || isLive) return
    if (classify(told.error).kind === 'defect') throw told.error
    await threadNews.settle(card, told.reply)
    await delivery.privately(place, told.message)
  }

  /** Somebody may watch or stop while Slack takes the card: then it is drawn again. Returns whether it is live. */
  async function replaceLiveCard(place: Place, { workspaceId, id }: Card, view: CardView): Promise<boolean> {
    let live = await liveCards.liveOf(workspaceId, id)
    for (let isAsDrawn = false; !isAsDrawn; ) {
      const goodForMs = live && (await liveCards.goodForMs(workspaceId))
      const nextBy = goodForMs && view.asOf + Math.floor(goodForMs / 1000)
      await replaceCard(place, renderCard(settings, { ...view, live, nextBy }))
      await liveCards.redrawn(workspaceId, id)
      const after = await liveCards.liveOf(workspaceId, id)
      isAsDrawn = isDeepStrictEqual(after, live)
      live = after
    }
    return live !== undefined
  }

  async function refresh({ asker, place }: From, card: Card, token: string): Promise<void> {
    const { id: cardId, ks, isPrivate, form, askerName } = card
    const alert = await readAgain(asker, token, ks)
    const refresherName = asker.userId === card.asker.userId ? undefined : asker.name
    const canShare = card.channelId !== undefined
    const asOf = Math.floor(now() / 1000)
    const view = { cardId, alert, askerName, refresherName, asOf, isPrivate, canShare }
    if (form === 'joined') {
      if (place.responseUrl === undefined) return
      const wantsThread = !isPrivate && !place.isDirect && place.threadTs === undefined
      const joined = renderJoined(settings, view, wantsThread ? 'invite' : undefined)
      const to = isPrivate ? 'asker' : 'channel'
      return outbound.in(place.workspaceId).respond(place.responseUrl, joined, { to, replaces: true })
    }
    const isLive = await replaceLiveCard(place, card, view)
    await tellNews({ asker, place }, card, alert, isLive)
  }

  return async (from, cardId) => {
    const card = await cards.find(from.asker.workspaceId, cardId)
    if (card === undefined) throw new UserError('This card is too old to be refreshed. Use /alert again.')
    if (!isOpenTo(from.asker, card)) return
    await connectFirst.withToken(
      from,
      { feature: 'refresh', asked: 'alert', ks: card.ks, ask: { cardId } },
      // In turns, so that an older answer of the service never overwrites a newer one.
      (token) => turns(cardId, () => refresh(from, card, token)),
    )
  }
}
