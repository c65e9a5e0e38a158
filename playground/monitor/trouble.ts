// Ways in which the stand-in service can fail, on demand.
import type { Flaw } from './wire/send.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

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

/**
 * Troubles happen in the order in which they were asked for, one per request, those with `times` before those
 * that last; `slow`, `hold` and `stale` come on top.
 * Without `only` they hit every method and path, without `times` every request.
 */
export interface Trouble {
  /** Answers later, by milliseconds; 0 ends it. */
  slow(ms: number, how?: Aim): void
  /** Does and answers nothing until it is let go. @returns Lets it go. */
  hold(how?: Aim): () => void
  /** Answers this without doing anything. @param how.body - As `Reply.body`: a reason, for instance. Default: none. */
  answer(
    status: number,
    how?: Occasion & { headers?: Readonly<Record<string, string>>; body?: unknown },
  ): Order
  rateLimit(how: Occasion & { retryAfterSeconds: number | string }): Order
  /** Cuts the connection: doing nothing, in the middle of a true answer, or with everything done and nothing said. */
  cut(how: Occasion & { when: 'before-answer' | 'mid-body' | 'after-effect' }): Order
  /** Answers 200 outside the contract. GET only: of `only`, the path counts. */
  malformed(flaw: Flaw, how?: Occasion): Order
  /** Answers an alert whose message has this many bytes. */
  huge(bytes: number, how?: Occasion & { status?: number }): Order
  /** Answers in chunks, for as long as somebody reads. */
  endless(how?: Occasion & { status?: number; headers?: Readonly<Record<string, string>> }): Order
  redirect(url: string, how?: Occasion & { status?: number }): Order
  /** Takes the request and never answers. @param how.takesEffect - It is done all the same. Default: it is not. */
  hang(how?: Occasion & { readonly takesEffect?: boolean }): Order
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
  | { readonly kind: 'hang'; readonly takesEffect: boolean }

interface AskedKind {
  readonly method: string
  readonly path: string
}

function kindOf({ only }: Aim): RequestKind {
  return typeof only === 'string' ? { method: only } : (only ?? {})
}

function isOf({ method, path }: RequestKind, asked: AskedKind): boolean {
  return (method === undefined || method === asked.method) && (path === undefined || path.test(asked.path))
}

export interface Troubles {
  readonly trouble: Trouble
  /** The mishap of this request; counts it. */
  next(method: string, path?: string): Mishap | undefined
  slowMs(asked: AskedKind): number
  /** Resolves once nothing that holds this request now does any more. */
  letGo(asked: AskedKind): Promise<void>
  isStale(): boolean
}

export function createTroubles(): Troubles {
  let planned: { readonly mishap: Mishap; readonly only: RequestKind; left: number }[] = []
  let slow: { readonly ms: number; readonly only: RequestKind } = { ms: 0, only: {} }
  const holds = new Set<{ readonly only: RequestKind; readonly over: PromiseWithResolvers<void> }>()
  let isStale = false

  function plan(mishap: Mishap, { times = Number.POSITIVE_INFINITY, ...aim }: Occasion = {}): Order {
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

  const trouble: Trouble = {
    slow(ms, how = {}) {
      slow = { ms, only: kindOf(how) }
    },
    hold(how = {}) {
      const hold = { only: kindOf(how), over: Promise.withResolvers<void>() }
      holds.add(hold)
      return () => {
        holds.delete(hold)
        hold.over.resolve()
      }
    },
    answer: (status, how = {}) =>
      plan({ kind: 'answer', status, headers: how.headers ?? {}, body: how.body ?? '' }, how),
    rateLimit: (how) =>
      trouble.answer(429, { ...how, headers: { 'retry-after': String(how.retryAfterSeconds) } }),
    cut: (how) => plan({ kind: 'cut', when: how.when }, how),
    malformed: (flaw, how) =>
      plan({ kind: 'malformed', flaw }, { ...how, only: { ...kindOf(how ?? {}), method: 'GET' } }),
    huge: (bytes, how) => plan({ kind: 'huge', bytes, status: how?.status ?? 200 }, how),
    endless: (how) => plan({ kind: 'endless', status: how?.status ?? 200, headers: how?.headers ?? {} }, how),
    redirect: (url, how) => trouble.answer(how?.status ?? 302, { ...how, headers: { location: url } }),
    hang: (how) => plan({ kind: 'hang', takesEffect: how?.takesEffect ?? false }, how),
    stale() {
      isStale = true
    },
    clear() {
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
    next(method, path = '') {
      planned = planned.filter(({ left }) => left > 0)
      const meant = planned.filter(({ only }) => isOf(only, { method, path }))
      const found = meant.find(({ left }) => Number.isFinite(left)) ?? meant[0]
      if (found === undefined) return undefined
      found.left -= 1
      return found.mishap
    },
    slowMs: (asked) => (isOf(slow.only, asked) ? slow.ms : 0),
    async letGo(asked) {
      // Who waits already is not held once more.
      const now = [...holds].filter(({ only }) => isOf(only, asked))
      await Promise.all(now.map(({ over }) => over.promise))
    },
    isStale: () => isStale,
  }
}
