// Slack's own limits, as it documents them: so many calls a minute of each method, and a message a second in a channel.
// Source: docs.slack.dev/apis/web-api/rate-limits and the tier on each method's page.
import { reference } from '../methods/reference.ts'

const minuteMs = 60_000

/** Calls a minute of each method that Slack grants at least to an app in a workspace, by tier. */
const perMinute: Readonly<Record<number, number>> = { 1: 1, 2: 20, 3: 50, 4: 100 }

const post = 'chat.postMessage'
/** In all channels together: “several hundred messages a minute”. */
const postsPerMinute = 300
/** In one channel: one a second, and this many at once before that. Slack names no number. */
const burst = 10
const gapMs = 1_000

/** Of one workspace. */
export class Limits {
  /** What is off is never counted, so that it can be switched on at any time. */
  areKept: boolean
  readonly #clock: () => number
  /** When calls were let through, within the last minute, oldest first. */
  readonly #calls = new Map<string, number[]>()
  /** By channel: when its next message is due, were they all sent at their pace. */
  readonly #posts = new Map<string, number>()

  /** @param clock - Milliseconds. */
  constructor(clock: () => number, areKept: boolean) {
    this.#clock = clock
    this.areKept = areKept
  }

  /** Counts a call. @returns Seconds that Slack asks to wait, or undefined when it lets the call through. */
  take(method: string, channelId: string | undefined): number | undefined {
    if (!this.areKept) return undefined
    const now = this.#clock()
    const most = method === post ? postsPerMinute : perMinute[reference.get(method)?.tier ?? 0]
    if (most === undefined) return undefined
    const calls = (this.#calls.get(method) ?? []).filter((at) => at > now - minuteMs && at <= now)
    this.#calls.set(method, calls)
    const oldest = calls.length < most ? undefined : calls[calls.length - most]
    const channelMs =
      method === post && channelId !== undefined ? this.#tooEarlyMs(channelId, now) : 0
    const waitMs = Math.max(channelMs, oldest === undefined ? 0 : oldest + minuteMs - now)
    if (waitMs > 0) return Math.ceil(waitMs / 1000)
    calls.push(now)
    if (method === post && channelId !== undefined) {
      this.#posts.set(channelId, Math.max(this.#dueAt(channelId, now), now) + gapMs)
    }
    return undefined
  }

  #tooEarlyMs(channelId: string, now: number): number {
    return Math.max(0, this.#dueAt(channelId, now) - (burst - 1) * gapMs - now)
  }

  /** A clock that was set back silences no channel. */
  #dueAt(channelId: string, now: number): number {
    const dueAt = this.#posts.get(channelId) ?? 0
    return dueAt > now + burst * gapMs ? now : dueAt
  }
}
