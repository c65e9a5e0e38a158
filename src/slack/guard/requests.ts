// Requests as listeners get them: who asks, where, and what they filled in; and commands, as the guard takes them.
import type { ViewResponseAction } from '@slack/bolt'
import type { Person } from '../ids.ts'
import type { Place } from '../outbound/delivery.ts'
import type { Message } from '../outbound/message.ts'
import type { Filled } from './submitted-form.ts'

/** Somebody who asks, and where they do. */
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
  /** As Slack sends it, escaped. It was parsed already: for an answer that repeats it. */
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
  /** When the message that it is in came to look as it does, by Slack's clock, in Unix seconds, where that is known. */
  readonly drawnAt: number | undefined
  /** The view the button is in, when it is in one. */
  readonly view: PressedView | undefined
}

/** A view with a button or menu in it that acts at once, as it was then. */
export interface PressedView {
  readonly id: string
  readonly privateMetadata: string
  /** Another one after each change of the view; `''` when Slack does not say. */
  readonly hash: string
  readonly filled: Filled
  /** As Slack gives them. */
  readonly blocks: readonly unknown[]
}

/** From the menu of a message. */
export interface MessageRequest extends Request {
  /** As Slack gives it. */
  readonly message: Readonly<Record<string, unknown>>
}

/** Somebody types into a menu that suggests; no more is asked than what it should suggest. */
export interface Typing extends From {
  /** So far; `''` where the menu was only opened. Raw and trimmed, cut where it is too long; never logged. */
  readonly typed: string
  /** Of the form that it stands in; `''` elsewhere. */
  readonly privateMetadata: string
}

/** What a menu suggests. */
export interface Suggestion {
  /** Raw; cut to what Slack takes. */
  readonly label: string
  /** Comes back when it is chosen. Of two that are equal, the first counts. */
  readonly value: string
}

export interface Submission extends Request {
  readonly viewId: string
  readonly privateMetadata: string
  readonly filled: Filled
  /**
   * Claims this very submission: rejects with `Replayed` when it was claimed before, which ends the listener. `ack` does
   * that by itself; only work that begins before the ack has to call it first. Calling it again changes nothing.
   */
  claim(): Promise<void>
  /**
   * Answers the submission: without an argument the modal closes. To be called once, before anything slow. Then claims
   * it, and rejects as `claim` does, unless the answer only corrects the form.
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

/** What the guard spares a request, by what is asked. */
export interface Leniency<Ask> {
  /** It takes something back or away: it is not charged, however fast somebody asks, and comes in for longer, too. */
  isUnlimited(ask: Ask): boolean
  /** It changes nothing: it may come twice, and comes in for longer when Bellhop is busy. It is charged. */
  isReadOnly(ask: Ask): boolean
}

/**
 * A command of words that somebody types. Its line is parsed a single time: a short one before anything else, as what it
 * asks decides what the guard spares it; a long one only when its sender has been charged.
 */
export interface Command<Ask, Asked = CommandRequest, Line = string> extends Leniency<Ask> {
  /** Pure; never throws. @param line - As Slack sends it, escaped. */
  parse(line: Line): Ask
  /**
   * Nobody is asked about it, as far as is known, so that its answer is there soon, and goes into the ack. Default:
   * nothing does.
   * @param userId - Who asks.
   */
  isAtOnce?(ask: Ask, userId: string): boolean
  run(request: Asked, ask: Ask): Promise<void>
}

/** What somebody wrote to the bot, its mention among it. */
export interface Said {
  readonly text: string
  /** The bot's own, there. */
  readonly botUserId: string
  /** In the direct message with the bot. */
  readonly isDirect: boolean
}
