// A look at a followed container: one list, read with its carrier's token. New alerts get a card, many at once one message;
// live cards of those that changed, or are gone, are made due, and read one by one.
import { isClosed } from '../alert/render/state.ts'
import { keepNewCard } from '../alert/show.ts'
import { MonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import { sendCard } from '../live/draw.ts'
import { poked, takenBy } from '../live/lease.ts'
import { withoutFollow } from '../live/live-cards.ts'
import { keepWatch } from '../live/watching.ts'
import { newAlertsTotal } from '../metrics/metrics.ts'
import { type Alert, gravestFirst, type OpenAlert } from '../monitor/schema.ts'
import { SlackError, waitSecondsOf } from '../slack/client/slack-error.ts'
import type { Landed, Story } from '../slack/outbound/delivery.ts'
import type { Message, Posted } from '../slack/outbound/message.ts'
import type { DocKey } from '../storage/docs.ts'
import { doubling } from '../work/retry.ts'
import { endFollow, loseCarrier } from './end.ts'
import {
  cardIdOf,
  type Follow,
  type Looked,
  lookedAt,
  planFor,
  type Storm,
  seenOf,
  waitsMs,
} from './follows.ts'
import { renderFollow, renderGap, renderOpenThere, renderStorm } from './render.ts'

/** A process that has had a follow for longer is taken for dead. */
const leaseMs = 30_000
/** A service that fails is asked this rarely at last. */
const longestPauseMs = 10 * 60_000
/** A longer silence is told. */
const gapMs = 5 * 60_000
/** Its own message says when it last looked. */
const drawnEveryMs = 10 * 60_000
/** More new alerts than that are one message. */
const mostCards = 5
/** More of them that come this soon after stand in the same message. */
const stormMs = 10 * 60_000
/** Nobody watches over a closed alert for ever: a follow has its own way to end. */
const forEverMs = 100 * 365 * 24 * 60 * 60_000

/** Takes the follows that are due; each is a look. */
export async function takeFollows(house: House): Promise<readonly (() => Promise<void>)[]> {
  const due = await house.storage.follows.takeDue(
    (follow, now) => takenBy(follow, house.poller.owner, leaseMs, now),
    waitsMs + leaseMs,
  )
  return due.map((follow) => () => look(house, follow))
}

/** Never rejects: what fails is tried again, at the latest when the lease is over. */
function look(house: House, key: DocKey): Promise<void> {
  const { storage, poller, turns, log, now } = house
  return turns(`follow ${key.id}`, async () => {
    try {
      // A look that took longer than its lease has done what this one was to do.
      const follow = await storage.follows.find(key)
      if (follow?.holder !== poller.owner || follow.heldUntil <= now()) return
      const looked = await lookOnce(house, follow)
      if (looked) await storage.follows.change(key, (one, at) => lookedAt(one, follow, looked, at))
    } catch (error) {
      const what = { err: error, follow: key.id }
      log.failedJob('error', what, 'a followed container could not be looked at; it is tried again')
    }
  })
}

/** @returns Nothing where it has ended, or nobody reads any more. */
async function lookOnce(house: House, follow: Follow): Promise<Looked | undefined> {
  const { tokens, monitor, config } = house
  const { workspaceId, carrier, containerId } = follow
  if (follow.lost !== undefined) {
    const inMs = follow.lost.at + waitsMs - house.now()
    return inMs > 0 ? { failures: 0, inMs } : endFollow(house, follow, { kind: 'unclaimed' })
  }
  const failures = follow.failures + 1
  const pauseMs = doubling(2 * config.follow.intervalMs, longestPauseMs)(failures)
  try {
    const token = await tokens.find({ workspaceId, userId: carrier.userId })
    if (token === undefined) return await loseCarrier(house, follow, 'disconnected')
    const listed = await monitor.openAlertsIn(token, containerId)
    if (listed.kind !== 'listed') return await loseCarrier(house, follow, 'no-container')
    return await tell(house, follow, token, listed.alerts)
  } catch (error) {
    if (error instanceof MonitorError) {
      const { code, retryAfterMs } = error
      if (code === 'refused' || code === 'forbidden') return await loseCarrier(house, follow, code)
      return { failures, inMs: Math.max(pauseMs, Math.min(retryAfterMs, longestPauseMs)) }
    }
    if (!(error instanceof SlackError)) throw error
    if (error.isMessageLost) return endFollow(house, follow, { kind: 'gone' })
    return { failures, inMs: pauseAfter(house, error) ?? pauseMs }
  }
}

/** What Slack did not take comes in a later look. */
function pauseAfter({ log }: House, error: unknown): number | undefined {
  log.failedJob('warn', { err: error }, 'news of a followed container could not be posted; trying again')
  const waitSeconds = waitSecondsOf(error)
  return waitSeconds === undefined ? undefined : waitSeconds * 1000
}

/** Says in the channel what is new in a list, and has everything else brought up to date. */
async function tell(
  house: House,
  follow: Follow,
  token: string,
  listed: readonly OpenAlert[],
): Promise<Looked | undefined> {
  const { config, slack, names, now } = house
  const { workspaceId, channelId, carrier, containerId, readAt } = follow
  const at = now()
  // Whose cards are to name the container need not look for it.
  const { alerts } = names.used({ workspaceId, userId: carrier.userId }, token)
  for (const { ks } of listed) alerts.set(ks, containerId)
  const { fresh, changed, left, seen } = planFor(follow, listed, at)
  const known = new Map(Object.entries(seen))
  const isFirst = follow.seen === undefined
  const isGap = !isFirst && at - readAt > Math.max(gapMs, 3 * config.follow.intervalMs)
  // Slack is asked only where there is something to say: it answers some 50 such questions a minute.
  const says = isFirst || isGap || fresh.length > 0
  if (says && (await slack.channels.wasShared(channelId))) return endFollow(house, follow, { kind: 'shared' })
  if (isGap) await post(house, follow, renderGap(follow, readAt, at))
  let { storm } = follow
  let failure: unknown
  try {
    if (isFirst) await post(house, follow, renderOpenThere(config, listOf(house, follow, fresh, at)))
    else if (fresh.length > mostCards) storm = await postStorm(house, follow, fresh, at)
    for (const alert of fresh) {
      const hasCard = !isFirst && fresh.length <= mostCards && (await postCard(house, follow, token, alert))
      known.set(alert.ks, seenOf(alert, hasCard))
    }
  } catch (error) {
    if (isFirst || !(error instanceof SlackError) || error.isMessageLost) throw error
    // Those that are posted stay known.
    failure = error
  }
  for (const ks of changed) if (!(await readSoon(house, follow, ks, listed))) known.delete(ks)
  for (const ks of left) await letGo(house, follow, ks)
  const { intervalMs } = config.follow
  const usualMs = Math.round(intervalMs * (0.95 + Math.random() / 10))
  return {
    seen: Object.fromEntries(known),
    storm: await redrawStorm(house, follow, storm, listed, at),
    readAt: at,
    drawnAt: await drawOwn(house, follow, at),
    failures: 0,
    inMs: failure === undefined ? usualMs : (pauseAfter(house, failure) ?? usualMs),
  }
}

/** For a message in the channel: it is shared with no other organisation. */
function listOf({ names }: House, follow: Follow, alerts: readonly OpenAlert[], at: number) {
  const { workspaceId, carrier, containerId, container } = follow
  const people = names.of({ workspaceId, userId: carrier.userId })?.in(containerId).people ?? []
  return {
    container,
    containerId,
    alerts: alerts.toSorted(gravestFirst),
    people: Object.fromEntries(people.map((one) => [one.id, one.name])),
    asOf: Math.floor(at / 1000),
  }
}

function post({ slack, pace }: House, { channelId }: Follow, message: Message): Promise<Posted> {
  return pace.inTurn(channelId, () => slack.post(channelId, message))
}

/** @returns False where it has no card: it is closed, or the carrier may not read it. */
async function postCard(house: House, follow: Follow, token: string, listed: OpenAlert): Promise<boolean> {
  const { storage, monitor } = house
  const { workspaceId, channelId, carrier } = follow
  const { ks } = listed
  const key = { workspaceId, id: cardIdOf(follow, ks) }
  const known = await storage.cards.find(key)
  // It stands there from before a crash, or is open again.
  if (known?.posted !== undefined) return readSoon(house, follow, ks, [listed])
  let alert: Alert
  try {
    alert = await monitor.readAlert(token, ks, 2)
  } catch (error) {
    const isGone =
      error instanceof MonitorError && ['not-found', 'bad-request', 'forbidden'].includes(error.code)
    if (isGone) return false
    throw error
  }
  if (isClosed(alert)) return false
  newAlertsTotal.inc()
  const owner = { workspaceId, userId: carrier.userId }
  const about = { id: key.id, ks, askerName: '', channelId, isPrivate: false }
  const card = known ?? (await keepNewCard(house, owner, token, alert, about))
  const { posted } = await sendCard(house, card, alert, (story) => send(house, follow, story, alert))
  if (posted !== undefined) await keepWatch(house, watchOf(follow, ks, posted, alert, 'never'))
  return true
}

/** A thread begins with the first thing that is done. */
async function send(house: House, follow: Follow, story: Story, { actions }: Alert): Promise<Landed> {
  const posted = await post(house, follow, story.card(false))
  let isHistoryTold = true
  if (actions.length > 0)
    await house.slack.reply(posted, story.history()).catch((error: unknown) => {
      if (!(error instanceof SlackError)) throw error
      isHistoryTold = false
    })
  return { layout: 'thread', isPrivate: false, isHistoryTold, posted }
}

function watchOf(
  { workspaceId, id: followId }: Follow,
  ks: string,
  posted: Posted,
  alert: Alert,
  inMs: number | 'never',
) {
  const id = cardIdOf({ workspaceId, id: followId }, ks)
  return { workspaceId, id, ks, posted, userId: '', name: '', forMs: forEverMs, followId, alert, inMs }
}

/** Its live card is read next. @returns False where there is none any more, as the alert is closed. */
async function readSoon(
  house: House,
  follow: Follow,
  ks: string,
  listed: readonly OpenAlert[],
): Promise<boolean> {
  const { storage, poller } = house
  const key = { workspaceId: follow.workspaceId, id: cardIdOf(follow, ks) }
  if ((await storage.liveCards.change(key, poked)) !== undefined) {
    poller.wake()
    return true
  }
  const open = listed.find((one) => one.ks === ks)
  const posted = open && (await storage.cards.find(key))?.posted
  if (open === undefined || posted === undefined) return false
  const { lastMessage, lastSeverity, timestamp } = open
  const first = { message: lastMessage, severity: lastSeverity, lastTimestamp: timestamp }
  await keepWatch(
    house,
    watchOf(follow, ks, posted, { ...open, ...first, closedTimestamp: null, actions: [] }, 0),
  )
  return true
}

async function letGo({ storage }: House, follow: Follow, ks: string): Promise<void> {
  await storage.liveCards.change({ workspaceId: follow.workspaceId, id: cardIdOf(follow, ks) }, withoutFollow)
}

async function postStorm(
  house: House,
  follow: Follow,
  fresh: readonly OpenAlert[],
  at: number,
): Promise<Storm> {
  const { storm } = follow
  const keys = fresh.map(({ ks }) => ks)
  newAlertsTotal.inc(keys.length)
  // It is drawn with these, too.
  if (storm !== undefined && at - storm.at < stormMs)
    return { ...storm, keys: [...storm.keys, ...keys], at, open: -1 }
  const message = renderStorm(house.config, listOf(house, follow, fresh, at), keys.length)
  return { posted: await post(house, follow, message), keys, at, open: keys.length }
}

/** @returns Undefined once none of them is open. */
async function redrawStorm(
  house: House,
  follow: Follow,
  storm: Storm | undefined,
  listed: readonly OpenAlert[],
  at: number,
): Promise<Storm | undefined> {
  if (storm === undefined) return undefined
  const keys = new Set(storm.keys)
  const open = listed.filter(({ ks }) => keys.has(ks))
  if (open.length === storm.open) return storm
  const message = renderStorm(house.config, listOf(house, follow, open, at), keys.size)
  if (!(await redraw(house, storm.posted, message, 'change'))) return storm
  return open.length === 0 ? undefined : { ...storm, open: open.length }
}

/** @returns When it was drawn. */
async function drawOwn(house: House, follow: Follow, at: number): Promise<number> {
  if (at - follow.drawnAt < drawnEveryMs) return follow.drawnAt
  const message = renderFollow(house.config, follow, at)
  return (await redraw(house, follow.posted, message, 'renewal')) ? at : follow.drawnAt
}

/** As often as Slack takes it. @returns False where it has to be waited for. One that somebody deleted is gone. */
async function redraw(
  { slack, updates, log }: House,
  posted: Posted,
  message: Message,
  urgency: 'change' | 'renewal',
): Promise<boolean> {
  const done = updates.take(urgency)
  if (done === undefined) return false
  try {
    await slack.updateOnce(posted, message)
    return true
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    if (error.waitSeconds !== undefined) updates.busy(error.waitSeconds)
    else log.info({ err: error }, 'a message of a followed container could not be drawn again')
    return error.waitSeconds === undefined
  } finally {
    done()
  }
}

/** How many containers are followed, and how old the last look is of the one that was looked at longest ago. */
export async function countFollows({ storage, now }: House) {
  const all = await storage.follows.list({})
  const read = all.filter(({ lost }) => lost === undefined)
  const oldest = Math.min(...read.map(({ readAt }) => readAt || now()))
  return {
    byState: { read: read.length, lost: all.length - read.length },
    ageSeconds: read.length === 0 ? 0 : (now() - oldest) / 1000,
  }
}
