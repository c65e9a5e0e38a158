// Shows somebody an alert, read with their own token, as a card where they asked or share it; or brings a card up to date.
import { randomUUID } from 'node:crypto'
import { withToken } from '../account/connect-first.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { lookSoon } from '../live/look.ts'
import type { Alert } from '../monitor/schema.ts'
import type { Reader } from '../names/names.ts'
import type { From } from '../slack/guard/requests.ts'
import type { CardMessages, Delivered } from '../slack/outbound/delivery.ts'
import { cut } from '../slack/text/mrkdwn.ts'
import { quoteLast } from '../slack/text/typed.ts'
import { whenSlow } from '../work/under-way.ts'
import { type Card, cardFor, namesRead } from './cards.ts'
import { type Lookup, tokenForKey } from './input.ts'
import { holdsKey } from './link.ts'
import { renderStillAsking } from './render/look-up.ts'
import { isClosed } from './render/state.ts'
import { marksOf } from './thread.ts'
import { sendCard, updateCard } from './turn.ts'

/** A key that is to be read holds the asker's own token. */
export class OwnToken extends UserError {
  constructor() {
    super(tokenForKey)
  }
}

/** @throws OwnToken when the key holds the asker's own token; MonitorError when the service does not give the alert. */
export async function readForAsker(
  { monitor, audit }: House,
  { asker: { workspaceId, userId }, token }: Reader,
  ks: string,
): Promise<Alert> {
  // A key stands in an address, in the service's own log, and in the trail; and a token must not.
  if (ks.includes(token)) throw new OwnToken()
  try {
    const alert = await monitor.readAlert(token, ks)
    audit.lookedUp({ workspaceId, userId, ks, outcome: 'done' })
    return alert
  } catch (error) {
    if (error instanceof MonitorError)
      audit.lookedUp({ workspaceId, userId, ks, outcome: `not-done:${error.code}` })
    throw error
  }
}

/** The same for somebody who waits for it. Where it is closed, its live cards are looked at. */
export async function readAwaited(house: House, from: From, token: string, ks: string): Promise<Alert> {
  const { asker } = from
  const alert = await sayingWhenSlow(house, from, ks, readForAsker(house, { asker, token }, ks))
  if (isClosed(alert)) lookSoon(house, asker.workspaceId, alert, ks)
  return alert
}

/** Whoever waits for the service hears so once when it takes long, alone, where they asked. */
export async function sayingWhenSlow<T>(
  { slowMs, slack, log }: House,
  { place }: From,
  ks: string,
  read: Promise<T>,
): Promise<T> {
  return whenSlow(read, slowMs, () =>
    slack
      .privately(place, renderStillAsking(ks))
      .catch((error: unknown) => log.warn({ err: error }, 'nobody could be told that the service is slow')),
  )
}

const longestTitle = 200

/** @param send - The first way that works. */
async function show(
  house: House,
  from: From,
  token: string,
  about: Pick<Card, 'ks' | 'isPrivate' | 'channelId'>,
  send: (story: CardMessages) => Promise<Delivered>,
): Promise<{ readonly alert: Alert; readonly card: Card }> {
  const alert = await readAwaited(house, from, token, about.ks)
  const by = { id: randomUUID(), askerName: from.asker.name }
  const card = await keepNewCard(house, { asker: from.asker, token }, alert, { ...about, ...by })
  return { alert, card: (await sendCard(house, card, alert, send)).card }
}

/** Keeps a new card, before it is sent, as somebody may press what is on it at once. */
export async function keepNewCard(
  house: House,
  { asker: { workspaceId, userId }, token }: Reader,
  alert: Alert,
  // The key as it was asked, which the service takes; shown is the key as the service writes it.
  about: Pick<Card, 'id' | 'ks' | 'askerName' | 'channelId' | 'isPrivate' | 'calls'>,
): Promise<Card> {
  const asker = { workspaceId, userId }
  const { alertUrl } = house.config
  // Where the asker's own token has shown it, and the key alone does not build it.
  const isBuilt = alertUrl === undefined || holdsKey(alertUrl)
  const link = isBuilt ? undefined : await house.storage.alertLinks.linkTo(asker, alert.ks)
  const card: Card = {
    ...about,
    workspaceId,
    title: cut(alert.lastMessage.replaceAll(/\s+/g, ' ').trim() || alert.ks, longestTitle),
    asker,
    at: house.now(),
    told: marksOf(alert),
    posted: undefined,
    link,
    names: await namesRead(house, { asker, token }, { link }, alert),
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
  // Sharing into a direct message makes no sense: whoever asked there sees it already.
  const channelId = place.isDirect ? undefined : place.channelId
  const to = isPrivate ? 'asker' : 'channel'
  return show(house, from, token, { ks, isPrivate, channelId }, (story) => house.slack.tell(place, story, to))
}

/** *Share in channel*: the alert is read anew. @param cardId - Default: of the button in a card's row. */
export async function shareCard(
  house: House,
  from: From & { readonly value?: string },
  cardId = from.value ?? '',
): Promise<void> {
  const { asker, place } = from
  const { ks, channelId, asker: owner } = await cardFor(house, asker, cardId)
  if (owner.userId !== asker.userId || channelId === undefined) return
  await withToken(house, from, { feature: 'share', ask: cardId }, async (token) => {
    const about = { ks, isPrivate: false, channelId }
    await show(house, from, token, about, (story) => house.slack.share(place, channelId, story))
  })
}

/** *Refresh*. @param cardId - Default: of the button in its row. */
export async function refreshCard(
  house: House,
  from: From & { readonly value?: string },
  cardId = from.value ?? '',
): Promise<void> {
  const card = await cardFor(house, from.asker, cardId)
  const { ks } = card
  const readBy = from.asker.userId
  await withToken(house, from, { feature: 'refresh', ask: cardId }, async (token) => {
    const read = async () => ({ alert: await readAwaited(house, from, token, ks), readBy })
    await updateCard(house, card, { read, by: from }).catch((error: unknown) => {
      if (!(error instanceof MonitorError) || error.code !== 'not-found') throw error
      throw new UserError(`Monitoring no longer has an alert ${quoteLast(ks)} The card wasn’t changed.`)
    })
  })
}
