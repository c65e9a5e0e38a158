// A look at a followed container: one list, read with its carrier's token. New alerts get a card, many at once one message;
// live cards of those that changed, or are gone, are made due, and read one by one.
import { shortList } from '../alert/open.ts'
import type { ShortList } from '../alert/render/open-list.ts'
import { keepNewCard } from '../alert/show.ts'
import { MonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import { begun, poked, returnedBy, takenBy } from '../live/live-cards.ts'
import { sendCard } from '../live/update.ts'
import { newAlertsTotal } from '../metrics/metrics.ts'
import type { Alert, OpenAlert } from '../monitor/schema.ts'
import { SlackError, unlessSlackFails } from '../slack/client.ts'
import type { Message, Posted } from '../slack/outbound/message.ts'
import type { DocKey } from '../storage/docs.ts'
import { doubling } from '../work/retry.ts'
import { endFollow, endShared, loseCarrier, redraw } from './end.ts'
import { cardKeyOf, type Follow, type Looked, mostReads, planFor, type Storm, seenOf } from './follows.ts'
import { renderFollow, renderGap, renderSeveral, renderSilence } from './render.ts'

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
/** As many again that come this soon after stand in the same message. */
const stormMs = 10 * 60_000
/** An interval may be an hour. One that is due in longer was kept before the clock was set back. */
const longestAheadMs = 90 * 60_000

/** Takes the follows that are due; each is a look. */
export async function takeFollows(house: House): Promise<readonly (() => Promise<void>)[]> {
  const due = await house.storage.follows.takeDue(
    (follow, now) => takenBy(follow, house.poller.owner, leaseMs, now),
    longestAheadMs,
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
      if (looked === undefined) return
      const { inMs, ...found } = looked
      await storage.follows.change(key, (one, at) => {
        const returned = returnedBy(one, follow, inMs, at)
        return returned && { ...returned, ...found }
      })
    } catch (error) {
      const what = { err: error, follow: key.id }
      log.failedJob('error', what, 'a followed container could not be looked at; it is tried again')
    }
  })
}

/** @returns Nothing where it has ended, or nobody reads any more. */
async function lookOnce(house: House, follow: Follow): Promise<Looked | undefined> {
  const { config, tokens, monitor } = house
  const { carrier, containerId, lostAt, failures, isMissing } = follow
  try {
    if (lostAt !== undefined) return { failures, inMs: 'never' }
    const token = await tokens.find(carrier)
    if (token === undefined) return await loseCarrier(house, follow, 'disconnected')
    const listed = await monitor.openAlertsIn(token, containerId)
    if (listed.kind === 'listed') return await tell(house, follow, token, listed.alerts)
    // Said once, it may be a slip of the service.
    if (isMissing) return await loseCarrier(house, follow, 'no-container')
    return { ...soon(house), isMissing: true }
  } catch (error) {
    if (error instanceof SlackError)
      return error.isMessageLost ? endFollow(house, follow) : soon(house, error)
    if (!(error instanceof MonitorError)) throw error
    const { code, retryAfterMs } = error
    if (code === 'refused' || code === 'forbidden') return loseCarrier(house, follow, code)
    // After as long as the service asks for, else ever later.
    const pauseMs = doubling(2 * config.follow.intervalMs, longestPauseMs)(failures + 1)
    return {
      failures: failures + 1,
      isMissing: false,
      isSilenceTold: await tellSilence(house, follow),
      inMs: Math.max(pauseMs, Math.min(retryAfterMs, longestPauseMs)),
    }
  }
}

/** Nothing new can come, which looks like a quiet night. */
function isSilent({ config }: House, { readAt }: Follow, now: number): boolean {
  return readAt > 0 && now - readAt > Math.max(gapMs, 3 * config.follow.intervalMs)
}

/** Says it in the channel, while it lasts. @returns False where it is still to be said, if it lasts. */
async function tellSilence(house: House, follow: Follow): Promise<boolean> {
  const { isSilenceTold = false, channelId } = follow
  if (isSilenceTold || !isSilent(house, follow, house.now())) return isSilenceTold
  if ((await house.slack.channels.wasShared(channelId)) !== false) return false
  return (await unlessSlackFails(post(house, follow, renderSilence(follow)))) !== undefined
}

/** Another look at its usual time, or once Slack takes what it did not take. */
function soon({ config, log }: House, failure?: SlackError): Looked {
  if (failure !== undefined)
    log.failedJob('warn', { err: failure }, 'news of a followed container could not be posted; trying again')
  const usualMs = Math.round(config.follow.intervalMs * (0.95 + Math.random() / 10))
  return { failures: 0, isMissing: false, inMs: Math.max(usualMs, (failure?.waitSeconds ?? 0) * 1000) }
}

