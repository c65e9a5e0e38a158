// Turns: work on the same thing, a card for instance, is done one after the other, so that an older answer never
// overwrites a newer one.

/** Runs `work` once the work before it under the same key is done, however that ended. */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    const settled = mine.catch(() => undefined)
    last.set(key, settled)
    try {
      return await mine
    } finally {
      if (last.get(key) === settled) last.delete(key)
    }
  }
}
