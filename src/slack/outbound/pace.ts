// Slack's pace: about one message a second in a channel. For what nobody waits for; whoever asked is answered at once.
// Source: docs.slack.dev/apis/web-api/rate-limits, “Posting messages”.
import { LRUCache } from 'lru-cache'
import { createTurns } from '../../work/under-way.ts'
import { SlackError, waitSecondsOf } from '../client/slack-error.ts'
import type { Clock } from '../ids.ts'

/** Slack counts methods apart: who has to wait with updates may post. */
const method = 'chat.postMessage'
const gapMs = 1_000

/** Thrown by work that found out in its turn that there is nothing to send. */
export class NotSent extends Error {
  override readonly name: string = 'NotSent'
}

export type Pace = ReturnType<typeof createPace>

/** More channels than one process posts to within a second. */
const mostChannels = 1_000

/** @param now - Never jumps: a clock that is set back by an hour would silence the channel for an hour. */
export function createPace(now: Clock, wait: (ms: number) => Promise<void>) {
  const turns = createTurns()
  /** By channel: what was not sent leaves none behind. */
  const gaps = new LRUCache<string, Promise<void>>({ max: mostChannels })
  let busyUntil = Number.NEGATIVE_INFINITY

  return {
    /**
     * Runs `work` when the channel is free and its last message is a second old; first come, first served.
     * @throws SlackError, unsent, for as long as Slack has asked to wait with messages: some of its limits are for all
     * channels.
     */
    inTurn: <T>(channelId: string, work: () => Promise<T>): Promise<T> =>
      turns(channelId, async () => {
        if (busyUntil <= now()) await gaps.get(channelId)
        const leftMs = busyUntil - now()
        if (leftMs > 0) throw new SlackError(method, { waitSeconds: Math.ceil(leftMs / 1000) })
        let isSent = true
        try {
          return await work()
        } catch (error) {
          const waitSeconds = waitSecondsOf(error)
          isSent = waitSeconds === undefined && !(error instanceof NotSent)
          if (waitSeconds !== undefined && error instanceof SlackError && error.method === method)
            busyUntil = Math.max(busyUntil, now() + waitSeconds * 1000)
          throw error
        } finally {
          if (isSent) gaps.set(channelId, wait(gapMs))
        }
      }),
  }
}
