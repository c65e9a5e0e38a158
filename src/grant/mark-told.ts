// Keeps that an outcome was told. Whoever asked has their answer by then, so nothing that fails here is their trouble.
import type { Log } from '../log/log.ts'

const pausesMs = [500, 5_000]

/**
 * Never rejects. @param mark - Says it to the store; tried a few times, as an outcome without it is told again.
 * @returns True for the one caller that says so first; false where it could not be kept.
 */
export type MarkTold = (mark: () => Promise<boolean>) => Promise<boolean>

export function createMarkTold({
  log,
  wait,
}: {
  readonly log: Log
  readonly wait: (ms: number) => Promise<void>
}): MarkTold {
  return async (mark) => {
    for (const pauseMs of [...pausesMs, undefined]) {
      try {
        return await mark()
      } catch (error) {
        if (pauseMs === undefined) {
          log.failedJob(
            'error',
            { err: error },
            'it could not be kept that an outcome was told; it is told once more',
          )
        } else {
          await wait(pauseMs)
        }
      }
    }
    return false
  }
}
