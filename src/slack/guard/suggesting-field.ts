// A field of a form that suggests while somebody types, or takes what they type where Slack doesn't ask for suggestions:
// its blocks, what stands in them, and how it was shown. Pure.
import type { KnownBlock, PlainTextOption } from '@slack/types'
import { z } from 'zod'
import { plain } from '../text/mrkdwn.ts'
import type { Filled } from './requests.ts'

/** How a field that can suggest is drawn. */
export interface FieldMode {
  /** `suggests`: as a menu that asks Bellhop. `typed`: as a text. */
  readonly kind: 'suggests' | 'typed'
  /** Whoever fills it in can have it the other way. */
  readonly canSwitch: boolean
}

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

/** A field in a form. */
export interface DrawnField extends FieldMode {
  /** New each time somebody has it the other way: Slack keeps what stood in a block of the same id, however long ago. */
  readonly stamp?: string
}

const listOf = (input: string) => `${input} list`
const switchOf = (input: string) => `${input} switch`
const stamped = (id: string, stamp = '') => (stamp === '' ? id : `${id} ${stamp}`)
/** Its stamp; undefined for another block. */
const stampIn = (id: string, of: string) =>
  id === of ? '' : id.startsWith(`${of} `) ? id.slice(of.length + 1) : undefined

/** @param initial - Of a text `text`; of a menu `option`. */
export function fieldBlocks(
  ids: FieldIds,
  { kind, canSwitch, stamp }: DrawnField,
  words: FieldWords,
  initial: { readonly text: string; readonly option: PlainTextOption | undefined; readonly most: number },
): readonly KnownBlock[] {
  const shared = { type: 'input', label: plain(words.label), hint: plain(words.hints[kind]) } as const
  const { text, option, most } = initial
  const field: KnownBlock =
    kind === 'typed'
      ? {
          ...shared,
          block_id: stamped(ids.input, stamp),
          element: {
            type: 'plain_text_input',
            action_id: ids.input,
            max_length: most,
            ...(text === '' ? {} : { initial_value: text.slice(0, most) }),
          },
        }
      : {
          ...shared,
          block_id: stamped(listOf(ids.input), stamp),
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
  const list = filled.inputs.find((id) => stampIn(id, listOf(input)) !== undefined)
  if (list !== undefined) return { input: list, text: filled.choice(list) ?? '' }
  const text = filled.inputs.find((id) => stampIn(id, input) !== undefined) ?? input
  return { input: text, text: filled.text(text) }
}

const shownBlock = z.object({ type: z.string(), block_id: z.string() })

/** How a form that is shown already has it. @param blocks - As Slack gives them. */
export function fieldIn(blocks: readonly unknown[], input: string): DrawnField {
  const shown = blocks.flatMap((block) => shownBlock.safeParse(block).data ?? [])
  const ids = shown.flatMap(({ type, block_id: id }) => (type === 'input' ? id : []))
  const canSwitch = shown.some(({ block_id: id }) => id === switchOf(input))
  const [list] = ids.flatMap((id) => stampIn(id, listOf(input)) ?? [])
  if (list !== undefined) return { kind: 'suggests', canSwitch, stamp: list }
  const [stamp = ''] = ids.flatMap((id) => stampIn(id, input) ?? [])
  return { kind: 'typed', canSwitch, stamp }
}

/** The same the other way. @param stamp - A new one. */
export function switched({ kind, canSwitch }: DrawnField, stamp: string): DrawnField {
  return { kind: kind === 'typed' ? 'suggests' : 'typed', canSwitch, stamp }
}
