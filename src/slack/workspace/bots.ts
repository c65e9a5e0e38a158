// Installations of the bot, each with the token it acts with: the port of whoever keeps them.
import type { Installation } from './installation.ts'

/** An installation, and the token the bot acts with there. */
export interface Bot {
  readonly installation: Installation
  readonly token: string
}

/** Every workspace and organisation the bot is installed in. */
export interface Bots {
  /**
   * @param workspaceId - A team's id; an enterprise's, where it is installed for all of it.
   * @returns Undefined where the bot is not installed, or not any more.
   */
  find(workspaceId: string): Promise<Bot | undefined>
  /** As `find`, whatever this process knows already: another one may have installed it anew. */
  findAnew(workspaceId: string): Promise<Bot | undefined>
  /** The installation that one of these users is the bot of; undefined when none of them is a bot of ours. */
  ofBotUsers(userIds: readonly string[]): Promise<Bot | undefined>
}
