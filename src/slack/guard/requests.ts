// Requests as listeners get to see them: who asks, where, and what they filled in; and commands, as the guard sees them.
import type { ViewResponseAction } from '@slack/bolt'
import type { Person } from '../ids.ts'
import type { Place } from '../outbound/delivery.ts'
import type { Message } from '../outbound/message.ts'
import type { Filled } from './filled.ts'

/** Who asks, and where. */
export interface From {
  readonly asker: Person
  readonly place: Place
}

/** Somebody who can be answered. */
export interface Asking extends From {
  /** Answers the asker alone. */
  answer(message: Message): Promise<void>
}

export interface Request extends Asking {
  readonly triggerId: string
}

/** A command line, typed as a slash command or written to the bot. */
export interface CommandRequest extends Asking {
  /** As Slack sends it, escaped: what was read already, for who repeats it. */
  readonly text: string
  /** Slack's own id of it: the same when it is delivered twice. */
  readonly id: string
  /** Opens modals; undefined when it was written to the bot, which Slack gives no trigger for. */
  readonly triggerId: string | undefined
}

/** What somebody wrote to the bot, in a mention or in the direct message with it. */
export interface Mention extends Asking {
  /** Of the message: the same however often Slack tells of it. */
  readonly id: string
}

export interface ActionRequest extends Request {
  /** The button's value; looked up, never believed. */
  readonly value: string
  /** When it was pressed, by Slack's clock, in milliseconds since 1970; undefined when Slack does not say. */
  readonly pressedAt: number | undefined
  /** The view the button is in, when it is in one. */
  readonly view: { readonly id: string; readonly privateMetadata: string } | undefined
}

/** From the menu of a message. */
export interface MessageRequest extends Request {
  /** As Slack gives it. */
  readonly message: Readonly<Record<string, unknown>>
}

export interface Submission extends Request {
  readonly viewId: string
  readonly privateMetadata: string
  readonly filled: Filled
  /** Before work that comes ahead of the ack. Rejects with `Replayed` as `ack` does, which need not ask again then. */
  takeOnce(): Promise<void>
  /**
   * Answers the submission: without an argument the modal closes. To be called once, before anything slow.
   * Rejects with `Replayed` when this very submission was taken before; that ends the listener.
   */
  ack(response?: ViewResponseAction): Promise<void>
}

export interface WorkspaceEvent {
  readonly workspaceId: string
  /** The bot's own, there. */
  readonly botUserId: string
  readonly event: Readonly<Record<string, unknown>>
  /** It was tried before, and failed. */
  readonly isAgain: boolean
}

/** How what is asked is let in. */
export interface Leniency<Ask> {
  /** It takes something back or away: it is not held back, however fast somebody asks. */
  isFree(ask: Ask): boolean
  /** It changes nothing: it may come twice, and comes in for longer when Bellhop is busy. */
  onlyTells(ask: Ask): boolean
}

/**
 * A command, of words that somebody types. A line is parsed once: at once when it is short, and else when its sender
 * has been counted. What was parsed says how it is let in, and is what runs.
 */
export interface Command<Ask, Asked = CommandRequest, Line = string> extends Leniency<Ask> {
  /** Pure; never throws. @param line - As Slack sends it, escaped. */
  parse(line: Line): Ask
  run(request: Asked, ask: Ask): Promise<void>
}

/** What somebody wrote to the bot, its mention among it. */
export interface Said {
  readonly text: string
  /** The bot's own, there. */
  readonly botUserId: string
}
