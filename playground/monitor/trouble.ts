// Ways in which the stand-in service can fail, on demand.

export interface Occasion {
  /** How often; without it, until `clear`. */
  readonly times?: number
  readonly only?: 'GET' | 'POST'
}

/** A trouble that was asked for. */
export interface Order {
  /** False when it has happened as often as asked for, or was cancelled. */
  readonly isWaiting: boolean
  /** Takes this order back, and no other. */
  cancel(): void
}

export type Flaw = 'not-json' | 'wrong-type' | 'missing-field'

/**
 * Troubles happen in the order in which they were asked for, one per request, those with `times` before those
 * that last; `slow`, `hold` and `stale` come on top.
 * Without `only` they hit every method, without `times` every request.
 */
export interface Trouble {
  /** Answers later, by milliseconds; 0 ends it. */
  slow(ms: number): void
  /** Answers nothing until it is let go. @returns Lets it go. */
  hold(): () => void
  /** Answers this without doing anything. @param how.body - As `Reply.body`: a reason, for instance. Default: none. */
  answer(
    status: number,
    how?: Occasion & { headers?: Readonly<Record<string, string>>; body?: unknown },
  ): Order
  rateLimit(how: Occasion & { retryAfterSeconds: number | string }): Order
  /** Cuts the connection: doing nothing, in the middle of a true answer, or with everything done and nothing said. */
  cut(how: Occasion & { when: 'before-answer' | 'mid-body' | 'after-effect' }): Order
  /** Answers 200 outside the contract. GET only. */
  malformed(flaw: Flaw, how?: Occasion): Order
  /** Answers an alert whose message has this many bytes. */
  huge(bytes: number, how?: Occasion & { status?: number }): Order
  /** Answers in chunks, for as long as somebody reads. */
  endless(how?: Occasion & { status?: number; headers?: Readonly<Record<string, string>> }): Order
  redirect(url: string, how?: Occasion & { status?: number }): Order
  /** Takes the request, does nothing and never answers. */
  hang(how?: Occasion): Order
  /** Kept connections turn out to be dead when they are used again. */
  stale(): void
  /** Ends every trouble but `down`. */
  clear(): void
}

type Headers = Readonly<Record<string, string>>
export type Mishap =
  | { readonly kind: 'answer'; readonly status: number; readonly headers: Headers; readonly body: unknown }
  | { readonly kind: 'cut'; readonly when: 'before-answer' | 'mid-body' | 'after-effect' }
  | { readonly kind: 'malformed'; readonly flaw: Flaw }
  | { readonly kind: 'huge'; readonly bytes: number; readonly status: number }
  | { readonly kind: 'endless'; readonly status: number; readonly headers: Headers }
  | { readonly kind: 'hang' }

export interface Troubles {
  readonly trouble: Trouble
  /** The mishap of this request; counts it. */
  next(method: string): Mishap | undefined
  slowMs(): number
  /** Resolves once nothing is held. */
  letGo(): Promise<void>
  isStale(): boolean
}

export function createTroubles(): Troubles {
  let planned: { readonly mishap: Mishap; readonly only: string | undefined; left: number }[] = []
  let slowMs = 0
  let held = Promise.withResolvers<void>()
  held.resolve()
  let isStale = false

  function plan(mishap: Mishap, { times = Number.POSITIVE_INFINITY, only }: Occasion = {}): Order {
    const one = { mishap, only, left: times }
    planned.push(one)
    return {
      get isWaiting() {
        return one.left > 0
      },
      cancel() {
        one.left = 0
      },
    }
  }

  const trouble: Trouble = {
    slow(ms) {
      slowMs = ms
    },
    hold() {
      const hold = Promise.withResolvers<void>()
      held = hold
      return () => hold.resolve()
    },
    answer: (status, how = {}) =>
      plan({ kind: 'answer', status, headers: how.headers ?? {}, body: how.body ?? '' }, how),
    rateLimit: (how) =>
      trouble.answer(429, { ...how, headers: { 'retry-after': String(how.retryAfterSeconds) } }),
    cut: (how) => plan({ kind: 'cut', when: how.when }, how),
    malformed: (flaw, how) => plan({ kind: 'malformed', flaw }, { ...how, only: 'GET' }),
    huge: (bytes, how) => plan({ kind: 'huge', bytes, status: how?.status ?? 200 }, how),
    endless: (how) => plan({ kind: 'endless', status: how?.status ?? 200, headers: how?.headers ?? {} }, how),
    redirect: (url, how) => trouble.answer(how?.status ?? 302, { ...how, headers: { location: url } }),
    hang: (how) => plan({ kind: 'hang' }, how),
    stale() {
      isStale = true
    },
    clear() {
      for (const one of planned) one.left = 0
      planned = []
      slowMs = 0
      held.resolve()
      isStale = false
    },
  }

  return {
    trouble,
    next(method) {
      planned = planned.filter(({ left }) => left > 0)
      const meant = planned.filter(({ only }) => only === undefined || only === method)
      const found = meant.find(({ left }) => Number.isFinite(left)) ?? meant[0]
      if (found === undefined) return undefined
      found.left -= 1
      return found.mishap
    },
    slowMs: () => slowMs,
    letGo: () => held.promise,
    isStale: () => isStale,
  }
}
