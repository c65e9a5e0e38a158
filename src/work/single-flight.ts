// One run of work for many: whoever asks for it while it is under way shares it.

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
