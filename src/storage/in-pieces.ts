// Deletes many rows. SQLite stops the process while it deletes, so it is done in pieces.
import { setImmediate as letOthersOn } from 'node:timers/promises'

const MOST_AT_ONCE = 1_000

/** @param deleteSome - Deletes no more than so many, and says how many those were. */
export async function inPieces(
  deleteSome: (most: number) => Promise<{ readonly numDeletedRows: bigint }>,
): Promise<void> {
  for (let deleted = MOST_AT_ONCE; deleted === MOST_AT_ONCE; ) {
    deleted = Number((await deleteSome(MOST_AT_ONCE)).numDeletedRows)
    await letOthersOn()
  }
}
