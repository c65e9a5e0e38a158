// Tells new alerts: each with a card of its own, or many in one message.

import { fingerprintInList } from '../alert/followed.ts'
import { shortList } from '../alert/open.ts'
import { isClosed } from '../alert/render/state.ts'
import { keepNewCard } from '../alert/show.ts'
import { marksOf } from '../alert/thread.ts'
import { sendCard } from '../alert/turn.ts'
import type { House } from '../house.ts'
import { newLiveCard, noFingerprint } from '../live/live-cards.ts'
import type { Alert, OpenAlert } from '../monitor/schema.ts'
import { calling, type Message, type Posted } from '../slack/outbound/message.ts'
import { poked } from '../work/lease.ts'
import { type AlertList, cardKeyOf, type Follow, mostCards, mostLists, seenOf } from './follows.ts'
import { assetAndSince } from './placing.ts'
import { callForNew, type Look, post, postInLook, redrawNow } from './posting.ts'
import { fingerprintOf, renderAlerts } from './render.ts'

type NewList = Omit<AlertList, 'fingerprint' | 'drawnAt'>

/** Tells many alerts in one message: a recent message that they join, or a new one. */
export async function sayMany(
  look: Look,
  many: readonly OpenAlert[],
  joins: AlertList | undefined,
): Promise<void> {
  const { found, follow } = look
  const isAllKnown = many.length === 0 && found.seen.size > 0
  if (isAllKnown) {
    found.noNewsAbove = undefined
    return
  }

  const isBeginning = follow.noNewsAbove !== undefined
  const list = await postMany(look, many, joins)
  if (list === undefined) {
    look.waiting += many.length
    // A first list, of alerts that were open already, is no news: if Slack may have posted it, it is not repeated.
    const isMaybe = isBeginning && look.failure?.mayBeDone === true
    if (!isMaybe) return
  } else if (list.keys.length > 0) {
    const others = found.lists.filter(({ posted }) => posted.ts !== joins?.posted.ts)
    found.lists = [...others, drawnNow(look, list)].slice(-mostLists)
  }

  for (const alert of many)
    found.seen.set(alert.ks, seenOf(alert, false, assetAndSince(look, alert)))
  found.noNewsAbove = undefined
}

/** @returns The message; undefined if a later look has to post it. */
async function postMany(
  look: Look,
  many: readonly OpenAlert[],
  joins: AlertList | undefined,
): Promise<NewList | undefined> {
  const keys = many.map(({ ks }) => ks)
  if (joins !== undefined) {
    look.isDrawn = true
    if (look.failure) return undefined

    const list = { ...joins, keys: [...new Set([...joins.keys, ...keys])] }
    const outcome = await redrawNow(look, list.posted, renderOne(look, list))
    if (outcome === 'drawn') return list
    if (outcome === 'later') return undefined
    // The old message can't be changed any more, so a new one begins.
  }

  const { house, follow, found, at } = look
  const isNew = follow.noNewsAbove === undefined
  const made = isNew ? await callForNew(look, many) : undefined
  const list = {
    kind: isNew ? 'new' : 'open',
    keys,
    at,
    worst: many[0]?.lastSeverity ?? Number.POSITIVE_INFINITY,
    calls: made?.mention,
  } as const
  const send = () => post(house, follow, renderOne(look, list))
  const posted = await postInLook(look, many, send, list.calls)
  if (posted === undefined) return undefined

  if (made !== undefined) found.call = made.call
  return { ...list, posted }
}

/** A message of many alerts, as the service’s list has them now: only those still open are shown. */
export function renderOne(
  look: Look,
  list: Pick<AlertList, 'kind' | 'keys' | 'calls'>,
  asOf = look.at,
): Message {
  const { house, follow, listed } = look
  const { carrier, containerId, container, least } = follow
  const among = new Set(list.keys)
  const open = listed.filter(({ ks }) => among.has(ks))
  const assetOf = (alert: OpenAlert) => assetAndSince(look, alert).asset
  const shown = {
    ...shortList(house, carrier, containerId, open, assetOf),
    container,
    asOf: Math.floor(asOf / 1000),
  }

  const told = { kind: list.kind, count: among.size }
  const message = renderAlerts(house.config, told, least, shown)
  return calling(message, list.calls)
}

