// Tells what a look found: each post by itself, so that one that Slack refuses holds up no other.

import { callNow, mentionOf } from '../alert/call.ts'
import { fingerprintInList } from '../alert/followed.ts'
import { shortList } from '../alert/open.ts'
import { isClosed } from '../alert/render/state.ts'
import { keepNewCard } from '../alert/show.ts'
import { marksOf } from '../alert/thread.ts'
import { sendCard } from '../alert/turn.ts'
import type { House } from '../house.ts'
import { newLiveCard, noFingerprint, unconfirmedMs } from '../live/live-cards.ts'
import { quietIn } from '../maintenance/names.ts'
import { newAlertsTotal } from '../metrics/metrics.ts'
import type { Alert, OpenAlert } from '../monitor/schema.ts'
import { containerInWords } from '../names/containers.ts'
import { SlackError } from '../slack/client.ts'
import { calling, type Line, type Message, type Posted } from '../slack/outbound/message.ts'
import { minuteMs } from '../work/durations.ts'
import { poked } from '../work/lease.ts'
import { endShared, goOut, tellCarrier } from './end.ts'
import {
  type AfterLook,
  type AlertList,
  cardKeyOf,
  type Follow,
  gapMs,
  isGrave,
  isSilent,
  mostCards,
  mostLists,
  planFor,
  seenOf,
  withFound,
} from './follows.ts'
import { placeNew, placeOthers, type Search } from './placing.ts'
import { cardsChanged, quietLines, quietStatesOf, sayMaintenanceSet } from './quiet.ts'
import {
  fingerprintOf,
  renderAlerts,
  renderFollow,
  renderGap,
  renderUncalled,
  renderUnsaid,
  renderUnshown,
} from './render.ts'

/** The follow’s own message says when it last looked. */
const drawnEveryMs = 10 * minuteMs

/** Changes to a follow after a look. */
export interface Looked extends Partial<Pick<Follow, 'failMessage' | 'failures' | 'isMissing'>> {
  readonly inMs: number | 'never'
  /** Undefined where nothing could be found out. */
  readonly found?: AfterLook
}

/** The next look, at its usual time, or once Slack takes what it did not take. */
export function usual({ config }: House, failure?: SlackError): Looked {
  const usualMs = Math.round(config.follow.intervalMs * (0.95 + Math.random() / 10))
  return {
    failures: 0,
    isMissing: false,
    inMs: Math.max(usualMs, (failure?.waitSeconds ?? 0) * 1000),
  }
}

/** Doesn’t wait for Slack: a later look posts what Slack does not take now. */
export function post(
  { slack, pace }: House,
  { channelId }: Follow,
  message: Message,
): Promise<Posted> {
  return pace.inTurn(channelId, () => slack.postOnce(channelId, message))
}

/** The follow is as before the look, but for the container's name. */
interface Look extends Search {
  readonly found: AfterLook
  /** Lines on all in maintenance, for the follow’s own message. */
  ownLines: readonly Line[]
  /** Set once Slack asks to wait, doesn’t answer or refuses the place: this look tries nothing else. */
  failure?: SlackError
  /** Number of new alerts left for the next look. */
  waiting: number
  isSaid: boolean
  /** True once a message was redrawn, or was to be: Slack takes few edits. */
  isDrawn: boolean
}

/**
 * Tells the channel all that is new, and has its cards brought up to date.
 * @returns Nothing where it has ended.
 */
