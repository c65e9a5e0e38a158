// What somebody filled into a form, looked at input by input as it is read.
import { z } from 'zod'
import { type ChosenUrl, chosen, slackId } from './payloads.ts'
import type { Place } from './place.ts'

/**
 * What stands in the inputs of a form. Each input has one block, and the block's id names it. An input that holds
 * something else than what is read counts as empty, so that the form says what is missing.
 */
export interface Filled {
  /** Trimmed. */
  text(input: string): string
  choice(input: string): string | undefined
  choices(input: string): readonly string[]
  conversation(input: string): ChosenConversation | undefined
}

/** Where a chosen conversation is. With neither a channel nor a response URL, no way leads there. */
export type ChosenConversation = Pick<Place, 'channelId' | 'responseUrl' | 'isDirect'>

const typed = z.object({ value: z.string().nullish() })
const oneChosen = z.object({ selected_option: chosen.nullish() })
const severalChosen = z.object({ selected_options: z.array(chosen).nullish() })
const conversationChosen = z.object({ selected_conversation: slackId.nullish() })
const states = z.record(z.string(), z.unknown())

/** @param urls - Of the conversations that were chosen. */
export function readInputs(values: Readonly<Record<string, unknown>>, urls: readonly ChosenUrl[]): Filled {
  /** The input's action id and its state. */
  function stateOf(input: string): readonly [string, unknown] | undefined {
    return Object.hasOwn(values, input)
      ? Object.entries(states.safeParse(values[input]).data ?? {})[0]
      : undefined
  }

  function read<T>(input: string, schema: z.ZodType<T>): T | undefined {
    const state = stateOf(input)
    return state && schema.safeParse(state[1]).data
  }

  return {
    text: (input) => read(input, typed)?.value?.trim() ?? '',
    choice: (input) => read(input, oneChosen)?.selected_option?.value,
    choices: (input) => (read(input, severalChosen)?.selected_options ?? []).map(({ value }) => value),
    conversation(input) {
      const id = read(input, conversationChosen)?.selected_conversation
      if (!id) return undefined
      const [actionId] = stateOf(input) ?? []
      return conversationOf(
        id,
        urls.find((one) => one.block_id === input && one.action_id === actionId),
      )
    },
  }
}

/**
 * Of a direct message, Slack names the other person, and what is posted to a person stands in their own direct message
 * with the bot: nothing may ever be sent to that id.
 * Source: docs.slack.dev/reference/block-kit/block-elements (conversations list), and states as Slack has sent them.
 */
function conversationOf(id: string, url: ChosenUrl | undefined): ChosenConversation {
  if (!isPerson(id)) {
    const responseUrl = url?.channel_id === id ? url.response_url : undefined
    return { channelId: id, responseUrl, isDirect: id.startsWith('D') }
  }
  const channelId = url === undefined || isPerson(url.channel_id) ? undefined : url.channel_id
  return { channelId, responseUrl: url?.response_url, isDirect: true }
}

function isPerson(id: string): boolean {
  return /^[UW]/.test(id)
}
