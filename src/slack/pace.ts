// Slack's pace: about one message a second in a channel. For what nobody waits for; whoever asked is answered at once.
// Source: docs.slack.dev/apis/web-api/rate-limits, “Posting messages”.
import type { Clock } from './ids.ts'

const gapMs = 1_000

export interface Pace {
  /** Runs `work` when the channel is free and its last message is a second old; first come, first served. */
  inTurn<T>(channelId: string, work: () => Promise<T>): Promise<T>
}

export function createPace(now: Clock, wait: (ms: number) => Promise<void>): Pace {
  const last = new Map<string, { readonly done: Promise<number> }>()

  return {
    async inTurn(channelId, work) {
      const before = last.get(channelId)
      const { promise: done, resolve } = Promise.withResolvers<number>()
      const mine = { done }
      last.set(channelId, mine)
      try {
        const sentAt = before === undefined ? undefined : await before.done
        if (sentAt !== undefined && now() - sentAt < gapMs) await wait(gapMs - (now() - sentAt))
        return await work()
      } finally {
        resolve(now())
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
