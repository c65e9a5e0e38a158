// Somebody asks for an alert: it is shown where they asked, or to them alone.
import type { ConnectFirst } from '../account/connect-first.ts'
import { UserError } from '../errors.ts'
import { say } from '../slack/message.ts'
import { type Delivery, isCertainlyNotShared, type Landed, type Place, type Story } from '../slack/place.ts'
import type { From } from '../slack/requests.ts'
import type { Cards } from './cards.ts'
import type { Lookup } from './input.ts'
import { type CardSettings, renderCard, renderJoined } from './render.ts'
import { renderHistory } from './render-history.ts'
import type { ShowAlert, Shown } from './show-alert.ts'

export interface LookUps {
  lookUp(from: From, lookup: Lookup): Promise<void>
  /** Reads a private card's alert anew and posts it in the channel where it was asked. */
  share(from: From, cardId: string): Promise<void>
}

export function createLookUps(room: {
  readonly showAlert: ShowAlert
  readonly cards: Cards
  readonly connectFirst: ConnectFirst
  readonly delivery: Delivery
  readonly settings: CardSettings
}): LookUps {
  const { showAlert, cards, connectFirst, delivery, settings } = room

  function storyOf({ alert, card, asOf }: Shown): Story {
    const view = (isPrivate: boolean) => ({
      cardId: card.id,
      alert,
      askerName: card.askerName,
      asOf,
      isPrivate,
      canShare: card.channelId !== undefined,
    })
    return {
      card: (isPrivate) => renderCard(settings, view(isPrivate)),
      history: renderHistory(card.id, alert.actions),
      joined: ({ isPrivate, note }) => renderJoined(settings, view(isPrivate), note),
    }
  }

  async function remember(shown: Shown, place: Place, landed: Landed): Promise<void> {
    const { card } = shown
    const { form, isPrivate } = landed
    if (form !== card.form || isPrivate !== card.isPrivate) {
      await cards.landed(card.workspaceId, card.id, { form, isPrivate })
    }
    if (landed.form !== 'thread' || landed.history === 'told') return
    // No action is told twice in the thread: what may stand there already goes to the asker alone.
    if (landed.history === 'unsure') return delivery.privately(place, storyOf(shown).history)
    await cards.tell(card.workspaceId, card.id, 0, [])
    const sentence = 'The history could not be posted. Press Refresh on the card to try again.'
    await delivery.privately(place, say(sentence))
  }

  return {
    lookUp: (from, { ks, isPrivate }) =>
      connectFirst.withToken(
        from,
        { feature: 'look-up', asked: 'alert', ks, ask: { ks, isPrivate } },
        async (token) => {
          const { asker, place } = from
          // Sharing into a direct message makes no sense: whoever asked there sees it already.
          const channelId = place.isDirect ? undefined : place.channelId
          const shown = await showAlert(asker, token, { ks, isPrivate, channelId, isFresh: false })
          await remember(
            shown,
            place,
            await delivery.tell(place, storyOf(shown), isPrivate ? 'asker' : 'channel'),
          )
        },
      ),
    async share(from, cardId) {
      const { asker, place } = from
      const private_ = await cards.find(asker.workspaceId, cardId)
      if (private_ === undefined) throw new UserError('This card is too old to be shared. Use /alert again.')
      const { ks, channelId, asker: owner } = private_
      if (owner.userId !== asker.userId || channelId === undefined) return
      await connectFirst.withToken(
        from,
        { feature: 'share', asked: 'alert', ks, ask: { cardId } },
        async (token) => {
          const shown = await showAlert(asker, token, { ks, isPrivate: false, channelId, isFresh: true })
          if (!(await cards.shared(asker.workspaceId, cardId))) {
            throw new UserError('This is shared in the channel already.')
          }
          try {
            await remember(shown, place, await delivery.share(place, channelId, storyOf(shown)))
          } catch (error) {
            if (isCertainlyNotShared(error)) await cards.notShared(asker.workspaceId, cardId)
            throw error
          }
        },
      )
    },
  }
}
