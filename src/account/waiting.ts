// What waits for somebody to connect an account: the port of the store that keeps it.
import type { SlackUser } from '../slack/ids.ts'
import type { Sealed } from './vault.ts'

/** One command that waits. `what` is the feature's own JSON, sealed for its owner. */
export interface WaitingCommand {
  readonly id: string
  readonly what: Sealed
  /** Milliseconds since 1970. */
  readonly since: number
}

/** Where commands wait while their asker connects an account. */
export interface WaitingCommands {
  keep(owner: SlackUser, command: WaitingCommand): Promise<void>
  /** Reads without taking, or undefined when it is gone or somebody else's. */
  find(owner: SlackUser, id: string): Promise<WaitingCommand | undefined>
  /** Hands the command out and forgets it: of two callers, one gets it. */
  take(owner: SlackUser, id: string): Promise<WaitingCommand | undefined>
  forgetAll(owner: SlackUser): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets what has waited since before this time (milliseconds since 1970). */
  prune(before: number): Promise<void>
}
