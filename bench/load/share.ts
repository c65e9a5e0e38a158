// Work for several at a time: whoever is done with one takes the next.
import { setTimeout as wait } from 'node:timers/promises'

export interface HowMany {
  readonly atATime: number
  /** Over so long their first ones are spread: people do not all ask in the same millisecond. */
  readonly spreadMs?: number
}

/**
 * @param open - What each of them works with; closed in the end.
 * @returns How many there were.
 */
export async function share<T, With extends { close(): void }>(
  items: Iterable<T>,
  { atATime, spreadMs = 0 }: HowMany,
  open: () => Promise<With>,
  work: (item: T, own: With) => Promise<void>,
): Promise<number> {
  const all = await Promise.all(Array.from({ length: atATime }, open))
  const left = items[Symbol.iterator]()
  let count = 0
  await Promise.all(
    all.map(async (own, index) => {
      if (spreadMs > 0) await wait((index * spreadMs) / atATime)
      for (let next = left.next(); next.done !== true; next = left.next()) {
        count += 1
        await work(next.value, own)
      }
    }),
  )
  for (const own of all) own.close()
  return count
}
