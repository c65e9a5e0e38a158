// Runs of the same work that several ask for at once: one after the other, so that an older answer never overwrites a
// newer one, or one run that all of them share.

/** Runs `work` once the work before it under the same key is done, however that ended. */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, mine)
    return mine.finally(() => {
      if (last.get(key) === mine) last.delete(key)
    })
  }
}

/** Runs work of many names: those who ask for an equal name while it is under way share a run, its failure too. */
export type SingleFlights<T> = (name: string, work: () => Promise<T>) => Promise<T>

export function singleFlights<T>(): SingleFlights<T> {
  const underWay = new Map<string, Promise<T>>()
  return (name, work) => {
    const run = underWay.get(name) ?? work().finally(() => underWay.delete(name))
    underWay.set(name, run)
    return run
  }
}

/** The same for one work. */
export function singleFlight<T>(work: () => Promise<T>) {
  let underWay: Promise<T> | undefined
  return {
    run(): Promise<T> {
      underWay ??= work().finally(() => {
        underWay = undefined
      })
      return underWay
    },
    /** Undefined while it is not under way. */
    underWay: () => underWay,
  }
}
