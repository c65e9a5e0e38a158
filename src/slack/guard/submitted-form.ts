// A form as it comes back from Slack: its inputs, looked at one by one as they are read, and its `private_metadata`.
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { parseJson } from '../../http/read-body.ts'
import { oddInput, tooLongInputSentence } from '../gate/not-begun.ts'
import { isDirectId, slackId } from '../ids.ts'
import type { Place } from '../outbound/delivery.ts'
import { limits } from '../text/limits.ts'
import { type ChosenUrl, chosen } from './payloads.ts'

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
