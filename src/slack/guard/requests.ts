// Requests as listeners get to see them: who asks, where, and what they filled in.
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

/** What a line, or what somebody wrote to the bot, asks for. */
export interface Intent<Asked = CommandRequest> {
  /** It takes something back or away, and is not held back, however fast somebody asks. */
  readonly isFree: boolean
  /** It changes nothing: it may come twice, and comes in for longer when Bellhop is busy. */
  readonly onlyTells: boolean
  /** Does it. */
  run(request: Asked): Promise<void>
}

/**
 * A command as the guards know it: a line, as Slack sends it, is read once, and what was read says how it is let in
 * and what it does. Pure; never throws.
 */
export type Command = (line: string) => Intent
