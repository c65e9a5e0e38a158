// One happening as it goes on: its steps, and when it is over.
import type { Happening, Step } from '../../page/state/state.ts'
import type { Shown } from './happening-steps.ts'

/** How long nothing may be under way before a happening is over. */
const QUIET_MS = 250

export interface Origin {
  readonly id: number
  readonly what: string
  readonly note?: string | undefined
  /** When it began, in milliseconds since 1970; default now. */
  readonly at?: number
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Called after every change. */
  readonly changed: (ongoing: Ongoing) => void
}

/** Begins with its work under way: call `finished` when that is done. */
export class Ongoing {
  readonly #origin: Origin
  readonly #at: number
  readonly #steps: Step[] = []
  /** Of its work and its steps, those that are not done. */
  #underWay = 1
  #isOver = false
  #timer: NodeJS.Timeout | undefined
  /** When something of it was done last. */
  lastAt: number

  constructor(origin: Origin) {
    this.#origin = origin
    this.lastAt = origin.now()
    this.#at = origin.at ?? this.lastAt
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get shown(): Happening {
    const { id, what, note } = this.#origin
    return { id, what, note, at: this.#at, isUnderWay: !this.#isOver, steps: [...this.#steps] }
  }

  /** @param at - Milliseconds since 1970. @returns Completes the step. */
  begin(id: number, at: number, shown: Shown): (completed: Shown) => void {
    const afterMs = Math.max(0, Math.round(at - this.#at))
    const index = this.#steps.push({ id, afterMs, ...shown }) - 1
    this.#underWay += 1
    this.#isOver = false
    clearTimeout(this.#timer)
    this.#origin.changed(this)
    return (completed) => {
      this.#steps[index] = { id, afterMs, ...completed }
      this.finished()
    }
  }

  /** One thing less is under way. */
  finished(): void {
    this.#underWay -= 1
    this.lastAt = this.#origin.now()
    this.#origin.changed(this)
    if (this.#underWay > 0) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#isOver = true
      this.#origin.changed(this)
    }, QUIET_MS).unref()
  }
}
