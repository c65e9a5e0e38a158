// Shows an alert, read with the asker’s token, as a new card where somebody asks or shares; or refreshes its card.

import { randomUUID } from 'node:crypto'
import { withToken } from '../account/connect-first.ts'
import { MonitorError, orMonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { lookSoon } from '../live/look.ts'
import type { Alert } from '../monitor/schema.ts'
import type { From, MaybePressed } from '../slack/guard/requests.ts'
import type { CardMessages, Delivered } from '../slack/outbound/delivery.ts'
import { sayingWhenSlow } from '../slack/outbound/slow.ts'
import type { Account } from '../slack/person.ts'
import { cut } from '../slack/text/mrkdwn.ts'
import { quoteLast } from '../slack/text/typed.ts'
import { type Card, cardFor, isOfFollow, namesRead } from './cards.ts'
import { type Lookup, tokenForKey } from './input.ts'
import { renderStillAsking } from './render/look-up.ts'
import { isClosed } from './render/state.ts'
import { marksOf } from './thread.ts'
import { sendCard, updateCard } from './turn.ts'

export class OwnToken extends UserError {
  constructor() {
    super(tokenForKey)
  }
}

/** Reads an alert. @throws OwnToken if the key holds the asker’s own token; MonitorError if the service gives no alert. */
export async function readForAsker(
  { monitor, audit }: House,
  { owner: { workspaceId, userId }, token }: Account,
  ks: string,
): Promise<Alert> {
  // Keys go into an address, the service’s own log and the trail; tokens must not.
  if (ks.includes(token)) throw new OwnToken()

  const alert = await orMonitorError(monitor.readAlert(token, ks))
  const isRead = !(alert instanceof MonitorError)
  const outcome = isRead ? 'done' : (`not-done:${alert.code}` as const)
  audit.lookedUp({ workspaceId, userId, ks, outcome })
  if (!isRead) throw alert

  return alert
}

/** Reads an alert for somebody who waits. If the alert is closed, its live cards are looked at soon, too. */
export async function readAwaited(
  house: House,
  from: From,
  token: string,
  ks: string,
): Promise<Alert> {
  const reading = readForAsker(house, { owner: from.asker, token }, ks)
  const alert = await sayingWhenSlow(house, from.place, renderStillAsking(ks), reading)
  if (isClosed(alert)) lookSoon(house, from.asker.workspaceId, alert, ks)
  return alert
}

const longestTitle = 200

async function show(
  house: House,
  from: From,
  token: string,
  about: Pick<Card, 'ks' | 'isPrivate' | 'channelId'>,
  send: (story: CardMessages) => Promise<Delivered>,
) {
  const alert = await readAwaited(house, from, token, about.ks)
  // Ids in the order of time: cards written together then lie together in the database.
  const id = `${house.now()}-${randomUUID()}`
  const by = { id, askerName: from.asker.name }
  const card = await keepNewCard(house, { owner: from.asker, token }, alert, { ...about, ...by })

  return { alert, card: (await sendCard(house, card, alert, send)).card }
}

/** Stores a card before it is sent, as somebody may press it at once. */
export async function keepNewCard(
  house: House,
  reader: Account,
  alert: Alert,
  // `ks` is as the asker gave it, which the service takes; the card shows the key as the service writes it.
  about: Pick<Card, 'id' | 'ks' | 'askerName' | 'channelId' | 'isPrivate' | 'calls'>,
): Promise<Card> {
  const { workspaceId, userId } = reader.owner
  const place = await house.storage.places.find(workspaceId, alert.ks)
  const [names] = await Promise.all([
    namesRead(house, reader, { place }, alert),
    // The asset’s name is read so that it is known when the card is drawn. A follow has read all names before.
    place && !isOfFollow(about) && house.assets.nameOf(reader, place, false),
  ])
  const card: Card = {
    ...about,
    workspaceId,
    title: cut(alert.lastMessage.replaceAll(/\s+/g, ' ').trim() || alert.ks, longestTitle),
    asker: { workspaceId, userId },
    at: house.now(),
    told: marksOf(alert),
    posted: undefined,
    place,
    names,
  }
  await house.storage.cards.insert(() => card)

  return card
}

export function showWhereAsked(
  house: House,
  from: From,
  token: string,
  { ks, isPrivate }: Omit<Lookup, 'isWatched'>,
) {
  const { place } = from
  // In a direct message, *Share in channel* makes no sense: the asker sees the card already.
  const channelId = place.isDirect ? undefined : place.channelId
  const to = isPrivate ? 'asker' : 'channel'

  return show(house, from, token, { ks, isPrivate, channelId }, (story) =>
    house.slack.tell(place, story, to),
  )
}

/**
 * *Share in channel*: reads the alert again, and posts a card for everybody.
 * @param cardId - Default: from the button in the card’s row.
 */
export async function shareCard(
  house: House,
  from: MaybePressed,
  cardId = from.value ?? '',
): Promise<void> {
  const { asker, place } = from
  const { ks, channelId, asker: owner } = await cardFor(house, asker, cardId)
  if (owner.userId !== asker.userId || !channelId) return

  await withToken(house, from, { feature: 'share', ask: cardId }, async (token) => {
    const about = { ks, isPrivate: false, channelId }
    await show(house, from, token, about, (story) => house.slack.share(place, channelId, story))
  })
}

/** *Refresh*. @param cardId - Default: from the button in the card’s row. */
export async function refreshCard(
  house: House,
  from: MaybePressed,
  cardId = from.value ?? '',
): Promise<void> {
  const card = await cardFor(house, from.asker, cardId)
  const { ks } = card
  await withToken(house, from, { feature: 'refresh', ask: cardId }, async (token) => {
    const read = async () => ({
      alert: await readAwaited(house, from, token, ks),
      readBy: from.asker.userId,
    })
    await updateCard(house, card, { read, by: from }).catch((error: unknown) => {
      if (!(error instanceof MonitorError) || error.code !== 'not-found') throw error

      throw new UserError(
        `Monitoring no longer has an alert ${quoteLast(ks)} The card wasn’t changed.`,
      )
    })
  })
}
