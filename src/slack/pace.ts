// Pace: how fast Bellhop asks Slack, and lets itself be asked. Source: docs.slack.dev/apis/web-api/rate-limits:
// chat.postMessage takes one a second for each channel; chat.update is Tier 3, some 50 a minute in all.

import { LRUCache } from 'lru-cache'
import { minuteMs } from '../work/durations.ts'
import { retry } from '../work/retry.ts'
import { SlackError, waitSecondsOf } from './client.ts'
import type { Clock } from './person.ts'

/** Retries after the wait that Slack asks for. @throws Any other failure, and one that asks for too long a wait. */
export type Patiently = <T>(send: () => Promise<T>) => Promise<T>

const longestWaitSeconds = 60
const attempts = 3

/** @param stopping - Ends a wait, and the request fails: in the rest of the stop, its caller can tell in another way. */
export function createPatience(
  wait: (ms: number) => Promise<void>,
  stopping: AbortSignal,
): Patiently {
  return (send) =>
    retry(send, {
      wait,
      stopping,
      pauseAfter(error, tries) {
        const seconds = waitSecondsOf(error) ?? Number.POSITIVE_INFINITY
        return seconds > longestWaitSeconds || tries === attempts ? undefined : seconds * 1000
      },
    })
}

/** Thrown by work that finds, when its turn comes, that there is nothing to send. */
export class NotSent extends Error {
  override readonly name: string = 'NotSent'
}

export type Pace = ReturnType<typeof createPace>

const gapMs = 1_000
const mostChannels = 1_000

/**
 * Paces messages that nobody waits for.
 * @param now - Never jumps: a clock that is set back by an hour would silence the channel for an hour.
 */
export function createPace(now: Clock, wait: (ms: number) => Promise<void>) {
  /** Promises by channel: each resolves when the channel's last message is a second old. */
  const free = new LRUCache<string, Promise<void>>({ max: mostChannels })
  let busyUntil = Number.NEGATIVE_INFINITY

  async function send<T>(work: () => Promise<T>): Promise<T> {
    const leftMs = busyUntil - now()
    if (leftMs > 0)
      throw new SlackError('chat.postMessage', { waitSeconds: Math.ceil(leftMs / 1000) })
    return work().catch((error: unknown) => {
      busyUntil = Math.max(busyUntil, now() + 1000 * (waitSecondsOf(error) ?? 0))
      throw error
    })
  }

  return {
    /**
     * Posts when the channel's last message is a second old; first come, first served.
     * @throws SlackError, and sends nothing, while Slack asks to wait, in any channel: some of its limits are for all.
     */
    inTurn<T>(channelId: string, work: () => Promise<T>): Promise<T> {
      const sent = (free.get(channelId) ?? Promise.resolve()).then(() => send(work))
      const gap = () => wait(gapMs)
      free.set(channelId, sent.then(gap, gap))
      return sent
    },
  }
}

const mostPerMinute = 40
export type Updates = ReturnType<typeof createUpdates>

/** Counts edits of messages, of which Slack takes some fifty a minute, so that those that can wait leave room for others. */
export function createUpdates(now: () => number) {
  /** Updates of the last minute, and updates under way. */
  let sent: { at: number }[] = []
  let busyUntil = 0
  const sentLately = () => (sent = sent.filter(({ at }) => at > now() - minuteMs))
  /** How many more updates Slack takes in this minute. */
  const room = () => (busyUntil > now() ? 0 : mostPerMinute - sentLately().length)
  let reserved = 0
  return {
    /**
     * Whether this minute has room for one more update, besides all that is reserved. If a holder asks inside its own
     * `keepingRoom`, its own reservation counts as well: there must be room for two.
     */
    hasRoom: () => room() > reserved,
    /**
     * Reserves room for the one update that this work may end in. Looks at live cards and at followed containers reserve
     * room so; updates that can wait ask `hasRoom`, and come after them. `run` doesn’t look at reservations.
     */
    async keepingRoom<T>(work: () => Promise<T>): Promise<T> {
      reserved += 1
      try {
        return await work()
      } finally {
        reserved -= 1
      }
    },
    /** Updates a message. @returns False when Slack's limit makes the update wait. @throws Any other failure. */
    async run(update: () => Promise<unknown>): Promise<boolean> {
      if (room() <= 0) return false
      // An update under way counts without end; its minute begins when Slack has answered.
      const one = { at: Number.POSITIVE_INFINITY }
      sent.push(one)
      try {
        await update()
        return true
      } catch (error) {
        const waitSeconds = waitSecondsOf(error)
        if (waitSeconds === undefined) throw error
        busyUntil = Math.max(busyUntil, now() + waitSeconds * 1000)
        return false
      } finally {
        one.at = now()
      }
    },
    /** Counts an update that somebody asked for: it is sent without waiting. */
    note: () => void sentLately().push({ at: now() }),
  }
}

const mostPeople = 1_000

/** @param perMinute - 0 sets no limit. */
export function createLimit(perMinute: number, now: Clock) {
  /**
   * The time up to which each person has spent their budget. A request moves it by a minute ÷ `perMinute`, and is refused
   * if that would be more than a minute ahead.
   */
  const people = new LRUCache<string, number>({ max: mostPeople })

  /** Charges one request. @returns Seconds until the person may ask again; 0 when this request is allowed. */
  return (userId: string): number => {
    if (perMinute === 0) return 0
    const mostMs = now() + minuteMs
    const kept = people.get(userId) ?? 0
    // A clock that was set back must not make anybody wait.
    const overMs = (kept > mostMs ? now() : Math.max(kept, now())) + minuteMs / perMinute
    if (overMs <= mostMs) people.set(userId, overMs)
    return Math.ceil(Math.max(0, overMs - mostMs) / 1000)
  }
}
