// One-time links to the page where somebody gives their token: the port of the store that keeps them.
import type { SlackUser } from '../slack/ids.ts'
import type { Sealed } from './vault.ts'

/** A link that works: not used, not over, with tries left. What it holds is sealed for its owner. */
export interface ConnectLink {
  readonly owner: SlackUser
  /** Whose it is and what waits for it. */
  readonly what: Sealed
  /** Where it stands in Slack, when Slack has said so. */
  readonly prompt: Sealed | undefined
}

/**
 * Where links are kept until they are used, or are over. They are known by the hash of their secret: what is kept opens
 * no page.
 */
export interface ConnectLinks {
  /** A new one. */
  keep(
    owner: SlackUser,
    link: { readonly hash: string; readonly what: Sealed },
    limits: { readonly lifeMs: number; readonly tries: number },
  ): Promise<void>
  /** Looks without using anything up. */
  find(hash: string): Promise<ConnectLink | undefined>
  /** Where this person's link stands in Slack. */
  setPrompt(owner: SlackUser, hash: string, prompt: Sealed): Promise<void>
  /**
   * Takes one of the tries, and holds the link: others are told `busy` until it is let go, or `leaseMs` are over.
   * Undefined when it does not work any more.
   */
  hold(hash: string, leaseMs: number): Promise<ConnectLink | 'busy' | undefined>
  /** Lets go of one that was held; it is gone when that was its last try. */
  release(hash: string): Promise<void>
  /** Uses it up. False when it was gone already. */
  use(hash: string): Promise<boolean>
  forgetAll(owner: SlackUser): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets those that were over before this time (milliseconds since 1970). */
  prune(before: number): Promise<void>
}
