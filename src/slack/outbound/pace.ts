// Slack's pace: about one message a second in a channel. For what nobody waits for; whoever asked is answered at once.
// Source: docs.slack.dev/apis/web-api/rate-limits, “Posting messages”.
import { LRUCache } from 'lru-cache'
import { createTurns } from '../../work/turns.ts'
import { classify, SlackBusyError } from '../client/refusals.ts'
import type { Clock } from '../ids.ts'

/** Slack counts methods apart: who has to wait with updates may post. */
const method = 'chat.postMessage'
const gapMs = 1_000
const mostBusy = 1_000

/** Thrown by work that found out in its turn that there is nothing to send. */
export class NotSent extends Error {
  override readonly name: string = 'NotSent'
}

/** A channel that is shared has a turn in each workspace: Slack counts them apart. */
export interface Where {
  readonly workspaceId: string
  readonly channelId: string
}

export interface Pace {
  /**
   * Runs `work` when the channel is free and its last message is a second old; first come, first served.
   * @throws SlackBusyError, unsent, for as long as Slack has asked to wait with messages in this workspace: some of
   * its limits are for all channels there.
   */
  inTurn<T>(where: Where, work: () => Promise<T>): Promise<T>
}

/** @param now - Never jumps: a clock that is set back by an hour would silence the channel for an hour. */
export function createPace(now: Clock, wait: (ms: number) => Promise<void>): Pace {
  const turns = createTurns()
  /** By channel, for as long as a new message needs a pause after it. */
  const sent = new Map<string, { readonly at: number }>()
  /** Of those that have asked to wait. */
  const busyUntil = new LRUCache<string, number>({ max: mostBusy })
  const isBusy = (workspaceId: string) => (busyUntil.get(workspaceId) ?? 0) > now()

  async function send<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    const leftMs = (busyUntil.get(workspaceId) ?? 0) - now()
    if (leftMs > 0) throw new SlackBusyError(Math.ceil(leftMs / 1000), method)
    try {
      return await work()
    } catch (error) {
      const failure = classify(error)
      if (failure.kind === 'busy' && (failure.method === undefined || failure.method === method)) {
        const until = now() + failure.waitSeconds * 1000
        busyUntil.set(workspaceId, Math.max(busyUntil.get(workspaceId) ?? 0, until))
      }
      throw error
    }
  }

  /** What was not sent leaves no gap behind. */
  function noteSent(key: string): void {
    const mine = { at: now() }
    sent.set(key, mine)
    void wait(gapMs).then(() => {
      if (sent.get(key) === mine) sent.delete(key)
    })
  }

  return {
    inTurn({ workspaceId, channelId }, work) {
      const key = JSON.stringify([workspaceId, channelId])
      return turns(key, async () => {
        const gapLeftMs = (sent.get(key)?.at ?? Number.NEGATIVE_INFINITY) + gapMs - now()
        if (gapLeftMs > 0 && !isBusy(workspaceId)) await wait(gapLeftMs)
        try {
          const result = await send(workspaceId, work)
          noteSent(key)
          return result
        } catch (error) {
          if (!(error instanceof NotSent) && !(error instanceof SlackBusyError)) noteSent(key)
          throw error
        }
      })
    },
  }
}
