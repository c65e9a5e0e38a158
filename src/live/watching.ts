// Lets somebody watch an alert, stop watching, and see what they watch.

import { withToken } from '../account/connect-first.ts'
import { type Card, cardFor } from '../alert/cards.ts'
import type { Lookup } from '../alert/input.ts'
import { isClosed } from '../alert/render/state.ts'
import { readAwaited, showWhereAsked } from '../alert/show.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import type { Alert } from '../monitor/schema.ts'
import type { ActionRequest, From, MaybePressed } from '../slack/guard/requests.ts'
import type { Message, Posted } from '../slack/outbound/message.ts'
import { isDirectId, type SlackUser } from '../slack/person.ts'
import type { DocKey } from '../storage/docs.ts'
import { hourMs } from '../work/durations.ts'
import { poked } from '../work/lease.ts'
import {
  type Ended,
  isLate,
  type NewLiveCard,
  newLiveCard,
  peopleAt,
  runningAt,
  type Watcher,
  watched,
  withoutWatch,
  withWatch,
} from './live-cards.ts'
import { type ListedWatch, renderOffer, renderWatches, renderWatching } from './render.ts'

/** How long somebody who closed an alert hears that it is open again. */
const reopeningMs = hourMs / 4

const nothingLeft = 'This alert is closed, so there’s nothing left to watch.'
const notYours =
  'You aren’t watching this alert. Only the people named on its card can stop it from updating.'

/** *Watch* in the message that offers a live card in direct messages, for a card that can’t be live in its channel. */
export function watchCardDirectly(house: House, pressed: ActionRequest): Promise<void> {
  return watchCard(house, pressed, pressed.value, true)
}

/**
 * *Watch* on a card.
 * @param cardId - Default: from the button in the card’s row.
 * @param isDirectly - True: watches in direct messages, whatever channel the card is in.
 */
export async function watchCard(
  house: House,
  from: MaybePressed,
  cardId = from.value ?? '',
  isDirectly = false,
): Promise<void> {
  const card = await cardFor(house, from.asker, cardId)
  const { ks, posted } = card
  const isPrivate = card.isPrivate || isDirectly
  // The bot has no message here that it can edit, so it offers direct messages instead.
  if (!posted && !isPrivate) return house.slack.privately(from.place, renderOffer(cardId))

  // A card without a message can’t be live: `watchThere` then makes a new one.
  const pressed = posted && card
  await withToken(house, from, { feature: 'watch', ask: cardId }, (token) =>
    watchThere(house, from, token, { ks, isPrivate }, pressed),
  )
}

/**
 * Makes somebody watch an alert, on a card that is live already in the channel or in their direct messages (`liveIn`); else
 * on the pressed card, else on a new one. Two who ask at the same moment get one live card.
 */
export function watchThere(
  house: House,
  from: From,
  token: string,
  wanted: Pick<Lookup, 'ks' | 'isPrivate'>,
  pressed?: Card,
): Promise<void> {
  const { asker, place } = from
  const { workspaceId, userId, name } = asker
  const { ks, isPrivate } = wanted

  return house.turns(`watch ${isPrivate ? userId : place.channelId} ${ks}`, async () => {
    const known = (await liveIn(house, from, wanted)) ?? pressed
    const there = isPrivate ? { asker, place: { userId: asker.userId, isDirect: true } } : from
    const { card, alert } = known
      ? { card: known, alert: await readAwaited(house, from, token, ks) }
      : await showWhereAsked(house, there, token, wanted)
    const { id, posted } = card
    if (isClosed(alert)) throw new UserError(nothingLeft)
    if (!posted) return house.slack.privately(place, renderOffer(id))

    const before = await house.storage.liveCards.find(card)
    const until = house.now() + house.config.watch.ttlHours * hourMs
    await keepWatch(house, { workspaceId, id, ks: card.ks, posted, alert }, { userId, name, until })

    // The card itself shows who watches it; whoever doesn’t see it, or watched it already, is told.
    const isAgain = before && peopleAt(before, house.now()).some((one) => one.userId === userId)
    const isElsewhere = isDirect(card, posted) && posted.channelId !== place.channelId
    const isShown = !known || (known.id === pressed?.id && !isAgain)
    if (isShown && !isElsewhere) return

    const link = await house.slack.linkOf(posted)
    const where = isElsewhere ? 'in your direct messages with me' : 'here'
    await house.slack.privately(place, renderWatching(id, until, where, link))
  })
}