export async function tellChannel(
  house: House,
  taken: Follow,
  token: string,
  listed: readonly OpenAlert[],
): Promise<Looked | undefined> {
  const { names, slack, storage, poller, now, config } = house
  const { carrier, containerId, channelId, unsaid } = taken
  const at = now()

  // Cards can then name the container without a look-up.
  const { alerts } = names.used({ owner: carrier, token })
  for (const { ks } of listed) alerts.set(ks, containerId)

  const container = containerInWords(house, carrier, containerId, taken.container)
  const follow = { ...taken, container }

  const withCard = await newWithCard(house, follow, listed)
  const plan = planFor(follow, listed, withCard, at)
  const isGap = isSilent(follow, config.follow.intervalMs, at)
  const gap = isGap ? { from: follow.gap?.from ?? follow.readAt, to: at } : follow.gap

  const isBeginning = follow.noNewsBelow !== undefined
  const isNews = isBeginning || plan.many.length + plan.cards.length > 0
  const owesNews = unsaid !== undefined || gap !== undefined || follow.call?.away === 'seen'

  // 1. Who reads there, before anything is said or asked for; but Slack answers some 50 such questions a minute, so only
  // where there is something to say. Where it doesn’t say, the next look tells all.
  if (isNews || owesNews || plan.reread.length > 0) {
    const state = await slack.channels.stateOf(channelId)
    if (state?.isShared) return endShared(house, follow)
    if (state?.isMember === false) return goOut(house, follow)
    if (state?.isShared === undefined) return usual(house)
  }

  // 2. Changed alerts, whatever Slack takes here: the loop of their cards reads and tells them.
  const open = new Map(listed.map((alert) => [alert.ks, alert]))
  for (const ks of plan.reread) await readSoon(house, follow, ks, open.get(ks))

  const found: AfterLook = { ...follow, gap, seen: plan.seen, readAt: at, call: undefined }
  const look: Look = {
    house,
    follow,
    reader: { owner: carrier, token },
    listed,
    at,
    found,
    placed: new Map(),
    left: plan.left,
    ownLines: [],
    waiting: 0,
    isSaid: false,
    isDrawn: false,
  }

  // 3. The places of new alerts: found now, each is told with its alert.
  const told = [...plan.cards, ...plan.many].map(({ ks }) => ks)
  await placeNew(look, [...told, ...plan.reread], plan.cards)

  // 4. The times without news: they explain why so much comes at once below them. A place that refuses is tried with news.
  if (gap !== undefined) await sayGap(look, gap)
  const isTried = isNews || unsaid?.word === undefined
  const isLong = unsaid !== undefined && at - unsaid.since > gapMs
  if (isTried && isLong) await sayInLook(look, renderGap(follow, unsaid.since, at))

  // 5. Many alerts in one message before cards of their own, as a card may join it.
  if (plan.many.length > 0 || isBeginning) {
    await sayMany(look, plan.many, plan.joins)
    // Stored now, so that alerts that come soon join the message, whichever process tells them.
    await storage.follows.change(follow, (one) => withFound(one, follow, found))
  }

  for (const alert of plan.cards) await sayCard(look, alert, plan.joins)
  await sayUncalled(look)
  const isEmptied = listed.length === 0 && Object.keys(follow.seen).length > 0
  const since = isEmptied ? at : (follow.modesAt ?? 0)
  const all = await quietIn(house, look.reader, containerId, since)
  const quiet = all.filter(({ isDisabled }) => !isDisabled)
  look.ownLines = quietLines(quiet, follow, at)
  await sayMaintenanceSet(house, follow, quiet, (message) => sayInLook(look, message))
  if (look.failure?.isChannelLost) return goOut(house, follow)

  // 6. The rest is noted, or handed to the carrier, before anything is drawn: an edit notifies nobody.
  await noteUnsaid(look)
  const drawn = await house.updates.keepingRoom(() => drawOne(look))
  if (drawn === 'shared') return endShared(house, follow)
  if (drawn === 'out') return goOut(house, follow)

  // 7. Where the others are, once all is told. A card is drawn again for that: where it is, is news.
  const placed = await placeOthers(look)
  for (const [ks, asset] of look.placed) {
    const seen = found.seen.get(ks)
    if (seen) found.seen.set(ks, { ...seen, asset, since: undefined })
  }
  found.quietStates = quietStatesOf(quiet, at)
  const changed = cardsChanged(follow.quietStates ?? [], found.quietStates, found.seen)
  const outdated = [...new Set([...(follow.cardsToDraw ?? []), ...changed])]
  found.cardsToDraw = outdated.slice(look.left)
  const toDraw = new Set([...placed, ...outdated.slice(0, look.left)])

  for (const ks of toDraw) await storage.liveCards.change(cardKeyOf(follow, ks), poked)
  if (toDraw.size > 0) poller.wake()
  return { ...usual(house, look.failure), found }
}

