// Looks at a followed container: reads its open alerts with the carrier’s token, and decides when the next look is due.
// follows.ts compares the alerts with what the channel knows; telling.ts tells the news.

import { withCounts, withGap } from '../alert/tally.ts'
import { MonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import { newAlertsTotal } from '../metrics/metrics.ts'
import { SlackError, unlessSlackFails } from '../slack/client.ts'
import type { DocKey } from '../storage/docs.ts'
import { minuteMs } from '../work/durations.ts'
import { returnedBy, takenBy } from '../work/lease.ts'
import type { TakeDue } from '../work/poller.ts'
import { doubling } from '../work/retry.ts'
import { callAgain, isRepeatDue, nextCallAt } from './calls.ts'
import { nextDailyAt } from './daily.ts'
import { loseCarrier } from './end.ts'
import {
  broughtBack,
  type Follow,
  followsThat,
  isSilent,
  leaseMs,
  outMs,
  withFound,
} from './follows.ts'
import { sayDaily } from './night.ts'
import { post } from './posting.ts'
import { renderSilence } from './render.ts'
import { type Looked, tellChannel, usual } from './telling.ts'

/** Longest pause between looks while the service fails. */
const longestPauseMs = 10 * minuteMs
/** A follow that is due later than this is taken at once: no interval is so long, so the clock was set back. */
const longestAheadMs = 90 * minuteMs

export const takeFollows: TakeDue = async (house, most) => {
  const due = await house.storage.follows.takeDue(
    (follow, now) => takenBy(follow, house.poller.owner, leaseMs, now),
    most,
    longestAheadMs,
  )
  return due.map((follow) => () => lookAtFollow(house, follow))
}

/** Never rejects: what fails is tried again, at the latest when the lease is over. */
function lookAtFollow(house: House, key: DocKey): Promise<void> {
  const { storage, poller, turns, log, now } = house
  return turns(`follow ${key.id}`, async () => {
    try {
      const follow = await storage.follows.find(key)
      // This look has waited for an earlier look at the same follow. Without a lease, it has nothing to do: the earlier
      // look has done the work.
      if (follow?.holder !== poller.owner || follow.heldUntil <= now()) return

      const looked = await readAndTell(house, follow)
      if (looked === undefined) return

      const { inMs, found, counts = {}, pause, ...changed } = looked
      const after = await storage.follows.change(key, (one, at) => {
        const known = found ? withFound(one, follow, found) : one
        const counted = withCounts(one.tally, counts, at)
        const tally = pause ? withGap(counted, pause) : counted
        const returned = returnedBy({ ...known, ...changed, tally }, follow, inMs, at)
        return returned && lookingInTime(returned, at)
      })

      newAlertsTotal.inc(counts.new ?? 0)
      // The daily message comes last, as it tells what this look has counted. It also comes if monitoring doesn’t answer.
      const isRead = found !== undefined || looked.failures
      if (after && isRead) await sayDaily(house, after)
    } catch (error) {
      log.failedJob(
        'error',
        { err: error, follow: key.id },
        'a followed container could not be looked at',
      )
    }
  })
}

/**
 * Shortest time until a look that has to call. A call that couldn’t be made is still due, and without this pause it
 * would be tried again at once.
 */
const retryMs = 10_000

/** The follow, due at its usual time, or earlier if it has to call again or post its daily message before that. */
function lookingInTime(follow: Follow, now: number): Follow {
  const { dueAt } = follow
  if (dueAt === null) return follow

  const callAt = nextCallAt(follow) ?? Number.POSITIVE_INFINITY
  const dailyAt = nextDailyAt(follow.daily, now) ?? Number.POSITIVE_INFINITY
  return { ...follow, dueAt: Math.min(dueAt, Math.max(callAt, now + retryMs), dailyAt) }
}

/** @returns Nothing if the follow has ended, or if nobody reads any more: that is stored already. */
async function readAndTell(house: House, taken: Follow): Promise<Looked | undefined> {
  const { slack, storage, tokens, monitor } = house
  const { carrier, containerId, channelId, lostAt, isOut, failures, isMissing } = taken
  if (lostAt !== undefined && !isOut) return { failures, inMs: 'never' }
  if (isOut) {
    const state = await slack.channels.stateOf(channelId)
    if (!state?.isMember) return { failures, inMs: outMs }
  }

  const follow = isOut ? await storage.follows.change(taken, broughtBack) : taken
  if (follow === undefined) return

  try {
    const token = await tokens.find(carrier)
    if (token === undefined) return await loseCarrier(house, follow, 'disconnected')

    const listed = await monitor.openAlertsIn(token, containerId)
    if (listed.kind === 'listed') return await tellChannel(house, follow, token, listed.alerts)
    // A first answer that there is no such container may be a slip of the service.
    if (isMissing) return await loseCarrier(house, follow, 'no-container')
    return { ...usual(house), isMissing: true }
  } catch (error) {
    if (error instanceof SlackError) {
      house.log.failedJob(
        'warn',
        { err: error },
        'a followed channel could not be told something yet',
      )
      return usual(house, error)
    }
    if (!(error instanceof MonitorError)) throw error

    const { code, retryAfterMs } = error
    if (code === 'refused' || code === 'forbidden') return loseCarrier(house, follow, code)

    return await lookFailed(house, follow, retryAfterMs)
  }
}

/**
 * Tells what has to be told though monitoring doesn’t answer: a call that is due is made all the same, for alerts as the last
 * look saw them; and after some minutes, the channel is warned that nothing new can come.
 */
async function lookFailed(house: House, follow: Follow, retryAfterMs: number): Promise<Looked> {
  const { slack, config, now } = house
  const { failMessage, channelId, failures } = follow
  const { intervalMs } = config.follow
  const isCalling = isRepeatDue(follow, now())
  const isWarning = failMessage === undefined && isSilent(follow, intervalMs, now())
  const state = isCalling || isWarning ? await slack.channels.stateOf(channelId) : undefined
  const isOurs = state?.isShared === false
  if (isOurs && isCalling) await callAgain(house, follow, undefined, follow.call)
  const warning =
    isOurs && isWarning
      ? await unlessSlackFails(post(house, follow, renderSilence(follow)))
      : failMessage

  const failed = failures + 1
  // The pause grows with each failure, and is at least as long as the service asks for.
  const pauseMs = doubling(2 * intervalMs, longestPauseMs)(failed)
  return {
    failures: failed,
    isMissing: false,
    failMessage: warning,
    inMs: Math.max(pauseMs, Math.min(retryAfterMs, longestPauseMs)),
  }
}

/** The number of follows in each state, and for how many seconds the channel that is furthest behind has had no news. */
export async function countFollows({ storage: { follows }, now }: House) {
  const [all, lost, unsaid, failing, due] = await Promise.all([
    follows.countAll(),
    follows.count(followsThat.areLost),
    follows.count(followsThat.areUnsaid),
    follows.count(followsThat.fail),
    follows.firstDue(mostFirst),
  ])

  const read = due.filter(({ lostAt }) => lostAt === undefined)
  const times = [...read.map(({ readAt }) => readAt), unsaid.first, failing.first]
  const oldest = Math.min(...times.map((time) => time || now()), now())
  const byState = {
    read: all - unsaid.count - lost.count,
    unsaid: unsaid.count,
    lost: lost.count,
  }
  return { byState, ageSeconds: (now() - oldest) / 1000 }
}

/**
 * How many follows, those due first, are searched for the follow that was read longest ago. Follows whose looks fail are
 * found by `failing` instead.
 */
const mostFirst = 5
