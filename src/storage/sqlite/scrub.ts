// Takes out of SQLite's own log (the file that ends in -wal) what was forgotten: the log holds earlier versions of pages,
// sealed tokens among them, until it is emptied.
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../log/log.ts'

/** Somebody waits for it, in a message that says that their token is forgotten. */
const awaitedMs = 1_000
const firstPauseMs = 10
const longestPauseMs = 5_000
/** A copy of a big database takes that long, and reads all the time. */
const saidAfterMs = 60_000

export interface Scrub {
  /** Empties the log. True when that is done, false after `withinMs`: then it goes on by itself. Never rejects. */
  now(withinMs?: number): Promise<boolean>
  /** Resolves once no more is tried; closing the file empties its log as well. */
  stop(): Promise<void>
}

/** @param room.empty - Tries once: false while somebody reads what the log holds, or writes. */
export function createScrub(room: {
  readonly empty: () => Promise<boolean>
  readonly log?: Log | undefined
}): Scrub {
  const { empty, log } = room
  let isWanted = false
  const stopping = new AbortController()
  let underWay: Promise<void> | undefined

  async function emptyOnce(): Promise<void> {
    const begunAt = performance.now()
    let isSaid = false
    for (
      let pauseMs = firstPauseMs;
      !stopping.signal.aborted;
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    ) {
      let reason: unknown
      try {
        if (await empty()) return
      } catch (error) {
        reason = error
      }
      if (!isSaid && performance.now() - begunAt >= saidAfterMs) {
        log?.warn(
          { err: reason },
          'what was forgotten is still in the log of the database file (-wal), which somebody has been reading for a minute; it is tried again',
        )
        isSaid = true
      }
      await delay(pauseMs, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined)
    }
  }

  /** Again for whoever has forgotten something meanwhile. */
  async function emptyWhileWanted(): Promise<void> {
    while (isWanted && !stopping.signal.aborted) {
      isWanted = false
      await emptyOnce()
    }
    underWay = undefined
  }

  return {
    async now(withinMs = awaitedMs) {
      isWanted = true
      underWay ??= emptyWhileWanted()
      const enough = new AbortController()
      const late = delay(withinMs, false, { signal: enough.signal }).catch(() => false)
      const isDone = await Promise.race([underWay.then(() => !stopping.signal.aborted), late])
      enough.abort()
      return isDone
    },
    async stop() {
      stopping.abort()
      await underWay
    },
  }
}
