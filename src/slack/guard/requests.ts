// Requests as listeners get them: who asks, where, and what they filled in, looked at input by input as it is read; and
// commands, as the guard takes them.
import type { ViewResponseAction } from '@slack/bolt'
import type { AnyBlock } from '@slack/types'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { parseJson } from '../../http/read-body.ts'
import { oddInput, tooLongInputSentence } from '../gate/gate.ts'
import { isDirectId, type Person, slackId } from '../ids.ts'
import type { Place } from '../outbound/delivery.ts'
import type { Message } from '../outbound/message.ts'
import { limits } from '../text/limits.ts'
import { type ChosenUrl, chosen } from './payloads.ts'

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
  readonly blocks: readonly AnyBlock[]
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
}

/** An event without what its listener reads in it. It is not tried again: it would not become readable. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent'

  constructor() {
    super('an event could not be read')
  }
}

/** Reads what a listener needs of its event. @throws UnreadableEvent */
export function readEvent<T>(schema: z.ZodType<T>, event: WorkspaceEvent['event']): T {
  const read = schema.safeParse(event)
  if (read.success) return read.data
  throw new UnreadableEvent()
}

/** What the guard spares a request, by what is asked. */
export interface Leniency<Ask> {
  /** It takes something back or away: it is not charged, however fast somebody asks. */
  isUnlimited(ask: Ask): boolean
  /** It changes nothing: it may come twice. It is charged. */
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

/**
 * What stands in the inputs of a form. Each input has one block, and the block's id names it.
 * Each reader throws `OddInput` for an input that holds something else: many inputs may be empty, and then mean
 * something, so what cannot be read is never taken for empty. To be read before the ack; the guard answers the form.
 */
export interface Filled {
  /** The inputs that the form had. */
  readonly inputs: readonly string[]
  /** Trimmed; `OddInput` for more than Slack takes in a field. */
  text(input: string): string
  choice(input: string): string | undefined
  choices(input: string): readonly string[]
  conversation(input: string): ChosenConversation | undefined
}

/** An input that Slack sent, and that holds something else than what is read from it. */
export class OddInput extends Error {
  override readonly name = 'OddInput'
  readonly input: string
  /** For whoever filled it in. Plain text. */
  readonly sentence: string

  constructor(input: string, sentence = oddInput) {
    super(`what Slack sent at ${input} cannot be read`)
    this.input = input
    this.sentence = sentence
  }
}

/** Where a chosen conversation is. With neither a channel nor a response URL, no way leads there. */
export type ChosenConversation = Pick<Place, 'channelId' | 'responseUrl' | 'isDirect'>

const kind = <const Kinds extends readonly [string, ...string[]]>(kinds: Kinds) => z.enum(kinds).optional()

const typed = z.object({ type: kind(['plain_text_input']), value: z.string().nullish() })
const oneChosen = z.object({
  type: kind(['static_select', 'external_select', 'radio_buttons']),
  selected_option: chosen.nullish(),
})
const severalChosen = z.object({
  type: kind(['checkboxes']),
  selected_options: z.array(chosen).max(limits.selectOptions).nullish(),
})
const conversationChosen = z.object({
  type: kind(['conversations_select']),
  selected_conversation: slackId.nullish(),
})

/** @param urls - Of the conversations that were chosen. */
export function readInputs(values: Readonly<Record<string, unknown>>, urls: readonly ChosenUrl[]): Filled {
  /** The input's action id and its state; undefined where the form has no such input. */
  function read<T>(input: string, schema: z.ZodType<T>): readonly [string, T] | undefined {
    if (!Object.hasOwn(values, input)) return undefined
    const states = z.record(z.string(), schema).safeParse(values[input])
    const [state] = Object.entries(states.data ?? {})
    if (state === undefined) throw new OddInput(input)
    return state
  }

  return {
    inputs: Object.keys(values),
    text(input) {
      const value = read(input, typed)?.[1].value ?? ''
      if (value.length > limits.plainTextInput && lengthOf(value) > limits.plainTextInput)
        throw new OddInput(input, tooLongInputSentence(value.length))
      return value.trim()
    },
    choice: (input) => read(input, oneChosen)?.[1].selected_option?.value,
    choices: (input) => (read(input, severalChosen)?.[1].selected_options ?? []).map(({ value }) => value),
    conversation(input) {
      const [actionId, state] = read(input, conversationChosen) ?? []
      const id = state?.selected_conversation
      if (!id) return undefined
      return conversationOf(
        id,
        urls.find((one) => one.block_id === input && one.action_id === actionId),
      )
    },
  }
}

/** As whoever counts most gently counts: an emoji is one character. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

/**
 * Of a direct message, Slack names the other person, and what is posted to a person stands in their own direct message
 * with the bot: nothing may ever be sent to that id.
 * Source: docs.slack.dev/reference/block-kit/block-elements (conversations list), and states as Slack has sent them.
 */
function conversationOf(id: string, url: ChosenUrl | undefined): ChosenConversation {
  if (!isPerson(id)) {
    const responseUrl = url?.channel_id === id ? url.response_url : undefined
    return { channelId: id, responseUrl, isDirect: isDirectId(id) }
  }
  const channelId = url === undefined || isPerson(url.channel_id) ? undefined : url.channel_id
  return { channelId, responseUrl: url?.response_url, isDirect: true }
}

function isPerson(id: string): boolean {
  return /^[UW]/.test(id)
}

/** To whoever sends a form that was opened before an update. Raw. */
export const otherVersion = 'This form is from another version of Bellhop. Close it and open it again.'

/** Reads what a modal was to remember. @throws UserError when it is not what this version has written. */
export function readPrivateMetadata<T>(schema: z.ZodType<T>, privateMetadata: string): T {
  const read = schema.safeParse(parseJson(privateMetadata))
  if (read.success) return read.data
  throw new UserError(otherVersion)
}
