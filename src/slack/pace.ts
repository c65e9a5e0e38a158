// Pace: how fast Bellhop asks Slack, and lets itself be asked. Source: docs.slack.dev/apis/web-api/rate-limits:
// chat.postMessage, one a second for each channel; chat.update is Tier 3, some 50 a minute in all.
import { LRUCache } from 'lru-cache'
import { retry } from '../work/retry.ts'
import { SlackError, waitSecondsOf } from './client.ts'
import type { Clock, SlackUser } from './person.ts'

const minuteMs = 60_000

/** Sends, and sends again after the time that Slack asks to wait. What it asks for longer is thrown. */
export type Patiently = <T>(send: () => Promise<T>) => Promise<T>

const longestWaitSeconds = 60
const attempts = 3

export function createPatience(wait: (ms: number) => Promise<void>): Patiently {
  return (send) =>
    retry(send, {
      wait,
      pauseAfter(error, tries) {
        const seconds = waitSecondsOf(error) ?? Number.POSITIVE_INFINITY
        return seconds > longestWaitSeconds || tries === attempts ? undefined : seconds * 1000
      },
    })
}

/** Thrown by work that found out in its turn that there is nothing to send. */
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
  /** By channel: when its last message is a second old. */
  const free = new LRUCache<string, Promise<void>>({ max: mostChannels })
  let busyUntil = Number.NEGATIVE_INFINITY

  async function send<T>(work: () => Promise<T>): Promise<T> {
    const leftMs = busyUntil - now()
    if (leftMs > 0) throw new SlackError('chat.postMessage', { waitSeconds: Math.ceil(leftMs / 1000) })
    return work().catch((error: unknown) => {
      busyUntil = Math.max(busyUntil, now() + 1000 * (waitSecondsOf(error) ?? 0))
      throw error
    })
  }

  return {
    /**
     * Posts when the channel's last message is a second old; first come, first served.
     * @throws SlackError, unsent, for as long as Slack has asked to wait: some of its limits are for all channels.
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

export function createUpdates(now: () => number) {
  /** Those of the last minute, and those that are under way. */
  let sent: { at: number }[] = []
  let busyUntil = 0
  const sentLately = () => (sent = sent.filter(({ at }) => at > now() - minuteMs))
  const room = () => (busyUntil > now() ? 0 : mostPerMinute - sentLately().length)
  let kept = 0
  return {
    /** True where Slack takes one now, and nobody keeps its place. */
    hasRoom: () => room() > kept,
    /** Work that leads to one, whose place is kept meanwhile. */
    async keeping<T>(work: () => Promise<T>): Promise<T> {
      kept += 1
      try {
        return await work()
      } finally {
        kept -= 1
      }
    },
    /** Draws, unless that has to wait. @returns False where it has to. @throws What Slack said otherwise. */
    async run(update: () => Promise<unknown>): Promise<boolean> {
      if (room() <= 0) return false
      // Only once Slack has answered, its minute passes.
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
    /** Counts somebody's own update, which waited for nothing. */
    note: () => void sentLately().push({ at: now() }),
  }
}

const mostPeople = 1_000

/** @param perMinute - 0 sets no limit. */
export function createLimit(perMinute: number, now: Clock) {
  /** Each request takes its part of a minute, and this is when theirs are over: nobody may be a minute ahead. */
  const people = new LRUCache<string, number>({ max: mostPeople })

  /** Charges them one request. @returns In how many seconds they may ask again; 0 when they had it left. */
  return ({ userId }: Pick<SlackUser, 'userId'>): number => {
    if (perMinute === 0) return 0
    const mostMs = now() + minuteMs
    const kept = people.get(userId) ?? 0
    // After a clock was set back, nobody waits for what they did in its future.
    const overMs = (kept > mostMs ? now() : Math.max(kept, now())) + minuteMs / perMinute
    if (overMs <= mostMs) people.set(userId, overMs)
    return Math.ceil(Math.max(0, overMs - mostMs) / 1000)
  }
}
