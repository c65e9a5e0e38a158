// Workspaces and organisations that the bot is installed in: the ports of the stores.
import type { Sealed } from '../account/vault.ts'
import type { Channels } from '../slack/workspace/channels.ts'
import type { Installation } from '../slack/workspace/installation.ts'

export interface NewInstallation {
  readonly installation: Installation
  /** The bot token, sealed for this installation. */
  readonly token: Sealed
  /** Who installed it last, in Slack. */
  readonly installerId: string
}

export interface KeptInstallation extends NewInstallation {
  readonly channels: Channels
}

/** Where installations are kept, by team id, or by enterprise id where the bot is installed for all of it. */
export interface Installations {
  find(workspaceId: string): Promise<KeptInstallation | undefined>
  /** Replaces an earlier one, whose channels stay as they were set. */
  keep(workspaceId: string, installed: NewInstallation): Promise<void>
  /** Puts `resealed` in place of `previous` and does nothing when the row has changed or gone meanwhile. */
  reseal(workspaceId: string, previous: Sealed, resealed: Sealed): Promise<void>
  /** False when the bot is not installed there any more. */
  setChannels(workspaceId: string, channels: Channels): Promise<boolean>
  /** True when it was forgotten: it had this token still, and no other was put in its place meanwhile. */
  forget(workspaceId: string, token: Sealed): Promise<boolean>
  /** Workspaces of an organisation in which the bot is installed by itself. */
  ofOrganisation(enterpriseId: string): Promise<readonly string[]>
  /** The workspace that one of these users is the bot of. */
  ofBotUsers(userIds: readonly string[]): Promise<string | undefined>
  count(): Promise<number>
}

/** `good`: for one caller only. `used`: somebody came back with it before. `unknown`: never given out, or long ago. */
export type StateAnswer = 'good' | 'used' | 'expired' | 'unknown'

/** Where it is kept who went to Slack to install the bot and has not come back yet. */
export interface InstallStates {
  /** @param hash - Of the state, which itself is not kept. */
  keep(hash: string): Promise<void>
  /** Uses it up. @param ttlMs - How old it may be. */
  take(hash: string, ttlMs: number): Promise<StateAnswer>
  /** Forgets those from before this time (milliseconds since 1970). */
  prune(before: number): Promise<void>
}
