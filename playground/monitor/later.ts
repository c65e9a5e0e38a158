// Writes that are done, but that reads do not show yet.

/** Shown after so many reads of the thing, or so many milliseconds of the clock. */
export type Delay = { readonly reads: number } | { readonly ms: number }

interface Pending<Value> {
  readonly before: Value
  readsLeft: number
  readonly showsAt: number
}

export class Later<Key, Value> {
  readonly #pending = new Map<Key, readonly Pending<Value>[]>()
  readonly #now: () => number

  /** @param now - Milliseconds. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** @param before - As it was; changed by nobody any more. */
  hide(key: Key, before: Value, delay: Delay): void {
    const [readsLeft, ms] =
      'ms' in delay ? [Number.POSITIVE_INFINITY, delay.ms] : [delay.reads, undefined]
    const showsAt = ms === undefined ? Number.POSITIVE_INFINITY : this.#now() + ms
    this.#pending.set(key, [...(this.#pending.get(key) ?? []), { before, readsLeft, showsAt }])
  }

  /** As a read shows it now. Counts the read. @returns Undefined: as it is. */
  read(key: Key): Value | undefined {
    const hidden = (this.#pending.get(key) ?? []).filter(
      ({ readsLeft, showsAt }) => readsLeft > 0 && showsAt > this.#now(),
    )
    this.#pending.set(key, hidden)
    for (const one of hidden) one.readsLeft -= 1
    return hidden[0]?.before
  }

  clear(): void {
    this.#pending.clear()
  }
}
