// Waits for work under way: for all of it at a stop, for one piece no longer than so, or with a word when it takes long.

export interface Work {
  /** Counts this work as under way until it is done. */
  track<T>(work: Promise<T>): Promise<T>
  /** Begins work, and counts it as `track` does. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Resolves once nothing is under way. */
  done(): Promise<void>
}

export function createWork(): Work {
  const underWay = new Set<Promise<unknown>>()

  function track<T>(work: Promise<T>): Promise<T> {
    const end = () => void underWay.delete(ended)
    const ended = work.then(end, end)
    underWay.add(ended)
    return work
  }

  return {
    track,
    run: (work) => track(work()),
    async done() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

/** What the work comes to; undefined when it takes longer than `ms`. @throws what the work throws in that time. */
export function inTime<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(late.resolve, ms, undefined)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

/**
 * Waits for the work, and says once meanwhile that it takes longer than `ms`. What is said then is said before this
 * resolves, so that it never comes behind the answer.
 * @param say - Never rejects.
 * @throws What the work throws.
 */
export async function whenSlow<T>(work: Promise<T>, ms: number, say: () => Promise<void>): Promise<T> {
  let said: Promise<void> | undefined
  const timer = setTimeout(() => {
    said = say()
  }, ms)
  try {
    return await work
  } finally {
    clearTimeout(timer)
    await said
  }
}
