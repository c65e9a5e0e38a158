// Work that is waited for no longer than so: whoever waits goes on, and the work does too.

/** What the work comes to; undefined when it takes longer than `ms`. @throws what the work throws in that time. */
export async function inTime<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, ms, undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
