// Work that somebody waits for: when it takes long, they hear so once, and then its end.
import { inTime } from './in-time.ts'

/**
 * Waits for the work, and says once meanwhile that it takes longer than `ms`. What is said then is said before this
 * resolves, so that it never comes behind the answer.
 * @param say - Never rejects.
 * @throws What the work throws.
 */
export async function whenSlow<T>(work: Promise<T>, ms: number, say: () => Promise<void>): Promise<T> {
  const settled = work.then(
    () => true,
    () => true,
  )
  if ((await inTime(settled, ms)) === undefined) await say()
  return work
}
