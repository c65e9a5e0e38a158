// A figure that costs something: asked for now and then, one at a time, and not waited for long.

const keptMs = 10_000
const waitedMs = 1_000

/** @returns The last figure that is known; `unknown` where there is none, or where it could not be had. */
export function remembered<T>(
  ask: () => Promise<T>,
  unknown: T,
  monotonic: () => number = () => performance.now(),
): () => Promise<T> {
  let known = unknown
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined

  async function askOnce(): Promise<void> {
    try {
      known = await ask()
    } catch {
      // What keeps it from answering is told where it is used.
      known = unknown
    } finally {
      asking = undefined
    }
  }

  return async () => {
    if (asking === undefined && monotonic() - askedAt >= keptMs) {
      askedAt = monotonic()
      asking = askOnce()
    }
    if (asking !== undefined) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, waitedMs)
      })
      await Promise.race([asking, late])
      clearTimeout(timer)
    }
    return known
  }
}
