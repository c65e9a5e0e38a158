// Looks an alert up for somebody, and shows it where they asked, or to them alone.

import { randomUUID } from 'node:crypto'
import type { ConnectFirst } from '../account/connect-first.ts'
import { UserError } from '../errors.ts'
import type { Alert } from '../monitor/schema.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Clock, Person, SlackUser } from '../slack/ids.ts'
import {
  type Delivery,
  isCertainlyNotShared,
  type Landed,
  type Place,
  type Story,
} from '../slack/outbound/delivery.ts'
import { say } from '../slack/outbound/message.ts'
import { cut } from '../slack/text/mrkdwn.ts'
import { type ChannelStyles, isQuiet } from '../slack/workspace/channels.ts'
import { type Card, type Cards, isOpenTo } from './cards.ts'
import type { Lookup } from './input.ts'
import type { ReadAlert } from './read-alert.ts'
import { type CardSettings, renderCard, renderJoined } from './render/card.ts'
import { renderHistory } from './render/history.ts'
import { allTold } from './told.ts'

/** Keeps cards live. Supplied by those who know how. */
export interface AfterLookUp {
  /** The card is in place, and is to be watched. */
  watchShown(from: From, shown: Shown): Promise<void>
  /** Shows an alert in the direct message with the bot and watches it there. */
  watchDirectly(from: From, token: string, ks: string): Promise<void>
}

/** What something else may be about: an alert, as its card shows it. */
export interface Subject {
  /** Raw, as in: alert “Disk full” (5HkX). */
  readonly name: string
  /** Where what belongs to it is said: the thread of the card, or where it stands when it has none. */
  readonly place: Place
  /** Others see the card, too. */
  readonly isForAll: boolean
}

export interface LookUps {
  lookUp(from: From, lookup: Lookup): Promise<void>
  /** The alerts of cards that this person may see. */
  keysOf(asker: SlackUser, cardIds: readonly string[]): Promise<readonly string[]>
  /**
   * What a card is about, and where what belongs to it goes. Undefined when it is not theirs.
   * @throws UserError when it is not known any more.
   */
  subjectOf(from: From, cardId: string): Promise<Subject | undefined>
  /** Reads a private card's alert anew and posts it in the channel where it was asked. */
  share(from: From, cardId: string): Promise<void>
  /**
   * Shows an alert in the asker's direct message with the bot.
   * @param id - The card's, when it must be known before. Default: a new one.
   */
  showDirectly(from: From, token: string, ks: string, id?: string): Promise<Shown>
}

