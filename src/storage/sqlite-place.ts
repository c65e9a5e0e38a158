// Whether the database file that was opened is still where it was: who removes or replaces it under a running bot loses
// what that bot writes from then on.
import { stat } from 'node:fs/promises'
import type { Log } from '../log.ts'

/** @returns True while the path leads to the file that it leads to now. Never throws; says in the log when that ends. */
export async function watchPlace(path: string, log: Log | undefined): Promise<() => Promise<boolean>> {
  const opened = await identityOf(path)
  let wasInPlace = true
  return async () => {
    const isInPlace = (await identityOf(path)) === opened
    if (wasInPlace && !isInPlace) {
      log?.error(
        'the database file was removed or replaced under the running bot; put it back, or start Bellhop again',
      )
    }
    wasInPlace = isInPlace
    return isInPlace
  }
}

async function identityOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}