/** Keys of new alerts whose card is in Slack already: they are open again, or a crash came between. */
async function newWithCard({ storage }: House, follow: Follow, listed: readonly OpenAlert[]) {
  const { seen, forgotten = {}, least } = follow
  const withCard = new Set<string>()
  for (const alert of listed) {
    const { ks } = alert
    const isKnown = Object.hasOwn(seen, ks) || Object.hasOwn(forgotten, ks)
    if (isKnown || !isGrave(alert, least)) continue

    const card = await storage.cards.find(cardKeyOf(follow, ks))
    if (card?.posted !== undefined) withCard.add(ks)
  }

  return withCard
}

/**
 * @param about - New alerts that it tells of.
 * @returns Where it is; undefined where it is to be said later.
 */
async function postInLook(
  look: Look,
  about: readonly OpenAlert[],
  send: () => Promise<Posted>,
  calls?: string,
): Promise<Posted | undefined> {
  const { house, follow } = look
  if (look.failure) return undefined

  try {
    const posted = await send()
    look.isSaid = true
    return posted
  } catch (error) {
    if (!(error instanceof SlackError)) throw error

    if (error.meaning === 'message' && about.length > 0) {
      house.log.error({ err: error }, 'Slack does not take a new alert as it is')
      const unshown = renderUnshown(follow, about.length)
      // Sent as being about no alert, so that it is not replaced once more.
      return sayInLook(look, calling(unshown, calls))
    }

    look.failure = error
    house.log.failedJob('warn', { err: error }, 'a followed channel can’t be told what is new yet')
    if (error.mayBeDone) noteUnconfirmed(look, about)
    return undefined
  }
}

/** Notes alerts that Slack may have posted: they are tried again, but later. */
function noteUnconfirmed({ found, at }: Look, about: readonly OpenAlert[]): void {
  const { unconfirmed = {} } = found
  const again = about.map(({ ks }) => {
    const tries = (unconfirmed[ks]?.tries ?? 0) + 1
    const againAt = at + unconfirmedMs(tries)
    return [ks, { tries, againAt }] as const
  })

  found.unconfirmed = { ...unconfirmed, ...Object.fromEntries(again) }
}

/** Says what is about no new alert. */
function sayInLook(look: Look, message: Message): Promise<Posted | undefined> {
  const { house, follow } = look
  return postInLook(look, [], () => post(house, follow, message))
}

/**
 * Draws again what stands, if Slack takes that now.
 * @returns `later`, or what Slack’s refusal for good means.
 */
async function redrawNow({ house }: Look, posted: Posted, message: Message) {
  const { slack, updates, log } = house
  try {
    const isDone = await updates.run(() => slack.updateOnce(posted, message))
    return isDone ? 'drawn' : 'later'
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    log.info({ err: error }, 'a message of a followed container could not be drawn again')
    return error.isForGood ? error.meaning : 'later'
  }
}

/** Says that nobody looked for some time: in the warning that was posted meanwhile, if it can. */
async function sayGap(look: Look, { from, to }: NonNullable<Follow['gap']>): Promise<void> {
  const { follow, found } = look
  const { failMessage } = follow
  const gap = renderGap(follow, from, to)
  const outcome = failMessage && (await redrawNow(look, failMessage, gap))
  if (outcome === 'later') return
  if (outcome !== 'drawn') await sayInLook(look, gap)

  const { failure } = look
  // A post that may have arrived is not repeated.
  if (failure && !failure.isForGood && !failure.mayBeDone) return
  found.failMessage = undefined
  found.gap = undefined
}

/** Whom to call for these alerts: somebody, where one that nobody owns is grave enough. */
async function callForNew({ house, follow, found }: Look, alerts: readonly OpenAlert[]) {
  const gravest = alerts.find(({ ownerId }) => ownerId === null)
  const call = found.call ?? follow.call
  return gravest && (await callNow(house, follow.channelId, call, gravest.lastSeverity))
}

