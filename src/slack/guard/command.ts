// A command as the guards know it: one line is read once, and what was read says how it is let in and what it does.
import type { CommandRequest } from './requests.ts'

/** What a line, or what somebody wrote to the bot, asks for. */
export interface Intent<Asked = CommandRequest> {
  /** It takes something back or away, and is not held back, however fast somebody asks. */
  readonly isFree: boolean
  /** It changes nothing: it may come twice, and comes in for longer when Bellhop is busy. */
  readonly onlyTells: boolean
  /** Does it. */
  run(request: Asked): Promise<void>
}

/** Reads a line, as Slack sends it. Pure; never throws. */
export type Command = (line: string) => Intent
