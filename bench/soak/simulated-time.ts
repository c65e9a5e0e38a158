// Time that passes as fast as the work in it: sleepers wake in order, and nothing else moves the clock.

export interface SimulatedTime {
  /** Milliseconds since 1970. */
  now(): number
  sleep(ms: number): Promise<void>
  /** Lets this much time pass. */
  run(ms: number): Promise<void>
}

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

export function simulateTime(startAt = 1_800_000_000_000): SimulatedTime {
  let now = startAt
  // Sorted by time, the next one last.
  const sleepers: Sleeper[] = []

  function add(sleeper: Sleeper): void {
    let low = 0
    let high = sleepers.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = sleepers[middle]
      if (other !== undefined && other.at > sleeper.at) low = middle + 1
      else high = middle
    }
    sleepers.splice(low, 0, sleeper)
  }

  /** All work that waits for no sleeper is done by promises, and so before this resolves. */
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

  return {
    now: () => now,
    sleep: (ms) => new Promise((wake) => add({ at: now + Math.max(ms, 0), wake })),
    async run(ms) {
      const end = now + ms
      await settle()
      for (;;) {
        const next = sleepers.at(-1)
        if (next === undefined || next.at > end) break
        now = next.at
        while (sleepers.at(-1)?.at === now) sleepers.pop()?.wake()
        await settle()
      }
      now = end
    },
  }
}