/** Says once, until they are back, that whoever is to be called can’t be. */
async function sayUncalled(look: Look): Promise<void> {
  const { house, follow, found } = look
  const call = found.call ?? follow.call
  if (call?.away !== 'seen') return

  const message = renderUncalled(follow, call)
  await sayInLook(look, message)
  // The next look says it.
  if (look.failure?.isForGood === false) return
  if (await tellCarrier(house, follow, message)) found.call = { ...call, away: 'told' }
}

type NewList = Omit<AlertList, 'fingerprint' | 'drawnAt'>

/** Tells many alerts in one message: a recent one that they join, or a new one. */
async function sayMany(
  look: Look,
  many: readonly OpenAlert[],
  joins: AlertList | undefined,
): Promise<void> {
  const { found, follow } = look
  const isAllKnown = many.length === 0 && found.seen.size > 0
  if (isAllKnown) {
    found.noNewsBelow = undefined
    return
  }

  const isBeginning = follow.noNewsBelow !== undefined
  const list = await postMany(look, many, joins)
  if (list === undefined) {
    look.waiting += many.length
    // A first list that Slack may have posted says nothing new, so it is not repeated.
    const isMaybe = isBeginning && look.failure?.mayBeDone === true
    if (!isMaybe) return
  } else if (list.keys.length > 0) {
    const others = found.lists.filter(({ posted }) => posted.ts !== joins?.posted.ts)
    found.lists = [...others, drawnNow(look, list)].slice(-mostLists)
  }

  for (const alert of many) found.seen.set(alert.ks, seenOf(alert, false, whereIs(look, alert)))
  if (!isBeginning) newAlertsTotal.inc(many.length)
  found.noNewsBelow = undefined
}

/** @returns Nothing where it is to be said later. */
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
  const isNew = follow.noNewsBelow === undefined
  const call = isNew ? await callForNew(look, many) : undefined
  const list = {
    kind: isNew ? 'new' : 'open',
    keys,
    at,
    worst: many[0]?.lastSeverity ?? Number.POSITIVE_INFINITY,
    calls: mentionOf(call),
  } as const
  const send = () => post(house, follow, renderOne(look, list))
  const posted = await postInLook(look, many, send, list.calls)
  if (posted === undefined) return undefined

  if (call !== undefined) found.call = call
  return { ...list, posted }
}

/** The place of an alert, as far as this look or one before it has found it. */
function whereIs({ found, placed, at }: Look, { ks }: OpenAlert) {
  const { asset = placed.get(ks), since = at } = found.seen.get(ks) ?? {}
  return { asset, since }
}

/** A message of many alerts, as the list has them now. */
function renderOne(
  look: Look,
  list: Pick<AlertList, 'kind' | 'keys' | 'calls'>,
  asOf = look.at,
): Message {
  const { house, follow, listed } = look
  const { carrier, containerId, container, least } = follow
  const among = new Set(list.keys)
  const open = listed.filter(({ ks }) => among.has(ks))
  const assetOf = (alert: OpenAlert) => whereIs(look, alert).asset
  const shown = {
    ...shortList(house, carrier, containerId, open, assetOf),
    container,
    asOf: Math.floor(asOf / 1000),
  }

  const told = { kind: list.kind, count: among.size }
  const message = renderAlerts(house.config, told, least, shown)
  return calling(message, list.calls)
}

function drawnNow(look: Look, list: NewList): AlertList {
  const fingerprint = fingerprintOf(renderOne(look, list, 0))
  return { ...list, fingerprint, drawnAt: look.at }
}

/** Posts the card of one alert, and notes that it is told. */
async function sayCard(look: Look, alert: OpenAlert, joins: AlertList | undefined): Promise<void> {
  const { house, follow, found, at } = look
  const { ks, lastSeverity } = alert
  const call = await callForNew(look, [alert])
  const calls = mentionOf(call)
  const send = () => postAlert(look, alert, calls)
  const posted = await postInLook(look, [alert], send, calls)
  if (posted === undefined) {
    look.waiting += 1
    return
  }

  if (!Object.hasOwn(follow.seen, ks)) newAlertsTotal.inc()
  if (call !== undefined) found.call = call

  const card = await house.storage.cards.find(cardKeyOf(follow, ks))
  // Without a card, a line stands for the alert.
  const hasCard = card?.posted !== undefined
  found.seen.set(ks, seenOf(alert, hasCard, whereIs(look, alert)))
  found.cardsAt = [...found.cardsAt, at].slice(-mostCards)

  // Alerts of a list, or told while others join it, count as told there.
  found.lists = found.lists.map((list) => {
    const isTold = list.keys.includes(ks) || list.posted.ts === joins?.posted.ts
    return isTold ? { ...list, worst: Math.min(list.worst, lastSeverity) } : list
  })
}

