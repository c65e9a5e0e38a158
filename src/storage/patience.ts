// Trying again what failed only because the database was busy or away, without stopping the process.
import { setTimeout as delay } from 'node:timers/promises'

/** How long a caller waits in all, before the error reaches them. */
const PATIENCE_MS = 10_000
const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 50

/** Tries `work` again, with growing pauses, as long as it fails in a way that may pass. */
export async function patiently<T>(
  work: () => T | Promise<T>,
  mayPass: (error: unknown) => boolean,
  { patienceMs = PATIENCE_MS, longestPauseMs = LONGEST_PAUSE_MS } = {},
): Promise<T> {
  const deadline = performance.now() + patienceMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await work()
    } catch (error) {
      if (!mayPass(error) || performance.now() >= deadline) throw error
    }
    // Jitter, so that two who collided do not collide again at the same moment.
    await delay(pauseMs * (0.5 + Math.random()))
  }
}