export function createLookUps(room: {
  readonly showAlert: ShowAlert
  readonly cards: Cards
  readonly channelStyles: Pick<ChannelStyles, 'of'>
  readonly connectFirst: ConnectFirst
  readonly delivery: Delivery
  readonly watching: AfterLookUp
  readonly settings: CardSettings
}): LookUps {
  const { showAlert, cards, channelStyles, connectFirst, delivery, watching, settings } = room

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

  /** Returns it with the card as it was delivered. */
  async function remember(shown: Shown, place: Place, landed: Landed): Promise<Shown> {
    const { workspaceId, id } = shown.card
    const { form, isPrivate } = landed
    const posted = landed.form === 'thread' ? landed.posted : undefined
    await cards.landed(workspaceId, id, { form, isPrivate, posted })
    if (landed.form === 'thread' && landed.history !== 'told') await tellHistory(shown, place, landed.history)
    return { ...shown, card: { ...shown.card, form, isPrivate, posted } }
  }

  async function tellHistory(shown: Shown, place: Place, why: 'unsure' | 'not-told'): Promise<void> {
    const { workspaceId, id } = shown.card
    // No action is told twice in the thread: what may stand there already goes to the asker alone.
    if (why === 'unsure') return delivery.privately(place, storyOf(shown).history)
    await cards.tell(workspaceId, id, 0, { told: [], reply: undefined })
    const sentence = 'The history could not be posted. Press Refresh on the card to try again.'
    await delivery.privately(place, say(sentence))
  }

  return {
    lookUp: (from, { ks, isPrivate, isWatched }) =>
      connectFirst.withToken(
        from,
        { feature: 'look-up', asked: 'alert', ks, ask: { ks, isPrivate, isWatched } },
        async (token) => {
          const isHushed = await isQuiet(channelStyles, from)
          const isForAsker = isPrivate || isHushed
          if (isForAsker && isWatched) return watching.watchDirectly(from, token, ks)
          const { asker, place } = from
          // Sharing into a direct message makes no sense: whoever asked there sees it already.
          const channelId = place.isDirect || isHushed ? undefined : place.channelId
          const showing = { ks, isPrivate: isForAsker, channelId, isFresh: false }
          const shown = await showAlert(asker, token, showing)
          const to = isForAsker ? 'asker' : 'channel'
          const why = isHushed && !isPrivate ? 'quiet' : undefined
          const landed = await delivery.tell(place, storyOf(shown), to, why)
          const remembered = await remember(shown, place, landed)
          if (isWatched) await watching.watchShown(from, remembered)
        },
      ),
    async keysOf(asker, cardIds) {
      const found = await Promise.all(cardIds.map((id) => cards.find(asker.workspaceId, id)))
      return found.flatMap((card) => (card !== undefined && isOpenTo(asker, card) ? [card.ks] : []))
    },
    async subjectOf({ asker, place }, cardId) {
      const card = await cards.find(asker.workspaceId, cardId)
      if (card === undefined) throw new UserError('This card is too old. Use /alert again, or /grant.')
      if (!isOpenTo(asker, card)) return undefined
      const { ks, title, isPrivate, posted } = card
      const name = title === ks ? `alert ${ks}` : `alert “${title}” (${ks})`
      // One that only the asker sees has a thread in their direct message, and none elsewhere.
      if (isPrivate && posted === undefined) return { name, place, isForAll: false }
      const threadTs = place.threadTs ?? place.pressedTs
      const isThreadNew = place.threadTs === undefined && card.form === 'joined'
      const isForAll = !isPrivate && !(await isQuiet(channelStyles, { asker, place }))
      return { name, place: { ...place, threadTs, isThreadNew }, isForAll }
    },
    async share(from, cardId) {
      const { asker, place } = from
      const private_ = await cards.find(asker.workspaceId, cardId)
      if (private_ === undefined) throw new UserError('This card is too old to be shared. Use /alert again.')
      const { ks, channelId, asker: owner } = private_
      if (owner.userId !== asker.userId || channelId === undefined) return
      if (await isQuiet(channelStyles, { asker, place: { ...place, channelId, isDirect: false } })) {
        throw new UserError('This channel is set to quiet by now, so nothing is shared there.')
      }
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
    async showDirectly({ asker }, token, ks, id) {
      const showing = { ks, isPrivate: true, channelId: undefined, isFresh: false, id }
      const shown = await showAlert(asker, token, showing)
      const place: Place = {
        workspaceId: asker.workspaceId,
        userId: asker.userId,
        channelId: undefined,
        responseUrl: undefined,
        isDirect: true,
      }
      return remember(shown, place, await delivery.tell(place, storyOf(shown), 'asker'))
    },
  }
}

export interface Shown {
  readonly alert: Alert
  readonly card: Card
  /** When it was true, in Unix seconds. */
  readonly asOf: number
}

export interface Showing {
  readonly ks: string
  readonly isPrivate: boolean
  /** Where it was asked. */
  readonly channelId: string | undefined
  /** Asks the service even when it was asked a moment ago. */
  readonly isFresh: boolean
  /** The card's id, when it must be known before. Default: a new one. */
  readonly id?: string | undefined
}

const longestTitle = 200

/** @throws MonitorError when the service does not give the alert. */
export type ShowAlert = (asker: Person, token: string, showing: Showing) => Promise<Shown>

/**
 * Shows an alert: reads it with the asker's token and remembers the card that will carry it. Every surface comes
 * through here. It does not know how the card reaches anybody.
 */
export function createShowAlert(room: {
  readonly readAlert: ReadAlert
  readonly cards: Cards
  readonly now: Clock
}): ShowAlert {
  return async (asker, token, { ks, isPrivate, channelId, isFresh, id }) => {
    const alert = await room.readAlert(asker, token, ks, { isFresh })
    const { workspaceId, userId, name } = asker
    const card: Card = {
      id: id ?? randomUUID(),
      workspaceId,
      // As it was asked, which the service takes; shown is the key as the service writes it.
      ks,
      title: cut(alert.lastMessage.replaceAll(/\s+/g, ' ').trim() || alert.ks, longestTitle),
      asker: { workspaceId, userId },
      askerName: name,
      channelId,
      isPrivate,
      form: 'thread',
      told: allTold(alert.actions),
      version: 0,
      posted: undefined,
      reply: undefined,
    }
    await room.cards.keep(card)
    return { alert, card, asOf: Math.floor(room.now() / 1000) }
  }
}