export function drawnNow(look: Look, list: NewList): AlertList {
  const fingerprint = fingerprintOf(renderOne(look, list, 0))
  return { ...list, fingerprint, drawnAt: look.at }
}

/** Posts the card of one alert, and notes that it is told. */
export async function sayCard(
  look: Look,
  alert: OpenAlert,
  joins: AlertList | undefined,
): Promise<void> {
  const { found, at } = look
  const { ks, lastSeverity } = alert
  const made = await callForNew(look, [alert])
  let hasCard = false
  const send = async () => {
    const posted = await postAlert(look, alert, made?.mention)
    hasCard = true
    return posted
  }
  const posted = await postInLook(look, [alert], send, made?.mention)
  if (posted === undefined) {
    look.waiting += 1
    return
  }

  if (made !== undefined) found.call = made.call

  // If there is no card, Slack has refused it as it was, and a plain line was posted in its place.
  found.seen.set(ks, seenOf(alert, hasCard, assetAndSince(look, alert)))
  found.cardsAt = [...found.cardsAt, at].slice(-mostCards)

  // A list (a message of many alerts) counts this alert’s severity as told in two cases: the alert is in the list, or
  // other alerts join the list in this look.
  found.lists = found.lists.map((list) => {
    const isTold = list.keys.includes(ks) || list.posted.ts === joins?.posted.ts
    return isTold ? { ...list, worst: Math.min(list.worst, lastSeverity) } : list
  })
}

/** Posts a card that shows the alert as the service’s list has it; the card’s first look brings the rest. */
async function postAlert(
  { house, follow, reader }: Look,
  listed: OpenAlert,
  calls: string | undefined,
): Promise<Posted> {
  const { channelId } = follow
  const { ks } = listed
  const key = cardKeyOf(follow, ks)
  const alert = alertInList(listed)
  const about = {
    id: key.id,
    ks,
    askerName: '',
    channelId,
    isPrivate: false,
    calls,
  }

  // An earlier look may have stored this card, but Slack didn’t take it. Then the stored card is used, with the alert
  // and the call as they are now.
  const told = marksOf(alert)
  const again = await house.storage.cards.change(key, (one) => ({ ...one, calls, told }))
  const card = again ?? (await keepNewCard(house, reader, alert, about))

  const sent = await sendCard(house, card, alert, async (story) => ({
    isPrivate: false,
    posted: await post(house, follow, story.card(false)),
    // True, as there is no history to tell: the service’s list has none. The card’s first look reads it.
    isHistoryTold: true,
  }))
  await readSoon(house, follow, ks, listed, sent.fingerprint())
  return sent.card.posted ?? follow.ownMessage.posted
}

function alertInList(open: OpenAlert): Alert {
  return {
    ...open,
    message: open.lastMessage,
    severity: open.lastSeverity,
    lastTimestamp: open.timestamp,
    closedTimestamp: null,
    actions: [],
  }
}

/**
 * Makes an alert’s live card due for the next read. A card that is no longer live becomes live again, unless its alert is
 * closed.
 * @param listed - The alert as the service’s list has it; undefined if it is closed.
 */
export async function readSoon(
  { storage, poller }: House,
  follow: Follow,
  ks: string,
  listed: OpenAlert | undefined,
  fingerprint?: string,
): Promise<void> {
  const { id: followId } = follow
  const key = cardKeyOf(follow, ks)
  const listedAs = listed && fingerprintInList(listed)
  const live = await storage.liveCards.change(key, (one, now) => {
    const { alert } = one.shown
    // True if the card already shows what the list says. This happens if somebody watches the alert: the card was read
    // for them.
    const isRead = !isClosed(alert) && fingerprintInList(alert) === listedAs
    const isKept = one.followId === followId && one.shown.fingerprint !== noFingerprint
    return isRead && isKept ? one : poked({ ...one, followId }, now)
  })

  const posted = live === undefined ? (await storage.cards.find(key))?.posted : undefined
  if (posted !== undefined && listed !== undefined) {
    const card = { ...key, ks, posted, followId, alert: alertInList(listed), fingerprint }
    await storage.liveCards.insert((now) => newLiveCard(card, now))
  }

  poller.wake()
}
