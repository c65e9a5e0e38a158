// Ways in which the stand-in service can fail, on demand.
import type { Flaw } from './wire/send.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One kind of request: its method, its path as it came (without the query), or both. */
export interface RequestKind {
  readonly method?: Method
  readonly path?: RegExp
}

/** Requests that are hit. */
export interface Aim {
  readonly only?: Method | RequestKind
}

export interface Occasion extends Aim {
  /** How often; without it, until `clear`. */
  readonly times?: number
}

/** A trouble that was asked for. */
export interface Order {
  /** False when it has happened as often as asked for, or was cancelled. */
  readonly isWaiting: boolean
  /** Takes this order back, and no other. */
  cancel(): void
}

type Headers = Readonly<Record<string, string>>
export type Mishap =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Headers
      readonly body: unknown
    }
  | { readonly kind: 'cut'; readonly when: 'before-answer' | 'mid-body' | 'after-effect' }
  | { readonly kind: 'malformed'; readonly flaw: Flaw }
  | { readonly kind: 'huge'; readonly bytes: number; readonly status: number }
  | { readonly kind: 'endless'; readonly status: number; readonly headers: Headers }
  | { readonly kind: 'hang'; readonly takesEffect: boolean }

interface AskedKind {
  readonly method: string
  readonly path: string
}

function kindOf({ only }: Aim): RequestKind {
  return typeof only === 'string' ? { method: only } : (only ?? {})
}

function isOf({ method, path }: RequestKind, asked: AskedKind): boolean {
  return (
    (method === undefined || method === asked.method) &&
    (path === undefined || path.test(asked.path))
  )
}

export type Trouble = ReturnType<typeof createTroubles>['trouble']

export function createTroubles() {
  let planned: { readonly mishap: Mishap; readonly only: RequestKind; left: number }[] = []
  let slow: { readonly ms: number; readonly only: RequestKind } = { ms: 0, only: {} }
  const holds = new Set<{ readonly only: RequestKind; readonly over: PromiseWithResolvers<void> }>()
  let isStale = false

  function plan(
    mishap: Mishap,
    { times = Number.POSITIVE_INFINITY, ...aim }: Occasion = {},
  ): Order {
    const one = { mishap, only: kindOf(aim), left: times }
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

  /**
   * Troubles happen in the order in which they were asked for, one per request, those with `times` before those
   * that last; `slow`, `hold` and `stale` come on top.
   * Without `only` they hit every method and path, without `times` every request.
   */
  const trouble = {
    /** Answers later, by milliseconds; 0 ends it. */
    slow(ms: number, how: Aim = {}): void {
      slow = { ms, only: kindOf(how) }
    },
    /** Does and answers nothing until it is let go. @returns Lets it go. */
    hold(how: Aim = {}): () => void {
      const hold = { only: kindOf(how), over: Promise.withResolvers<void>() }
      holds.add(hold)
      return () => {
        holds.delete(hold)
        hold.over.resolve()
      }
    },
    /** Answers this without doing anything. @param how.body - As `Reply.body`: a reason, for instance. Default: none. */
    answer: (status: number, how: Occasion & { headers?: Headers; body?: unknown } = {}): Order =>
      plan({ kind: 'answer', status, headers: how.headers ?? {}, body: how.body ?? '' }, how),
    rateLimit: (how: Occasion & { retryAfterSeconds: number | string }): Order =>
      trouble.answer(429, { ...how, headers: { 'retry-after': String(how.retryAfterSeconds) } }),
    /** Cuts the connection: doing nothing, in the middle of a true answer, or with everything done and nothing said. */
    cut: (how: Occasion & { when: 'before-answer' | 'mid-body' | 'after-effect' }): Order =>
      plan({ kind: 'cut', when: how.when }, how),
    /** Answers 200 outside the contract. GET only: of `only`, the path counts. */
    malformed: (flaw: Flaw, how: Occasion = {}): Order =>
      plan({ kind: 'malformed', flaw }, { ...how, only: { ...kindOf(how), method: 'GET' } }),
    /** Answers an alert whose message has this many bytes. */
    huge: (bytes: number, how: Occasion & { status?: number } = {}): Order =>
      plan({ kind: 'huge', bytes, status: how.status ?? 200 }, how),
    /** Answers in chunks, for as long as somebody reads. */
    endless: (how: Occasion & { status?: number; headers?: Headers } = {}): Order =>
      plan({ kind: 'endless', status: how.status ?? 200, headers: how.headers ?? {} }, how),
    redirect: (url: string, how: Occasion & { status?: number } = {}): Order =>
      trouble.answer(how.status ?? 302, { ...how, headers: { location: url } }),
    /** Takes the request and never answers. @param how.takesEffect - It is done all the same. Default: it is not. */
    hang: (how: Occasion & { readonly takesEffect?: boolean } = {}): Order =>
      plan({ kind: 'hang', takesEffect: how.takesEffect ?? false }, how),
    /** Kept connections turn out to be dead when they are used again. */
    stale(): void {
      isStale = true
    },
    /** Ends every trouble but `down`. */
    clear(): void {
      for (const one of planned) one.left = 0
      planned = []
      slow = { ms: 0, only: {} }
      for (const { over } of holds) over.resolve()
      holds.clear()
      isStale = false
    },
  }

  return {
    trouble,
    /** The mishap of this request; counts it. */
    next(method: string, path = ''): Mishap | undefined {
      planned = planned.filter(({ left }) => left > 0)
      const meant = planned.filter(({ only }) => isOf(only, { method, path }))
      const found = meant.find(({ left }) => Number.isFinite(left)) ?? meant[0]
      if (found === undefined) return undefined
      found.left -= 1
      return found.mishap
    },
    slowMs: (asked: AskedKind) => (isOf(slow.only, asked) ? slow.ms : 0),
    /** Resolves once nothing that holds this request now does any more. */
    async letGo(asked: AskedKind): Promise<void> {
      // Who waits already is not held once more.
      const now = [...holds].filter(({ only }) => isOf(only, asked))
      await Promise.all(now.map(({ over }) => over.promise))
    },
    isStale: () => isStale,
  }
}
