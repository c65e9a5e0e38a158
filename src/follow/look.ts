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
import { SlackError } from '../slack/client/slack-error.ts'
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
/** Of a message that is still to be drawn with those that came. */
const undrawn = -1
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
  const { lost } = follow
  try {
    if (lost === undefined) return await readAndTell(house, follow)
    const inMs = lost.at + waitsMs - house.now()
    return inMs > 0 ? { failures: 0, inMs } : await endFollow(house, follow, { kind: 'unclaimed' })
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    return error.isMessageLost ? endFollow(house, follow, { kind: 'gone' }) : again(house, follow, error)
  }
}

async function readAndTell(house: House, follow: Follow): Promise<Looked | undefined> {
  const { tokens, monitor } = house
  const { workspaceId, carrier, containerId } = follow
  const token = await tokens.find({ workspaceId, userId: carrier.userId })
  if (token === undefined) return loseCarrier(house, follow, 'disconnected')
  try {
    const listed = await monitor.openAlertsIn(token, containerId)
    if (listed.kind !== 'listed') return await loseCarrier(house, follow, 'no-container')
    return await tell(house, follow, token, listed.alerts)
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    const { code } = error
    if (code === 'refused' || code === 'forbidden') return loseCarrier(house, follow, code)
    return again(house, follow, error)
  }
}

/** Another look, after as long as whoever failed asks for, else ever later. */
function again({ config, log }: House, { failures }: Follow, error: MonitorError | SlackError): Looked {
  const pauseMs = doubling(2 * config.follow.intervalMs, longestPauseMs)(failures + 1)
  if (error instanceof MonitorError)
    return { failures: failures + 1, inMs: Math.max(pauseMs, Math.min(error.retryAfterMs, longestPauseMs)) }
  log.failedJob('warn', { err: error }, 'news of a followed container could not be posted; trying again')
  const { waitSeconds } = error
  return { failures: 0, inMs: waitSeconds === undefined ? pauseMs : waitSeconds * 1000 }
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
  let failure: SlackError | undefined
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
  const usualMs = Math.round(config.follow.intervalMs * (0.95 + Math.random() / 10))
  return {
    ...(failure === undefined ? { failures: 0, inMs: usualMs } : again(house, follow, failure)),
    seen: Object.fromEntries(known),
    storm: await redrawStorm(house, follow, storm, listed, at),
    readAt: at,
    drawnAt: await drawOwn(house, follow, at),
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

/** A look waits for nothing: what Slack does not take comes in a later one. */
function post({ slack, pace }: House, { channelId }: Follow, message: Message): Promise<Posted> {
  return pace.inTurn(channelId, () => slack.postOnce(channelId, message))
}

/** @returns False where it has no card: it is closed, or the carrier may not read it. */
async function postCard(house: House, follow: Follow, token: string, listed: OpenAlert): Promise<boolean> {
  const { storage } = house
  const { workspaceId, channelId, carrier } = follow
  const { ks } = listed
  const key = { workspaceId, id: cardIdOf(follow, ks) }
  const known = await storage.cards.find(key)
  // It stands there from before a crash, or is open again.
  if (known?.posted !== undefined) return readSoon(house, follow, ks, [listed])
  const read = await readListed(house, token, ks)
  const alert = read === 'no-answer' ? asListed(listed) : read
  if (alert === undefined || isClosed(alert)) return false
  newAlertsTotal.inc()
  const owner = { workspaceId, userId: carrier.userId }
  const about = { id: key.id, ks, askerName: '', channelId, isPrivate: false }
  const card = known ?? (await keepNewCard(house, owner, token, alert, about))
  const { posted, told } = await sendCard(house, card, alert, (story) => send(house, follow, story, alert))
  // What its thread did not get yet, or nobody has read, comes next.
  const isWhole = read !== 'no-answer' && told.length > alert.actions.length
  const inMs = isWhole ? 'never' : 0
  if (posted !== undefined) await keepWatch(house, watchOf(follow, ks, posted, alert, inMs))
  return true
}

/** `no-answer`: its card shows what the list says, and no other alert waits for it. Undefined: there is none. */
async function readListed(
  { monitor }: House,
  token: string,
  ks: string,
): Promise<Alert | 'no-answer' | undefined> {
  try {
    return await monitor.readAlert(token, ks, 2)
  } catch (error) {
    if (!(error instanceof MonitorError) || error.code === 'refused') throw error
    const isNone = ['not-found', 'bad-request', 'forbidden'].includes(error.code)
    return isNone ? undefined : 'no-answer'
  }
}

function asListed(open: OpenAlert): Alert {
  const { lastMessage: message, lastSeverity: severity, timestamp: lastTimestamp } = open
  return { ...open, message, severity, lastTimestamp, closedTimestamp: null, actions: [] }
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
  return { isPrivate: false, isHistoryTold, posted }
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
  await keepWatch(house, watchOf(follow, ks, posted, asListed(open), 0))
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
    return { ...storm, keys: [...storm.keys, ...keys], at, open: undrawn }
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
  const how = await redraw(house, storm.posted, message, 'change')
  if (how === 'waits') return storm
  // Somebody deleted it: those that it was to show still have to be told.
  const isUntold = how === 'lost' && storm.open === undrawn
  const posted = isUntold ? await post(house, follow, message) : storm.posted
  return open.length === 0 ? undefined : { ...storm, posted, open: open.length }
}

/** @returns When it was drawn. */
async function drawOwn(house: House, follow: Follow, at: number): Promise<number> {
  if (at - follow.drawnAt < drawnEveryMs) return follow.drawnAt
  const message = renderFollow(house.config, follow, at)
  return (await redraw(house, follow.posted, message, 'renewal')) === 'waits' ? follow.drawnAt : at
}

/** As often as Slack takes it. @returns `waits` where that is to be tried again, `lost` where somebody deleted it. */
async function redraw(
  { slack, updates, log }: House,
  posted: Posted,
  message: Message,
  urgency: 'change' | 'renewal',
): Promise<'drawn' | 'waits' | 'lost'> {
  const done = updates.take(urgency)
  if (done === undefined) return 'waits'
  try {
    await slack.updateOnce(posted, message)
    return 'drawn'
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    if (error.waitSeconds !== undefined) updates.busy(error.waitSeconds)
    else log.info({ err: error }, 'a message of a followed container could not be drawn again')
    return error.isMessageLost ? 'lost' : 'waits'
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
