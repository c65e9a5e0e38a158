// The channels that are chosen for a whole workspace or organisation: the port of whoever keeps the choice.

/** By channel ids. */
export interface Channels {
  /** Where grants and approvals are told. */
  readonly audit: string | undefined
  /** Where requests for approval are posted; else in the channel of the command. */
  readonly approval: string | undefined
}

export const noChannels: Channels = { audit: undefined, approval: undefined }

export interface ChosenChannels {
  /** The operator, by settings of the bot; or admins of each workspace, in Slack. */
  readonly by: 'operator' | 'admins'
  of(workspaceId: string): Promise<Channels>
}
