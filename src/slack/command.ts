// A command as the guard knows it: one line is read once, and what was read says how it is let in and what it does.
import type { CommandRequest } from './requests.ts'

/** What one line asks for. */
export interface Intent {
  /** It takes something back or away, and is not held back, however fast somebody asks. */
  readonly isFree: boolean
  /** It changes nothing: it may come twice, and comes in for longer when Bellhop is busy. */
  readonly onlyTells: boolean
  /** Does it. */
  run(request: CommandRequest): Promise<void>
}

/** Reads a line, as Slack sends it. Pure; never throws. */
export type Command = (line: string) => Intent
