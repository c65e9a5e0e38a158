// Waits for work under way: for all of it at a stop, for one piece in a given time, or saying meanwhile that it is slow.
// Also has work under one key take turns or share a run, and renews a lease while work goes on.

export function createWork() {
  const underWay = new Set<Promise<unknown>>()

  function track<T>(work: Promise<T>): Promise<T> {
    const end = () => void underWay.delete(ended)
    const ended = work.then(end, end)
    underWay.add(ended)
    return work
  }

  return {
    /** Counts this work as under way until it is done. */
    track,
    run: <T>(work: () => Promise<T>): Promise<T> => track(work()),
    async done() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

/** The result of the work; undefined when it takes longer than `ms`. @throws what the work throws in that time. */
export function inTime<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(late.resolve, ms, undefined)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

/**
 * Waits for the work. If that takes longer than `ms`, calls `say` once, and waits for it too: so its message never comes
 * behind the answer.
 * @param say - Must never reject.
 * @throws What the work throws.
 */
export async function whenSlow<T>(
  work: Promise<T>,
  ms: number,
  say: () => Promise<void>,
): Promise<T> {
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

/** Runs work by name: all who ask for the same name while it is under way share one run, and its failure. */
export function singleFlights<T>() {
  const underWay = new Map<string, Promise<T>>()
  return (name: string, work: () => Promise<T>): Promise<T> => {
    const run = underWay.get(name) ?? work().finally(() => underWay.delete(name))
    underWay.set(name, run)
    return run
  }
}

/**
 * Lifetime of a lease: a process that is silent for longer is taken for dead. Long enough for one request to another
 * service (8 s in all, from connecting to its answer) and for committing what became of it (4 s). A process that lives but
 * needs longer, because the database was locked or away, may be taken for dead, too: then an outcome that it stores later
 * changes nothing.
 */
export const leaseMs = 12_000
/** Time between renewals: two in a row may fail before a lease runs out. */
const renewMs = 4_000

/** Renews a lease while `work` goes on. A renewal that fails is ignored: the next comes before the lease has run out. */
export async function renewing<T>(
  renew: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setInterval(() => void renew().catch(() => undefined), renewMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
