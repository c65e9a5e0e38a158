// Faults to order: what Slack does on a bad day.
import type { Json } from '../model/json.ts'

export interface Fault {
  readonly kind: 'answer' | 'slow' | 'cut'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Real milliseconds, for `slow`. */
  readonly delayMs: number
  /** The call takes effect before the connection is cut. */
  readonly takesEffect: boolean
}

/** A fault that was ordered. */
export interface Order {
  /** False when it has happened as often as ordered, or was cancelled. */
  readonly isWaiting: boolean
  /** Takes this order back, and no other. */
  cancel(): void
}

interface Ordered extends Fault {
  readonly method: string
  /** Of its calls, those that meet it; undefined: all. */
  readonly only?: ((args: Json) => boolean) | undefined
  left: number
}

const plain = { status: 200, headers: {}, body: '', delayMs: 0, takesEffect: false } as const

/** Slack asks to wait. */
export function rateLimited(retryAfterSeconds: number): Fault {
  const headers = { 'retry-after': String(retryAfterSeconds) }
  const body = JSON.stringify({ ok: false, error: 'ratelimited' })
  return { ...plain, kind: 'answer', status: 429, headers, body }
}

/** Faults of one method, or of every response_url under the name `response_url`. */
export class Trouble {
  #ordered: Ordered[] = []

  /** Answers 429 with Retry-After. @param times - Default 1. */
  rateLimit(method: string, options: { retryAfterSeconds: number; times?: number }): Order {
    return this.#order({
      ...rateLimited(options.retryAfterSeconds),
      method,
      left: options.times ?? 1,
    })
  }

  /** Answers with Slack's error (status 200), or with a bare status. @param options.times - Default 1. */
  fail(
    method: string,
    how: { error: string } | { status: number },
    options: { times?: number; only?: Ordered['only'] } = {},
  ): Order {
    const answer =
      'error' in how
        ? { status: 200, body: JSON.stringify({ ok: false, error: how.error }) }
        : { status: how.status, body: '' }
    const { times: left = 1, only } = options
    return this.#order({ ...plain, kind: 'answer', ...answer, method, left, only })
  }

  /** Answers rightly, but late. @param times - Default: until cleared. */
  slow(method: string, delayMs: number, options: { times?: number } = {}): Order {
    return this.#order({
      ...plain,
      kind: 'slow',
      delayMs,
      method,
      left: options.times ?? Number.POSITIVE_INFINITY,
    })
  }

  /** Cuts the connection instead of answering. @param takesEffect - After the call was done; default before. */
  cut(method: string, options: { times?: number; takesEffect?: boolean } = {}): Order {
    const takesEffect = options.takesEffect ?? false
    return this.#order({ ...plain, kind: 'cut', takesEffect, method, left: options.times ?? 1 })
  }

  clear(): void {
    for (const fault of this.#ordered) fault.left = 0
    this.#ordered = []
  }

  /** The fault that this call meets, used up once. What was ordered a few times comes before what lasts. */
  take(method: string, args: Json): Fault | undefined {
    this.#ordered = this.#ordered.filter(({ left }) => left > 0)
    const meant = this.#ordered.filter((one) => one.method === method && (one.only?.(args) ?? true))
    const fault = meant.find(({ left }) => Number.isFinite(left)) ?? meant[0]
    if (fault) fault.left -= 1
    return fault
  }

  #order(fault: Ordered): Order {
    this.#ordered.push(fault)
    return {
      get isWaiting() {
        return fault.left > 0
      },
      cancel: () => {
        fault.left = 0
      },
    }
  }
}
