// Waits for work under way: for all of it at a stop, for one piece no longer than so, or with a word when it takes long.
import { AsyncLocalStorage } from 'node:async_hooks'

export interface Work {
  /** Counts this work as under way until it is done. */
  track<T>(work: Promise<T>): Promise<T>
  /** Begins work, and counts it as `track` does. What it begins so itself is part of it, and not counted again. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Waits, and counts the work that calls this as waiting meanwhile. */
  pause<T>(wait: Promise<T>): Promise<T>
  /** How much is under way and does more than wait. */
  size(): number
  /** How much is under way and waits. */
  waiting(): number
  /** Resolves once nothing is under way. */
  done(): Promise<void>
}

/** One that was begun by `run`. */
interface Piece {
  pauses: number
  /** True once it is done: work that it left behind, such as a line for the audit channel, is no part of it any more. */
  isOver: boolean
}

export function createWork(): Work {
  const underWay = new Set<Promise<unknown>>()
  const pieces = new AsyncLocalStorage<Piece>()
  const waiting = new Set<Piece>()
  /** Tracked for `done` alone: they are part of others. */
  let parts = 0

  function track<T>(work: Promise<T>, onSettled?: () => void): Promise<T> {
    const end = (): void => {
      underWay.delete(ended)
      onSettled?.()
    }
    const ended = work.then(end, end)
    underWay.add(ended)
    return work
  }

  return {
    track: (work) => track(work),
    run(work) {
      if (pieces.getStore()?.isOver === false) {
        const part = work()
        parts += 1
        return track(part, () => {
          parts -= 1
        })
      }
      const piece: Piece = { pauses: 0, isOver: false }
      return track(pieces.run(piece, work), () => {
        piece.isOver = true
        waiting.delete(piece)
      })
    },
    async pause(wait) {
      const piece = pieces.getStore()
      if (piece === undefined || piece.isOver) return wait
      piece.pauses += 1
      waiting.add(piece)
      try {
        return await wait
      } finally {
        piece.pauses -= 1
        if (piece.pauses === 0) waiting.delete(piece)
      }
    },
    size: () => underWay.size - parts - waiting.size,
    waiting: () => waiting.size,
    async done() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

/** What the work comes to; undefined when it takes longer than `ms`. @throws what the work throws in that time. */
export function inTime<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, undefined)
    work.then(
      (result) => {
        clearTimeout(timer)
        resolve(result)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

/**
 * Waits for the work, and says once meanwhile that it takes longer than `ms`. What is said then is said before this
 * resolves, so that it never comes behind the answer.
 * @param say - Never rejects.
 * @throws What the work throws.
 */
export function whenSlow<T>(work: Promise<T>, ms: number, say: () => Promise<void>): Promise<T> {
  return new Promise((resolve, reject) => {
    let said: Promise<void> | undefined
    const timer = setTimeout(() => {
      said = say()
    }, ms)
    const end = (settle: () => void) => {
      clearTimeout(timer)
      if (said === undefined) settle()
      else void said.then(settle)
    }
    work.then(
      (result) => end(() => resolve(result)),
      (error: unknown) => end(() => reject(error)),
    )
  })
}
