// What approvals need of granting: a wish for several people, made with somebody's token, at most once a person.
import type { Flag } from '../grant/flags.ts'
import type { GrantOutcome } from '../grant/grants.ts'
import type { SlackUser } from '../slack/ids.ts'

/** What is asked for, validated. */
export interface Wish {
  readonly containerId: number
  /** 1 to 20, as typed. */
  readonly emails: readonly string[]
  readonly authProvider: string | undefined
  readonly member: boolean
  /** In the contract's order, without repeats; may be empty. */
  readonly permissions: readonly Flag[]
}

/** What became of it for one person. `not-sent`: the service was not asked. */
export interface WishOutcome {
  readonly email: string
  readonly outcome: GrantOutcome | { readonly kind: 'not-sent' }
}

/**
 * Sends a wish with the sender's token: at most one POST per id and person, ever. A repeated call with the same id
 * joins the one before and gives the same outcomes. It tells nobody.
 */
export type MakeWish = (
  sender: SlackUser,
  token: string,
  id: string,
  wish: Wish,
) => Promise<readonly WishOutcome[]>

export interface Wishes {
  readonly make: MakeWish
  /**
   * What became of a wish whose sender has fallen silent. Sends nothing, and sees to it that nobody does any more:
   * what was not sent is given up, what is under way is waited for.
   */
  outcomesOf(sender: SlackUser, id: string, wish: Wish): Promise<readonly WishOutcome[]>
}

/** A wish that was kept when it was typed, and that approval may be asked for. */
export interface KeptWish {
  readonly wish: Wish
  /** Where it was asked; undefined when there was no channel. */
  readonly channelId: string | undefined
}

export interface KeptWishes {
  /** Undefined when it is unknown, somebody else's, or was sent and not refused for want of rights. */
  find(asker: SlackUser, id: string): Promise<KeptWish | undefined>
  /** Takes it out of play: it is not sent by itself any more. False when it was sent meanwhile. */
  giveUp(asker: SlackUser, id: string): Promise<boolean>
}
