// A field of a form that suggests while somebody types, or takes what they type: its block, and what stands in it. Pure.
import type { InputBlock, PlainTextOption } from '@slack/types'
import { plain } from '../text/mrkdwn.ts'
import type { Filled } from './requests.ts'

/** `suggests`: as a menu that asks Bellhop. `typed`: as a text. */
export type FieldKind = 'suggests' | 'typed'

export interface FieldWords {
  readonly label: string
  readonly hints: Readonly<Record<FieldKind, string>>
  readonly placeholder: string
}

export interface FieldIds {
  /** Block id of the text, from which that of the menu is made. Slack keeps what is in a block of the same id. */
  readonly input: string
  /** Action id by which Slack asks for suggestions. */
  readonly suggest: string
}

const listOf = (input: string) => `${input} list`

/** @param initial - Of a text `text`; of a menu `option`. */
export function fieldBlock(
  ids: FieldIds,
  kind: FieldKind,
  words: FieldWords,
  initial: { readonly text: string; readonly option: PlainTextOption | undefined; readonly most: number },
): InputBlock {
  const shared = { type: 'input', label: plain(words.label), hint: plain(words.hints[kind]) } as const
  const { text, option, most } = initial
  if (kind === 'typed') {
    return {
      ...shared,
      block_id: ids.input,
      element: {
        type: 'plain_text_input',
        action_id: ids.input,
        max_length: most,
        ...(text === '' ? {} : { initial_value: text.slice(0, most) }),
      },
    }
  }
  return {
    ...shared,
    block_id: listOf(ids.input),
    element: {
      type: 'external_select',
      action_id: ids.suggest,
      min_query_length: 0,
      placeholder: plain(words.placeholder),
      ...(option === undefined ? {} : { initial_option: option }),
    },
  }
}

/** The field that was filled in: its block id, for a problem there, and what stands in it. */
export function readField(filled: Filled, input: string): { readonly input: string; readonly text: string } {
  const list = listOf(input)
  if (filled.inputs.includes(list)) return { input: list, text: filled.choice(list) ?? '' }
  return { input, text: filled.text(input) }
}
