// A write that matters more than the moment: a store that is away is often back within seconds.

const pausesMs = [500, 5_000]

/** Tries a few times. @throws what the last try has thrown. */
export async function keepTrying<T>(
  write: () => Promise<T>,
  wait: (ms: number) => Promise<void>,
): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await write()
    } catch {
      await wait(pauseMs)
    }
  }
  return await write()
}
