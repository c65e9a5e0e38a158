// Updates that Slack lets into the workspace, some 50 a minute, people's own among them. Whoever draws live cards leaves room
// for what people press, and waits as long as Slack asks.
// Source: docs.slack.dev/apis/web-api/rate-limits; chat.update is Tier 3.
import { waitSecondsOf } from '../slack/client/slack-error.ts'

export type Urgency = 'change' | 'renewal'

const minuteMs = 60_000
const mostPerMinute: Readonly<Record<Urgency, number>> = { change: 40, renewal: 30 }
/** What quiet cards need to stay trusted is 20 updates a minute. */
export const mostLiveCards = 200

/** For how long a card that is drawn now can be trusted. Where alerts are read rarely, none can be true more often. */
export function goodForMs(intervalMs: number): number {
  return Math.max(10 * minuteMs, 1.25 * intervalMs + minuteMs)
}

export type Updates = ReturnType<typeof createUpdates>

/** @param now - Milliseconds, never jumps. */
export function createUpdates(now: () => number) {
  /** Of the last minute, and those that are under way. */
  let sent: { at: number }[] = []
  let busyUntil = 0
  function sentLately() {
    sent = sent.filter(({ at }) => at > now() - minuteMs)
    return sent
  }
  return {
    /** Draws, unless that has to wait. @returns False where it has to. @throws What Slack said otherwise. */
    async run(urgency: Urgency, update: () => Promise<unknown>): Promise<boolean> {
      if (busyUntil > now() || sentLately().length >= mostPerMinute[urgency]) return false
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
    /** Somebody's own update went out, which waits for nothing. */
    note: () => void sentLately().push({ at: now() }),
  }
}
