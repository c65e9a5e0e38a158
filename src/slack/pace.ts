// Slack's pace: about one message a second in a channel. For what nobody waits for; whoever asked is answered at once.
// Source: docs.slack.dev/apis/web-api/rate-limits, “Posting messages”.
import type { Clock } from './ids.ts'
import { SlackBusyError, waitAskedFor } from './refusals.ts'

const gapMs = 1_000

/** Thrown by work that found out in its turn that there is nothing to send. */
export class NotSent extends Error {
  override readonly name: string = 'NotSent'
}

export interface Pace {
  /**
   * Runs `work` when the channel is free and its last message is a second old; first come, first served.
   * @throws SlackBusyError, unsent, for as long as Slack has asked to wait: some of its limits are for all channels.
   */
  inTurn<T>(channelId: string, work: () => Promise<T>): Promise<T>
}

/** @param now - Never jumps: a clock that is set back by an hour would silence the channel for an hour. */
export function createPace(now: Clock, wait: (ms: number) => Promise<void>): Pace {
  const last = new Map<string, { readonly done: Promise<number> }>()
  let busyUntil = 0

  async function send<T>(work: () => Promise<T>): Promise<T> {
    const leftMs = busyUntil - now()
    if (leftMs > 0) throw new SlackBusyError(Math.ceil(leftMs / 1000))
    try {
      return await work()
    } catch (error) {
      const seconds = waitAskedFor(error)
      if (seconds !== undefined) busyUntil = Math.max(busyUntil, now() + seconds * 1000)
      throw error
    }
  }

  return {
    async inTurn(channelId, work) {
      const before = last.get(channelId)
      const { promise: done, resolve } = Promise.withResolvers<number>()
      const mine = { done }
      last.set(channelId, mine)
      let sentAt = Number.NEGATIVE_INFINITY
      try {
        if (before !== undefined) sentAt = await before.done
        const gapLeftMs = sentAt + gapMs - now()
        if (gapLeftMs > 0 && busyUntil <= now()) await wait(gapLeftMs)
        const result = await send(work)
        sentAt = now()
        return result
      } catch (error) {
        // What was not sent leaves no gap behind.
        if (!(error instanceof NotSent) && !(error instanceof SlackBusyError)) sentAt = now()
        throw error
      } finally {
        resolve(sentAt)
        void forgetLater(channelId, mine)
      }
    },
  }

  /** Keeps the mark until a new message needs no pause. */
  async function forgetLater(channelId: string, mine: object): Promise<void> {
    await wait(gapMs)
    if (last.get(channelId) === mine) last.delete(channelId)
  }
}
