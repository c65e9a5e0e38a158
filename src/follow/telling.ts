// Tells a follow’s channel what a look has found, in a fixed order: gaps, new alerts, calls made again, maintenance. Then
// edits a message that is out of date. (A follow is a channel that gets a container’s new alerts, read with the token of its
// carrier. A card is a message on one alert.)

import { calleesOf, withTold } from '../alert/followed.ts'
import type { Counts } from '../alert/tally.ts'
import type { House } from '../house.ts'
import { quietIn } from '../maintenance/names.ts'
import type { OpenAlert } from '../monitor/schema.ts'
import { containerInWords } from '../names/containers.ts'
import type { SlackError } from '../slack/client.ts'
import type { Line } from '../slack/outbound/message.ts'
import { minuteMs } from '../work/durations.ts'
import { poked } from '../work/lease.ts'
import { callAgain, isRepeatDue, openCallFor } from './calls.ts'
import { endShared, goOut } from './end.ts'
import {
  type AfterLook,
  cardKeyOf,
  countedIn,
  type Follow,
  gapMs,
  isGrave,
  isSilent,
  mostReads,
  planFor,
  withFound,
} from './follows.ts'
import { drawnNow, readSoon, renderOne, sayCard, sayMany } from './new-alerts.ts'
import { placeNew, placeOthers } from './placing.ts'
import { type Look, redrawNow, sayInLook, tellCarrier } from './posting.ts'
import { cardsChanged, quietLines, quietStatesOf, sayMaintenanceSet } from './quiet.ts'
import { fingerprintOf, renderFollow, renderGap, renderUncalled, renderUnsaid } from './render.ts'

/** How often the follow’s own message is drawn again if nothing in it has changed but the time of the last look. */
const drawnEveryMs = 10 * minuteMs

/** Changes to the follow to store after a look. `inMs`: the time until the next look. */
export interface Looked extends Partial<Pick<Follow, 'failMessage' | 'failures' | 'isMissing'>> {
  readonly inMs: number | 'never'
  /** The follow as the look leaves it; undefined if the look told nothing. */
  readonly found?: AfterLook
  readonly counts?: Counts
  /** The time without a look that ends with this one; undefined if there was none. */
  readonly pause?: Follow['gap']
}

/** The next look comes at its usual time, or once Slack’s wait is over if that is later. */
export function usual({ config }: House, failure?: SlackError): Looked {
  const usualMs = Math.round(config.follow.intervalMs * (0.95 + Math.random() / 10))
  return {
    failures: 0,
    isMissing: false,
    inMs: Math.max(usualMs, (failure?.waitSeconds ?? 0) * 1000),
  }
}

