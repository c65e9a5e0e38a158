// Reads of an alert shared for a few seconds by one person: a double click asks the service once.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Monitor } from './client.ts'
import type { Alert } from './schema.ts'

/** Reads shared for a few seconds by one person, never between people nor between two tokens of one person. */
export interface AlertReads {
  /** The answer of a moment ago, the one under way, or a new one. Throws as `Monitor.readAlert`. */
  read(person: string, token: string, ks: string): Promise<Alert>
  /** Always asks the service; its answer is what `read` then shares. */
  fresh(person: string, token: string, ks: string): Promise<Alert>
  /** Drops all of a person's; an answer that is still under way will not be kept. */
  forget(person: string): void
}

/** `hit`: of a moment ago. `shared`: of one under way. `miss`: a new one. `fresh`: a new one, as wanted. */
export type SharedHow = 'hit' | 'shared' | 'miss' | 'fresh'

export interface CacheOptions {
  /** How long an answer is shared, in milliseconds. Default 3,000; 0 shares only those under way. */
  readonly ttlMs?: number
  /** Most answers kept, of all people together. Default 500. */
  readonly max?: number
  /** Milliseconds; where they run backwards, nothing of later is shared. Default `performance.now`. */
  readonly now?: () => number
  /** Told of each read; for figures. */
  readonly onRead?: (how: SharedHow) => void
}

/** @param person - Whatever tells two people apart; may hold any character, as may `ks`. */
export function shareReads(monitor: Pick<Monitor, 'readAlert'>, options: CacheOptions = {}): AlertReads {
  const { ttlMs = 3_000, max = 500, now = () => performance.now(), onRead } = options
  const kept = new LRUCache<string, { readonly person: string; readonly alert: Alert; readonly at: number }>({
    max,
    ttl: ttlMs,
    ttlResolution: 0, // ask the clock each time
    perf: { now: () => now() + 1 }, // lru-cache takes a start of 0 for “no time set”
  })
  const underWay = new Map<string, { readonly person: string; readonly answer: Promise<Alert> }>()

  function ask(key: string, person: string, token: string, ks: string): Promise<Alert> {
    const answer = monitor.readAlert(token, ks)
    const mine = { person, answer }
    underWay.set(key, mine)
    // Replaced by a fresher read, or forgotten: then it is not this one's place to keep or drop anything.
    const isCurrent = () => underWay.get(key) === mine
    answer.then(
      (alert) => {
        if (!isCurrent()) return
        underWay.delete(key)
        if (ttlMs > 0) kept.set(key, { person, alert, at: now() })
      },
      () => {
        if (!isCurrent()) return
        underWay.delete(key)
        kept.delete(key) // no longer true, perhaps: the right to see it may be gone
      },
    )
    return answer
  }

  /** What comes from later, of a clock that was set back since, would be shared until then. */
  function recent(key: string): Alert | undefined {
    const entry = kept.get(key)
    return entry !== undefined && entry.at <= now() ? entry.alert : undefined
  }

  return {
    read(person, token, ks) {
      const key = keyOf(person, token, ks)
      const asked = underWay.get(key)?.answer
      const known = asked === undefined ? recent(key) : undefined
      onRead?.(asked !== undefined ? 'shared' : known !== undefined ? 'hit' : 'miss')
      if (known !== undefined) return Promise.resolve(known)
      return asked ?? ask(key, person, token, ks)
    },
    fresh(person, token, ks) {
      onRead?.('fresh')
      return ask(keyOf(person, token, ks), person, token, ks)
    },
    forget(person) {
      for (const [key, entry] of underWay) if (entry.person === person) underWay.delete(key)
      for (const [key, entry] of [...kept.entries()]) if (entry.person === person) kept.delete(key)
    },
  }
}

// JSON keeps the parts apart whatever they hold; the token itself is not kept.
function keyOf(person: string, token: string, ks: string): string {
  return JSON.stringify([person, ks, hash('sha256', token, 'base64')])
}