/** Says in the channel what is new in a list, and has everything else brought up to date. */
async function tell(
  house: House,
  follow: Follow,
  token: string,
  listed: readonly OpenAlert[],
): Promise<Looked | undefined> {
  const { config, storage, slack, names, now } = house
  const { channelId, carrier, containerId, readAt } = follow
  const at = now()
  // Whose cards are to name the container need not look for it.
  const { alerts } = names.used(carrier, token)
  for (const { ks } of listed) alerts.set(ks, containerId)
  const { toTell, changed, seen } = planFor(follow, listed)
  const fresh: OpenAlert[] = []
  const reopened: string[] = []
  for (const alert of toTell)
    if ((await storage.cards.find(cardKeyOf(follow, alert.ks)))?.posted === undefined) fresh.push(alert)
    // Or its card stands there from before a crash.
    else if (reopened.length < mostReads) {
      reopened.push(alert.ks)
      seen.set(alert.ks, seenOf(alert, true))
    }
  const isFirst = follow.seen === undefined
  const isGap = isSilent(house, follow, at)
  // Slack is asked only where there is something to say: it answers some 50 such questions a minute.
  const says = isFirst || isGap || fresh.length > 0
  const isShared = says && (await slack.channels.wasShared(channelId))
  if (isShared) return endShared(house, follow)
  // Where Slack does not say who reads there, it is said in the next look.
  if (isShared === undefined) return soon(house)
  if (isGap) await post(house, follow, renderGap(follow, readAt, at))
  let { storm } = follow
  let next = soon(house)
  try {
    if (isFirst) await post(house, follow, renderSeveral(config, listOf(house, follow, fresh)))
    else if (fresh.length > mostCards) storm = await postStorm(house, follow, fresh, listed, at)
    const hasCard = !isFirst && fresh.length <= mostCards
    for (const alert of fresh) {
      if (hasCard) await postCard(house, follow, token, alert)
      seen.set(alert.ks, seenOf(alert, hasCard))
    }
  } catch (error) {
    if (isFirst || !(error instanceof SlackError) || error.isMessageLost) throw error
    // Those that are posted stay known.
    next = soon(house, error)
  }
  const open = new Map(listed.map((alert) => [alert.ks, alert]))
  for (const ks of [...reopened, ...changed]) await readSoon(house, follow, ks, open.get(ks))
  const isOld = at - follow.drawnAt >= drawnEveryMs
  if (isOld) await redraw(house, follow.posted, renderFollow(config, { ...follow, readAt: at }), false)
  const drawnAt = isOld ? at : follow.drawnAt
  return { ...next, seen: Object.fromEntries(seen), storm, readAt: at, drawnAt, isSilenceTold: false }
}

/** For a message in the channel: it is shared with no other organisation. */
function listOf(house: House, follow: Follow, alerts: readonly OpenAlert[]): ShortList {
  const { carrier, containerId, container } = follow
  return { ...shortList(house, carrier, containerId, alerts), container }
}

/** A look waits for nothing: what Slack does not take comes in a later one. */
function post({ slack, pace }: House, { channelId }: Follow, message: Message): Promise<Posted> {
  return pace.inTurn(channelId, () => slack.postOnce(channelId, message))
}

/** A card as the list has it, and then its look, which brings the rest. */
async function postCard(house: House, follow: Follow, token: string, listed: OpenAlert): Promise<void> {
  const { channelId, carrier } = follow
  const { ks } = listed
  const key = cardKeyOf(follow, ks)
  newAlertsTotal.inc()
  const alert = asListed(listed)
  const about = { id: key.id, ks, askerName: '', channelId, isPrivate: false }
  const known = await house.storage.cards.find(key)
  const card = known ?? (await keepNewCard(house, carrier, token, alert, about))
  const sent = await sendCard(house, card, alert, async (story) => ({
    ...{ isPrivate: false, posted: await post(house, follow, story.card(false)) },
    // A thread begins with the first thing that is done.
    isHistoryTold: true,
  }))
  await readSoon(house, follow, ks, listed, sent.look())
}

function asListed(open: OpenAlert): Alert {
  const { lastMessage: message, lastSeverity: severity, timestamp: lastTimestamp } = open
  return { ...open, message, severity, lastTimestamp, closedTimestamp: null, actions: [] }
}

/**
 * Has an alert's live card read next; one that is not live any more is live again, unless its alert is closed.
 * @param look - How its card looks, where that is known.
 */
async function readSoon(
  { storage, poller }: House,
  follow: Follow,
  ks: string,
  listed: OpenAlert | undefined,
  look?: string,
): Promise<void> {
  const { id: followId } = follow
  const key = cardKeyOf(follow, ks)
  const live = await storage.liveCards.change(key, (one, now) => poked({ ...one, followId }, now))
  const posted = live === undefined ? (await storage.cards.find(key))?.posted : undefined
  if (posted !== undefined && listed !== undefined) {
    const card = { ...key, ks, posted, followId, alert: asListed(listed), look }
    await storage.liveCards.insert((now) => begun(card, now))
  }
  poller.wake()
}

/** Many new ones at once, in one message, and in the same one those that come soon after. */
async function postStorm(
  house: House,
  follow: Follow,
  fresh: readonly OpenAlert[],
  listed: readonly OpenAlert[],
  at: number,
): Promise<Storm> {
  newAlertsTotal.inc(fresh.length)
  const { storm } = follow
  const last = storm !== undefined && at - storm.at < stormMs ? storm : undefined
  const among = new Set([...(last?.keys ?? []), ...fresh.map(({ ks }) => ks)])
  const keys = [...among]
  const open = listed.filter(({ ks }) => among.has(ks))
  const message = renderSeveral(house.config, listOf(house, follow, open), keys.length)
  const isDrawn = last !== undefined && (await redraw(house, last.posted, message, false))
  return { posted: isDrawn ? last.posted : await post(house, follow, message), keys, at }
}

/** How many containers are followed, and how old the last look is of the one that was looked at longest ago. */
export async function countFollows({ storage, now }: House) {
  const all = await storage.follows.list({})
  const read = all.filter(({ lostAt }) => lostAt === undefined)
  const oldest = Math.min(...read.map(({ readAt }) => readAt || now()))
  return {
    byState: { read: read.length, lost: all.length - read.length },
    ageSeconds: read.length === 0 ? 0 : (now() - oldest) / 1000,
  }
}
