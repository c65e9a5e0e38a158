// Looks at a followed container: reads one list with its carrier's token; follows.ts and telling.ts do the rest.

import { newTally } from '../alert/tally.ts'
import { MonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import { SlackError, unlessSlackFails } from '../slack/client.ts'
import type { Posted } from '../slack/outbound/message.ts'
import type { DocKey } from '../storage/docs.ts'
import { minuteMs } from '../work/durations.ts'
import { returnedBy, takenBy } from '../work/lease.ts'
import type { TakeDue } from '../work/poller.ts'
import { doubling } from '../work/retry.ts'
import { callAgain, isCallDue, nextCallAt } from './calls.ts'
import { ownTime } from './daily.ts'
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
/** An interval may be an hour. One that is due in longer was kept before the clock was set back. */
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
      // A look that took longer than its lease has done what this one was to do.
      if (follow?.holder !== poller.owner || follow.heldUntil <= now()) return

      const looked = await readAndTell(house, follow)
      if (looked === undefined) return

      const { inMs, found, tallied, ...changed } = looked
      await storage.follows.change(key, (one, at) => {
        const known = found ? withFound(one, follow, found) : one
        const tally = tallied?.(one.tally, at) ?? one.tally ?? newTally(at)
        const returned = returnedBy({ ...known, ...changed, tally }, follow, inMs, at)
        return returned && lookingInTime(returned, at)
      })
    } catch (error) {
      log.failedJob(
        'error',
        { err: error, follow: key.id },
        'a followed container could not be looked at',
      )
    }
  })
}

/** Between tries of what a follow does at a time of its own, and Slack doesn’t take. */
const retryMs = 10_000

/** A follow is due at its usual time, or earlier, where it calls again or posts its daily message by then. */
function lookingInTime(follow: Follow, now: number): Follow {
  const { dueAt } = follow
  if (dueAt === null) return follow

  const callAt = nextCallAt(follow) ?? Number.POSITIVE_INFINITY
  const dailyAt = ownTime(follow, now) ?? Number.POSITIVE_INFINITY
  return { ...follow, dueAt: Math.min(dueAt, Math.max(callAt, now + retryMs), dailyAt) }
}

/** @returns Nothing where it has ended, or nobody reads any more. */
async function readAndTell(house: House, taken: Follow): Promise<Looked | undefined> {
  const { config, slack, storage, tokens, monitor } = house
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
    // One such answer may be a slip of the service.
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

    // Somebody is called all the same, with what the last look saw.
    if (isCallDue(follow, house.now())) {
      const state = await slack.channels.stateOf(channelId)
      const known = { told: new Map(Object.entries(follow.seen)), listed: undefined }
      if (state?.isShared === false) await callAgain(house, follow, known, follow.call)
    }
    const silence = await tellSilence(house, follow)
    const isEnded = (await sayDaily(house, follow)) === 'ended'
    if (isEnded) return undefined

    const failed = failures + 1
    // Waits as long as the service asks for, else ever longer.
    const pauseMs = doubling(2 * config.follow.intervalMs, longestPauseMs)(failed)
    const askedMs = Math.min(retryAfterMs, longestPauseMs)
    return {
      failures: failed,
      isMissing: false,
      failMessage: silence,
      inMs: Math.max(pauseMs, askedMs),
    }
  }
}

/**
 * Warns the channel that nothing new can come.
 * @returns The warning; undefined where it is still to be said.
 */
async function tellSilence(house: House, follow: Follow): Promise<Posted | undefined> {
  const { slack, config, now } = house
  const { failMessage, channelId } = follow
  const isDue = failMessage === undefined && isSilent(follow, config.follow.intervalMs, now())
  if (!isDue) return failMessage

  const state = await slack.channels.stateOf(channelId)
  if (state?.isShared !== false) return undefined
  return unlessSlackFails(post(house, follow, renderSilence(follow)))
}

/** The number of followed containers, and since when the channel that is furthest behind knows nothing new. */
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

/** Among so many that are due first is the one read longest ago, but for those that fail; lost ones may be among them. */
const mostFirst = 5
