// Slack's pace: about one message a second in a channel. For what nobody waits for; whoever asked is answered at once.
// Source: docs.slack.dev/apis/web-api/rate-limits, “Posting messages”.
import { createTurns } from '../../work/turns.ts'
import { SlackError, waitSecondsOf } from '../client/slack-error.ts'
import type { Clock } from '../ids.ts'

/** Slack counts methods apart: who has to wait with updates may post. */
const method = 'chat.postMessage'
const gapMs = 1_000

/** Thrown by work that found out in its turn that there is nothing to send. */
export class NotSent extends Error {
  override readonly name: string = 'NotSent'
}

export interface Pace {
  /**
   * Runs `work` when the channel is free and its last message is a second old; first come, first served.
   * @throws SlackError, unsent, for as long as Slack has asked to wait with messages: some of its limits are for all
   * channels.
   */
  inTurn<T>(channelId: string, work: () => Promise<T>): Promise<T>
}

/** @param now - Never jumps: a clock that is set back by an hour would silence the channel for an hour. */
export function createPace(now: Clock, wait: (ms: number) => Promise<void>): Pace {
  const turns = createTurns()
  /** By channel, for as long as a new message needs a pause after it. */
  const sent = new Map<string, { readonly at: number }>()
  let busyUntil = Number.NEGATIVE_INFINITY

  async function send<T>(work: () => Promise<T>): Promise<T> {
    const leftMs = busyUntil - now()
    if (leftMs > 0) throw new SlackError(method, { waitSeconds: Math.ceil(leftMs / 1000) })
    try {
      return await work()
    } catch (error) {
      const waitSeconds = waitSecondsOf(error)
      if (waitSeconds !== undefined && error instanceof SlackError && error.method === method)
        busyUntil = Math.max(busyUntil, now() + waitSeconds * 1000)
      throw error
    }
  }

  /** What was not sent leaves no gap behind. */
  function noteSent(channelId: string): void {
    const mine = { at: now() }
    sent.set(channelId, mine)
    void wait(gapMs).then(() => {
      if (sent.get(channelId) === mine) sent.delete(channelId)
    })
  }

  return {
    inTurn: (channelId, work) =>
      turns(channelId, async () => {
        const gapLeftMs = (sent.get(channelId)?.at ?? Number.NEGATIVE_INFINITY) + gapMs - now()
        if (gapLeftMs > 0 && busyUntil <= now()) await wait(gapLeftMs)
        try {
          const result = await send(work)
          noteSent(channelId)
          return result
        } catch (error) {
          if (!(error instanceof NotSent) && waitSecondsOf(error) === undefined) noteSent(channelId)
          throw error
        }
      }),
  }
}
