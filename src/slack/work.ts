// Work under way, so that a stop can wait for it.

export interface Work {
  /** Counts this work as under way until it is done. */
  track<T>(work: Promise<T>): Promise<T>
  /** How much is under way. */
  size(): number
  /** Resolves once nothing is under way. */
  done(): Promise<void>
}

export function createWork(): Work {
  const underWay = new Set<Promise<unknown>>()
  return {
    track(work) {
      const settled = work.then(
        () => undefined,
        () => undefined,
      )
      underWay.add(settled)
      void settled.then(() => underWay.delete(settled))
      return work
    },
    size: () => underWay.size,
    async done() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