/**
 * Tells the channel all that is new, and has its cards brought up to date.
 * @returns Nothing if the follow has ended, or if the bot is out of the channel: that is stored already.
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

  // Notes the container of these alerts: cards can then name it without a look-up.
  const { alerts } = names.used({ owner: carrier, token })
  for (const { ks } of listed) alerts.set(ks, containerId)

  const container = containerInWords(house, carrier, containerId, taken.container)
  const follow = { ...taken, container }

  const withCard = await newWithCard(house, follow, listed)
  const plan = planFor(follow, listed, withCard, at)
  const isGap = isSilent(follow, config.follow.intervalMs, at)
  const gap = isGap ? { from: follow.gap?.from ?? follow.readAt, to: at } : follow.gap

  const isBeginning = follow.noNewsAbove !== undefined
  const isNews = isBeginning || plan.many.length + plan.cards.length > 0
  const isAwayUntold = calleesOf(follow.call).some(({ away }) => away === 'untold')
  const owesNews =
    unsaid !== undefined || gap !== undefined || isAwayUntold || isRepeatDue(follow, at)

  // 1. Asks Slack who reads in the channel, before anything is posted there or more is read from the service. Slack
  // answers some 50 such questions a minute, so it is asked only if there is something to say. If Slack doesn’t answer,
  // the next look tells all.
  if (isNews || owesNews || plan.reread.length > 0) {
    const state = await slack.channels.stateOf(channelId)
    if (state?.isShared) return endShared(house, follow)
    if (state?.isMember === false) return goOut(house, follow)
    if (state?.isShared === undefined) return usual(house)
  }

  // 2. Makes the cards of changed alerts due, whatever Slack takes here: the loop of live cards reads and tells them.
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
    waiting: 0,
    isSaid: false,
    isDrawn: false,
  }

  // 3. Finds the places of new alerts before these are told: so the notification, which can’t be edited, names the place.
  const told = [...plan.cards, ...plan.many].map(({ ks }) => ks)
  await placeNew(look, [...told, ...plan.reread], plan.cards)

  // 4. Tells for how long nobody looked, and for how long Slack took no news. Both come before the news, as they explain
  // why so much comes at once below. If Slack refuses messages in this channel for good (`word`), the time without news
  // is told only if there is news.
  if (gap !== undefined) await sayGap(look, gap)
  const isTried = isNews || unsaid?.word === undefined
  const isLong = unsaid !== undefined && at - unsaid.since > gapMs
  if (isTried && isLong) await sayInLook(look, renderGap(follow, unsaid.since, at))

  // 5. Notes the call that the news makes, before the news is posted: if the process dies in between, the call is repeated.
  if (!isBeginning) await openCallFor(house, follow, [...plan.many, ...plan.cards])

  // 6. Tells many alerts in one message, before the cards, as an alert with a card may join that message.
  if (plan.many.length > 0 || isBeginning) {
    await sayMany(look, plan.many, plan.joins)
    // Stored now, so that alerts that come soon join the message, whichever process tells them.
    await storage.follows.change(follow, (one) => withFound(one, follow, found))
  }

  // 7. Tells the other new alerts, each in a card.
  for (const alert of plan.cards) await sayCard(look, alert, plan.joins)

  // 8. Repeats a call, after the news: if the news has just called somebody, only a graver alert calls again at once.
  await repeatCall(look)

  // 9. Tells who can’t be called, after all calls: each call finds out whether its person is there.
  await sayUncalled(look)

  // 10. Tells maintenance, after the news: if this post fails, it holds up no alert. If the last open alert is gone, modes
  // (such as maintenance) are read anew, as maintenance may have caused that.
  const isEmptied = listed.length === 0 && Object.keys(follow.seen).length > 0
  const since = isEmptied ? at : (follow.modesAt ?? 0)
  const all = await quietIn(house, look.reader, containerId, since)
  const quiet = all.filter(({ isDisabled }) => !isDisabled)
  await sayMaintenanceSet(look, quiet)
  if (look.failure?.isChannelLost) return goOut(house, follow)

  // 11. Notes what is still to be told, or tells the carrier of it, before the edits: the follow’s own message shows it.
  await noteUnsaid(look)

  // 12. Edits one message that is out of date, after the posts, as an edit notifies nobody.
  const lines = quietLines(quiet, follow, at)
  const drawn = await house.updates.keepingRoom(() => drawOne(look, lines))
  if (drawn === 'shared') return endShared(house, follow)
  if (drawn === 'out') return goOut(house, follow)

  // 13. Searches for the places of other alerts, with the reads that are left once all is told. A card is drawn again if its
  // alert’s place was found, or if maintenance of its machine has changed.
  const placed = await placeOthers(look)
  for (const [ks, asset] of look.placed) {
    const seen = found.seen.get(ks)
    if (seen) found.seen.set(ks, { ...seen, asset, since: undefined })
  }
  found.quietStates = quietStatesOf(quiet, at)
  const changed = cardsChanged(follow.quietStates ?? [], found.quietStates, found.seen)
  const toDraw = [...new Set([...placed, ...changed])]
  // Cards beyond the reads that this look has left are due in the next minutes.
  const used = mostReads - look.left
  for (const [place, ks] of toDraw.entries()) {
    const minutes = Math.floor((used + place) / mostReads)
    await storage.liveCards.change(cardKeyOf(follow, ks), (one, now) =>
      poked(one, now + minutes * minuteMs),
    )
  }
  if (toDraw.length > 0) poller.wake()

  return {
    ...usual(house, look.failure),
    found,
    counts: countedIn(follow, found, listed, withCard),
    pause: isGap ? { from: follow.readAt, to: at } : undefined,
  }
}

/** Keys of new alerts whose card is in Slack already: each is open again, or a crash came after its card’s post. */
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

/** Says that nobody looked for some time: by an edit of the warning of failed looks, if there is one, else in a message. */
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

/** Repeats a call that nobody has answered, unless Slack takes no posts just now. */
async function repeatCall({ house, follow, found, listed, failure }: Look): Promise<void> {
  if (failure?.isForGood === false) return

  const call = found.call ?? follow.call
  const made = await callAgain(house, follow, listed, call)
  if (made !== undefined) found.call = made
}

/** Tells channel and carrier, once for each absence, that somebody who is to be called isn’t there. */
async function sayUncalled(look: Look): Promise<void> {
  const { house, follow, found } = look
  for (const callee of calleesOf(found.call ?? follow.call)) {
    if (callee.away !== 'untold') continue

    const message = renderUncalled(follow, callee)
    await sayInLook(look, message)
    // After a failure that passes, the next look says it. After a refusal for good, the carrier alone hears it.
    if (look.failure?.isForGood === false) return

    const call = found.call ?? follow.call
    if (call !== undefined && (await tellCarrier(house, follow, message)))
      found.call = withTold(call, callee.mention)
  }
}

/** Notes what the channel still has to hear, and tells the carrier if Slack refuses it for good. */
async function noteUnsaid(look: Look): Promise<void> {
  const { house, follow, at, found, failure, waiting, isSaid } = look
  // True if no post failed in this look, and the channel didn’t refuse messages for good before. Once no news waits, the
  // note of waiting news is then dropped.
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

/**
 * Redraws one message that is out of date: the one drawn longest ago.
 * @param lines - Lines on maintenance, for the follow’s own message.
 * @returns `shared` if another organisation may read in the channel; `out` if the bot isn’t there.
 */
async function drawOne(look: Look, lines: readonly Line[]): Promise<'shared' | 'out' | undefined> {
  const { house, follow, at, found, isDrawn } = look
  if (isDrawn || !house.updates.hasRoom()) return

  const { ownMessage } = follow
  const said = withFound(follow, follow, found)
  const mine = renderFollow(house.config, { ...said, readAt: 0 }, true, lines)
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
  const message = list ? renderOne(look, list) : renderFollow(house.config, said, true, lines)
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
