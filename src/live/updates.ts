// Updates that Slack lets into the workspace, some 50 a minute, people's own among them. Whoever draws live cards leaves room
// for what people press, and waits as long as Slack asks.
// Source: docs.slack.dev/apis/web-api/rate-limits; chat.update is Tier 3.

/** `pressed`: somebody waits to see what they pressed, or the card is not live any more. */
export type Urgency = 'pressed' | 'change' | 'renewal'

const minuteMs = 60_000
const mostPerMinute: Readonly<Record<Urgency, number>> = { pressed: 44, change: 40, renewal: 30 }
/** What quiet cards need to stay trusted is 20 updates a minute. */
export const mostLiveCards = 200

/** For how long a card that is drawn now can be trusted. Where alerts are read rarely, none can be true more often. */
export function goodForMs(intervalMs: number): number {
  return Math.max(10 * minuteMs, 1.25 * intervalMs + minuteMs)
}

export interface Updates {
  /**
   * Undefined while a card may not be drawn; otherwise it counts from now on.
   * @returns To be called once Slack has answered: only from then on a minute passes.
   */
  take(urgency: Urgency): (() => void) | undefined
  /** Slack has asked to wait with updates. */
  busy(seconds: number): void
  /** Somebody's own update went out, which waits for nothing. */
  note(): void
}

/** @param now - Milliseconds, never jumps. */
export function createUpdates(now: () => number): Updates {
  /** Of the last minute, and those that are under way. */
  let sent: { at: number }[] = []
  let busyUntil = 0
  function sentLately() {
    sent = sent.filter(({ at }) => at > now() - minuteMs)
    return sent
  }
  return {
    take(urgency) {
      if (busyUntil > now() || sentLately().length >= mostPerMinute[urgency]) return undefined
      const one = { at: Number.POSITIVE_INFINITY }
      sent.push(one)
      return () => {
        one.at = now()
      }
    },
    busy(seconds) {
      busyUntil = Math.max(busyUntil, now() + seconds * 1000)
    },
    note: () => void sentLately().push({ at: now() }),
  }
}
