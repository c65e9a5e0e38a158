// One happening as it goes on: its steps, and when it is over.
import type { Happening, Step } from '../../page/state/state.ts'
import type { Shown } from './happening-steps.ts'

/** How long nothing may be under way before a happening is over. */
const quietMs = 250

/** Begins with its work under way: call `finished` when that is done. */
export class Ongoing {
  readonly #begun: Pick<Happening, 'id' | 'what' | 'at'>
  readonly #now: () => number
  readonly #changed: (ongoing: Ongoing) => void
  readonly #steps: Step[] = []
  /** Of its work and its steps, those that are not done. */
  #underWay = 1
  #timer: NodeJS.Timeout | undefined
  isOver = false
  /** When something of it was done last. */
  lastAt: number

  /**
   * @param now - Milliseconds since 1970.
   * @param changed - Called after every change.
   */
  constructor(id: number, what: string, now: () => number, changed: (ongoing: Ongoing) => void) {
    this.lastAt = now()
    this.#begun = { id, what, at: this.lastAt }
    this.#now = now
    this.#changed = changed
  }

  get shown(): Happening {
    return { ...this.#begun, isUnderWay: !this.isOver, steps: [...this.#steps] }
  }

  /** @param at - Milliseconds since 1970. @returns Completes the step. */
  begin(at: number, shown: Shown): (completed: Shown) => void {
    const afterMs = Math.max(0, Math.round(at - this.#begun.at))
    const index = this.#steps.push({ id: this.#steps.length, afterMs, ...shown }) - 1
    this.#underWay += 1
    this.isOver = false
    clearTimeout(this.#timer)
    this.#changed(this)
    return (completed) => {
      this.#steps[index] = { id: index, afterMs, ...completed }
      this.finished()
    }
  }

  /** One thing less is under way. */
  finished(): void {
    this.#underWay -= 1
    this.lastAt = this.#now()
    this.#changed(this)
    if (this.#underWay > 0) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.isOver = true
      this.#changed(this)
    }, quietMs).unref()
  }
}
