// A wish made with the approver's token, at most once a person, and what became of it when its sender fell silent.
import type { MakeWish } from '../grant/make-wish.ts'
import type { WishOutcomes } from '../grant/wish-outcomes.ts'
import type { Told, Wish } from '../grant/wishes.ts'
import type { SlackUser } from '../slack/ids.ts'

/** Somebody's approval of what another one has asked for. */
export interface Approved {
  /** The intent's: at most one POST a person, ever. */
  readonly id: string
  readonly approver: SlackUser
  /** Who asked for it, in Slack. */
  readonly askerId: string
  readonly wish: Wish
}

export interface Wishes {
  /** Sends it. A repeated call joins the one before, and gives the same outcomes. Tells nobody. */
  make(approved: Approved, token: string): Promise<readonly Told[]>
  /**
   * What became of it, its sender having fallen silent. Sends nothing, and sees to it that nobody does any more: what
   * was not sent is given up, what is under way is waited for.
   */
  outcomesOf(approved: Approved): Promise<readonly Told[]>
}

const pauseMs = 200

export function createWishes(room: {
  readonly makeWish: MakeWish
  readonly outcomes: WishOutcomes
  readonly wait: (ms: number) => Promise<void>
}): Wishes {
  const { makeWish, outcomes, wait } = room
  return {
    // Approved on purpose: what became of an equal grant a moment ago does not stand for it.
    make: ({ approver, id, wish, askerId }, token) =>
      makeWish(approver, token, id, wish, { askerId, joins: false }),
    async outcomesOf({ approver, id, wish, askerId }) {
      for (;;) {
        const told = await outcomes.conclude(approver, id, wish)
        if (told !== undefined) {
          await outcomes.record(approver, id, wish, askerId)
          return told
        }
        await wait(pauseMs)
      }
    },
  }
}
