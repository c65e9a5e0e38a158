// A field of a form that suggests while somebody types, or takes what they type where Slack doesn't ask for suggestions:
// its blocks, what stands in them, and how it was shown. Pure.
import type { KnownBlock, PlainTextOption } from '@slack/types'
import { z } from 'zod'
import { plain } from '../text/mrkdwn.ts'
import type { FieldMode } from '../workspace/suggesting.ts'
import type { Filled } from './submitted-form.ts'

export interface FieldWords {
  readonly label: string
  /** Of a text, and of a menu that suggests. */
  readonly hints: Readonly<Record<FieldMode['kind'], string>>
  readonly placeholder: string
  /** On the button that has it the other way. */
  readonly switches: Readonly<Record<FieldMode['kind'], string>>
}

export interface FieldIds {
  /** Block id of the text, from which the others are made. Slack keeps what is in a block of the same id. */
  readonly input: string
  /** Action id by which Slack asks for suggestions. */
  readonly suggest: string
  /** Action id of the button. */
  readonly switch: string
}

const listOf = (input: string) => `${input} list`
const switchOf = (input: string) => `${input} switch`

/** @param initial - Of a text `text`; of a menu `option`. */
export function fieldBlocks(
  ids: FieldIds,
  { kind, canSwitch }: FieldMode,
  words: FieldWords,
  initial: { readonly text: string; readonly option: PlainTextOption | undefined; readonly most: number },
): readonly KnownBlock[] {
  const shared = { type: 'input', label: plain(words.label), hint: plain(words.hints[kind]) } as const
  const { text, option, most } = initial
  const field: KnownBlock =
    kind === 'typed'
      ? {
          ...shared,
          block_id: ids.input,
          element: {
            type: 'plain_text_input',
            action_id: ids.input,
            max_length: most,
            ...(text === '' ? {} : { initial_value: text.slice(0, most) }),
          },
        }
      : {
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
  if (!canSwitch) return [field]
  const button = { type: 'button', action_id: ids.switch, text: plain(words.switches[kind]) } as const
  return [field, { type: 'actions', block_id: switchOf(ids.input), elements: [button] }]
}

/** The field that was filled in: its block id, for a problem there, and what stands in it. */
export function readField(filled: Filled, input: string): { readonly input: string; readonly text: string } {
  const list = listOf(input)
  return filled.inputs.includes(list)
    ? { input: list, text: filled.choice(list) ?? '' }
    : { input, text: filled.text(input) }
}

const shownBlock = z.object({ block_id: z.string() })

/** How a form that is shown already has it. @param blocks - As Slack gives them. */
export function modeIn(blocks: readonly unknown[], input: string): FieldMode {
  const ids = blocks.flatMap((block) => shownBlock.safeParse(block).data?.block_id ?? [])
  return {
    kind: ids.includes(listOf(input)) ? 'suggests' : 'typed',
    canSwitch: ids.includes(switchOf(input)),
  }
}
