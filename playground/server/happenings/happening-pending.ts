// Requests that are under way, and the happenings that they are steps of.
import type { Ongoing } from './happening-ongoing.ts'
import type { Shown } from './happening-steps.ts'

export class Pending {
  readonly #pending = new Map<object, { readonly owner: Ongoing; complete(shown: Shown): void }>()
  #count = 0

  /** @param at - Milliseconds since 1970. */
  begin(request: object, owner: Ongoing, at: number, shown: Shown): void {
    this.#count += 1
    this.#pending.set(request, { owner, complete: owner.begin(this.#count, at, shown) })
  }

  /** Does nothing for what was never begun. */
  complete(request: object, shown: Shown): void {
    this.#pending.get(request)?.complete(shown)
    this.#pending.delete(request)
  }

  ownerOf(request: object): Ongoing | undefined {
    return this.#pending.get(request)?.owner
  }
}