/** Posts a card as the list has the alert; its first look brings the rest. */
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

  // A card that Slack did not take before is brought up to date, and so is its call.
  const told = marksOf(alert)
  const again = await house.storage.cards.change(key, (one) => ({ ...one, calls, told }))
  const card = again ?? (await keepNewCard(house, reader, alert, about))

  const sent = await sendCard(house, card, alert, async (story) => ({
    isPrivate: false,
    posted: await post(house, follow, story.card(false)),
    // Nothing that was done is known yet: the card’s first look brings it.
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

/** Has an alert's live card read next; one that is not live any more is live again, unless its alert is closed. */
async function readSoon(
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
    // The card shows what the list says, as after a look for somebody who watches it.
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

/** Notes what the channel still has to hear, and tells the carrier where Slack refuses it for good. */
async function noteUnsaid(look: Look): Promise<void> {
  const { house, follow, at, found, failure, waiting, isSaid } = look
  // News that waited, and that no look finds any more, is moot; but not while the place refuses it.
  const isMoot = failure === undefined && follow.unsaid?.word === undefined
  if (waiting > 0) {
    const before = isSaid ? undefined : follow.unsaid
    const word = failure?.isForGood ? failure.word : undefined
    found.unsaid = { since: at, ...before, word, alerts: waiting }
  } else if (isSaid || isMoot) found.unsaid = undefined

  const { unsaid } = found
  if (unsaid?.word === undefined || unsaid.isTold) return
  if (await tellCarrier(house, follow, renderUnsaid(follow, unsaid)))
    found.unsaid = { ...unsaid, isTold: true }
}

/** Redraws one message that is out of date: the one drawn longest ago. */
async function drawOne(look: Look): Promise<'shared' | 'out' | undefined> {
  const { house, follow, at, found, isDrawn } = look
  if (isDrawn || !house.updates.hasRoom()) return

  const { ownMessage } = follow
  const said = withFound(follow, follow, found)
  const mine = renderFollow(house.config, { ...said, readAt: 0 }, true, look.ownLines)
  const fingerprint = fingerprintOf(mine)
  const isOwnOld = at - ownMessage.drawnAt >= drawnEveryMs
  const isOwnDue = isOwnOld || fingerprint !== ownMessage.fingerprint
  const changed = found.lists.filter(
    (list) => list.fingerprint !== drawnNow(look, list).fingerprint,
  )
  const due = isOwnDue ? [ownMessage, ...changed] : changed
  const [oldest] = due.toSorted((one, other) => one.drawnAt - other.drawnAt)
  if (oldest === undefined) return

  const { channels } = house.slack
  if (await channels.isSharedLately(follow.channelId)) return 'shared'

  const list = changed.find((one) => one === oldest)
  const message = list
    ? renderOne(look, list)
    : renderFollow(house.config, said, true, look.ownLines)
  const outcome = await redrawNow(look, oldest.posted, message)
  if (outcome === 'later') return
  if (outcome === 'closed') {
    const state = await channels.stateOf(follow.channelId, true)
    if (state?.isMember === false) return 'out'
  }

  if (list === undefined) {
    found.ownMessage = { ...oldest, fingerprint, drawnAt: at }
    return
  }

  const isOver = look.listed.every(({ ks }) => !list.keys.includes(ks))
  // A list that is gone, or can't be changed, is dropped: later alerts get a new one.
  const isKept = !isOver && (outcome === 'drawn' || outcome === 'message')
  const kept = isKept ? [drawnNow(look, list)] : []
  found.lists = found.lists.flatMap((one) => (one === list ? kept : one))
}