/** A card of this alert that is live where somebody wants one: in the channel, or in their own direct messages. */
async function liveIn(
  { storage, now }: House,
  { asker, place }: From,
  { ks, isPrivate }: Pick<Lookup, 'ks' | 'isPrivate'>,
) {
  for (const live of await storage.liveCards.list({ workspaceId: asker.workspaceId, ref: ks })) {
    const isLive = live.followId || peopleAt(live, now()).length > 0
    const card = isLive ? await storage.cards.find(live) : undefined
    const isThere = isPrivate
      ? card?.asker.userId === asker.userId && isDirect(card, live.posted)
      : live.posted.channelId === place.channelId
    if (card && isThere) return card
  }

  return undefined
}

function isDirect({ isPrivate }: Card, { channelId }: Posted) {
  return isPrivate || isDirectId(channelId)
}

/** *Stop watching*, in an answer, or in the list of somebody’s watches. The list replaces the message. */
export async function stopListed(house: House, pressed: ActionRequest): Promise<void> {
  await stopWatching(house, pressed)
  await showMoreWatches(house, { ...pressed, value: '0' })
}

/** *Stop watching*: ends the presser's own watch. @throws UserError if they don't watch this card. */
export async function stopWatching(house: House, pressed: ActionRequest, cardId = pressed.value) {
  const { asker } = pressed
  const card = await cardFor(house, asker, cardId)
  if (!(await endWatch(house, card, asker.userId, 'stopped'))) throw new UserError(notYours)
}

/** Ends watches. @param userId - Undefined for everybody's. @returns False if there was none. */
async function endWatch(
  { storage, poller }: House,
  key: DocKey,
  userId: string | undefined,
  why: Ended,
): Promise<boolean> {
  const kept = await storage.liveCards.change(key, (live, now) => {
    const isMeant = runningAt(live, now).some(
      (one) => userId === undefined || one.userId === userId,
    )
    return isMeant ? poked(withoutWatch(live, userId, why, now), now) : undefined
  })
  poller.wake()
  return kept !== undefined
}

export async function listWatches(house: House, owner: SlackUser, after = 0): Promise<Message> {
  return renderWatches(house.config, await ownWatches(house, owner), after)
}

/** *Show more*: the next page replaces the list above the button. */
export async function showMoreWatches(
  house: House,
  { asker, place, value }: ActionRequest,
): Promise<void> {
  await house.slack.privately(place, await listWatches(house, asker, Number(value)), {
    replaces: true,
  })
}

/** Somebody's own watches, oldest first. */
export async function ownWatches(house: House, owner: SlackUser): Promise<readonly ListedWatch[]> {
  const listed: ListedWatch[] = []
  for (const live of await house.storage.liveCards.inList(owner.userId, owner.workspaceId)) {
    const until = peopleAt(live, house.now()).find(({ userId }) => userId === owner.userId)?.until
    if (until !== undefined)
      listed.push({ ...live, until, link: await house.slack.linkOf(live.posted) })
  }

  return listed
}

/**
 * Ends all watches of somebody who has no account any more, or in a channel where another organisation reads now.
 * @returns How many cards this person has watched.
 */
export async function endWatches(
  house: House,
  {
    workspaceId,
    userId,
    channelId = '',
  }: { workspaceId: string; userId?: string; channelId?: string },
  why: 'disconnected' | 'shared',
): Promise<number> {
  let count = 0
  for (const live of await house.storage.liveCards.inList(userId ?? channelId, workspaceId)) {
    if (peopleAt(live, house.now()).some((one) => one.userId === userId)) count += 1
    await endWatch(house, live, userId, why)
  }

  return count
}

/** Sees to it that somebody who closed a card's alert is mentioned in the card's thread if the alert opens again soon. */
export async function watchReopening(
  house: House,
  from: From,
  card: Card,
  alert: Alert,
): Promise<void> {
  const { workspaceId, userId, name } = from.asker
  const { id, ks, posted } = card
  if (!posted) return

  const watcher = { userId, name, until: house.now() + reopeningMs, hasClosed: true } as const
  await keepWatch(house, { workspaceId, id, ks, posted, alert }, watcher)
}

async function keepWatch({ storage, poller }: House, card: NewLiveCard, watcher: Watcher) {
  const { liveCards } = storage
  const change = () => liveCards.change(card, (live, now) => withWatch(live, watcher, now))
  const insert = () => liveCards.insert((now) => withWatch(newLiveCard(card, now), watcher, now))
  if ((await change()) === undefined && !(await insert())) await change()
  poller.wake()
}

/** How many watched cards promise a check by now, and have not been drawn since. */
export async function countLate({ storage, now }: House): Promise<number> {
  const live = await storage.liveCards.inList(watched)
  return live.filter((one) => peopleAt(one, now()).length > 0 && isLate(one, now())).length
}
