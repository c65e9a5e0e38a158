// Tells listeners what changed, and knows when nothing is under way.
import type { Change } from '../model/model.ts'

/** How long nothing may happen before the workspace counts as idle. */
const QUIET_MS = 40
/**
 * And how many turns of the event loop after that: on a machine that is busy the moment is over before what has come in
 * meanwhile was read.
 */
const QUIET_TURNS = 100

export class Changes {
  readonly #listeners = new Set<(change: Change) => void>()
  #underWay = 0
  readonly #stirs = new Set<() => void>()

  on(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  tell(change: Change): void {
    for (const listener of [...this.#listeners]) listener(change)
    this.#stir()
  }

  /** Counts the work as under way until it settles. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1
    this.#stir()
    try {
      return await work()
    } finally {
      this.#underWay -= 1
      this.#stir()
    }
  }

  /** Resolves when no call or delivery has been under way for a moment. */
  idle(quietMs = QUIET_MS): Promise<void> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined
      let turn: NodeJS.Immediate | undefined
      const after = (turns: number) => {
        turn = setImmediate(() => {
          if (turns > 0) return after(turns - 1)
          this.#stirs.delete(look)
          resolve()
        })
      }
      const look = () => {
        clearTimeout(timer)
        clearImmediate(turn)
        if (this.#underWay === 0) timer = setTimeout(() => after(QUIET_TURNS), quietMs)
      }
      this.#stirs.add(look)
      look()
    })
  }

  /**
   * Waits until `look` finds something, looking again after every change.
   *
   * @param limitMs - Real milliseconds.
   * @throws Error with the text of `otherwise` when the limit is reached.
   */
  until<T>(look: () => T | undefined, limitMs: number, otherwise: () => string): Promise<T> {
    const stack = new Error('waited here')
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        stop()
      }
      const again = () => {
        const found = look()
        if (found === undefined) return
        settle()
        resolve(found)
      }
      const stop = this.on(again)
      const timer = setTimeout(() => {
        settle()
        reject(new Error(otherwise(), { cause: stack }))
      }, limitMs)
      again()
    })
  }

  #stir(): void {
    for (const look of [...this.#stirs]) look()
  }
}
