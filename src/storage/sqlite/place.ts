// Whether the database file that was opened is still where it was: who removes or replaces it under a running bot loses
// what that bot writes from then on.
import { stat } from 'node:fs/promises'
import type { Log } from '../../log/log.ts'
import { createTrouble } from '../../log/trouble.ts'
import type { Clock } from '../../slack/ids.ts'

/**
 * @returns True while the path leads to the file that it leads to now. Never throws; says in the log when that ends, and
 * when it is so again.
 */
export async function watchPlace(
  path: string,
  log: Log | undefined,
  now: Clock,
): Promise<() => Promise<boolean>> {
  const opened = await identityOf(path)
  const trouble = log && createTrouble({ log, now, level: 'error' })
  return async () => {
    const isInPlace = (await identityOf(path)) === opened
    if (isInPlace) trouble?.ends({}, 'the database file is back in its place')
    else
      trouble?.begins(
        {},
        'the database file was removed or replaced under the running bot: what it writes now is lost. Stop Bellhop and put the file back (docs/operating/restore.md). Don’t start it before that: it would begin empty',
      )
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
