// Runs of the same work that several ask for at once: one after the other, so that an older answer never overwrites a
// newer one, or one run that all of them share.

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

export interface SingleFlight<T> {
  /** Begins the work, unless it is under way: then this is what that comes to, its failure too. */
  run(): Promise<T>
  /** Undefined while it is not under way. */
  underWay(): Promise<T> | undefined
}

export function singleFlight<T>(work: () => Promise<T>): SingleFlight<T> {
  let underWay: Promise<T> | undefined
  return {
    run() {
      underWay ??= work().finally(() => {
        underWay = undefined
      })
      return underWay
    },
    underWay: () => underWay,
  }
}

/** The same for work of many names: equal ones share a run. */
export type SingleFlights<T> = (name: string, work: () => Promise<T>) => Promise<T>

export function singleFlights<T>(): SingleFlights<T> {
  const underWay = new Map<string, Promise<T>>()
  return (name, work) => {
    const known = underWay.get(name)
    if (known !== undefined) return known
    const run = work().finally(() => underWay.delete(name))
    underWay.set(name, run)
    return run
  }
}
