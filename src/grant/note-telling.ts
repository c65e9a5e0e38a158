// Keeps whether an outcome was told. Whoever asked has their answer by then, or is told by others, so nothing that fails
// here is their trouble.
import type { Log } from '../log.ts'
import { keepTrying } from './keep-trying.ts'

/** Never rejects. @param note - Says it to the store; tried a few times, as an outcome without it is told later. */
export type NoteTelling = (note: () => Promise<void>) => Promise<void>

export function createNoteTelling({
  log,
  wait,
}: {
  readonly log: Log
  readonly wait: (ms: number) => Promise<void>
}): NoteTelling {
  return async (note) => {
    try {
      await keepTrying(note, wait)
    } catch (error) {
      log.error(
        { err: error },
        'it could not be kept whether an outcome was told; it is told later, perhaps again',
      )
    }
  }
}
