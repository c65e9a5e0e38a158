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
