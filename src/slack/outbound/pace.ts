// Slack's pace: about one message a second in a channel. For what nobody waits for; whoever asked is answered at once.
// Source: docs.slack.dev/apis/web-api/rate-limits, “Posting messages”.
import { LRUCache } from 'lru-cache'
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
  const last = new Map<string, { readonly done: Promise<number> }>()
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

  return {
    async inTurn({ workspaceId, channelId }, work) {
      const key = JSON.stringify([workspaceId, channelId])
      const before = last.get(key)
      const { promise: done, resolve } = Promise.withResolvers<number>()
      const mine = { done }
      last.set(key, mine)
      let sentAt = Number.NEGATIVE_INFINITY
      try {
        if (before !== undefined) sentAt = await before.done
        const gapLeftMs = sentAt + gapMs - now()
        if (gapLeftMs > 0 && !isBusy(workspaceId)) await wait(gapLeftMs)
        const result = await send(workspaceId, work)
        sentAt = now()
        return result
      } catch (error) {
        // What was not sent leaves no gap behind.
        if (!(error instanceof NotSent) && !(error instanceof SlackBusyError)) sentAt = now()
        throw error
      } finally {
        resolve(sentAt)
        void forgetLater(key, mine)
      }
    },
  }

  /** Keeps the mark until a new message needs no pause. */
  async function forgetLater(key: string, mine: object): Promise<void> {
    await wait(gapMs)
    if (last.get(key) === mine) last.delete(key)
  }
}
