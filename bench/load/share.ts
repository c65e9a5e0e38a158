// Work for several at a time: each takes the next as soon as it is done with one.
import { setTimeout as wait } from 'node:timers/promises'

/**
 * @param all - What each of them works with.
 * @param spreadMs - Over so long their first ones are spread: people do not all ask in the same millisecond.
 * @returns How many items there were.
 */
export async function share<T, With>(
  items: Iterable<T>,
  all: readonly With[],
  spreadMs: number,
  work: (item: T, own: With) => Promise<void>,
): Promise<number> {
  const left = items[Symbol.iterator]()
  let count = 0
  const workOn = async (own: With, index: number) => {
    if (spreadMs > 0) await wait((index * spreadMs) / all.length)
    for (let next = left.next(); next.done !== true; next = left.next()) {
      count += 1
      await work(next.value, own)
    }
  }
  await Promise.all(all.map(workOn))
  return count
}
