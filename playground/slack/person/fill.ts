// Filling in a form as a person does, and what Slack's client checks before it sends anything.
import { type Json, record, text } from '../model/json.ts'
import type { Channel, View } from '../model/model.ts'
import { type Control, heldValue, isList, valueKey } from '../model/view-state.ts'
import type { SeenModal } from './seen.ts'

/** Whoever has an id: a Person of the driver. */
export interface Identified {
  readonly id: string
}

/**
 * What to put into an input: text; a choice by its label, several as a list; `true` ticks every box of a
 * group (most useful with one), `false` none; a channel or a person; `null` empties it.
 */
export type FieldValue =
  | string
  | boolean
  | null
  | Channel
  | Identified
  | readonly (string | Channel | Identified)[]

/** By the input's label. */
export type Fields = Readonly<Record<string, FieldValue>>

/** The value as `state.values` holds it. Throws when this control does not offer it. */
export function readField(modal: SeenModal, control: Control, value: FieldValue): Json {
  const { type, element, label } = control
  if (value === null || value === '') return heldValue(type, isList(type) ? [] : null)
  const choose = (one: string | Identified) => {
    if (typeof one !== 'string') {
      const refused = unofferedConversation(modal, element, one)
      if (refused) throw new Error(`"${label}" offers no ${refused}`)
      return one.id
    }
    if (!valueKey(type).startsWith('selected_option')) return one
    const words = modal.wordsIn(control)
    const options = modal.optionsIn(control)
    // Of what the bot suggested, the value does as well.
    const byValue = options.find((option) => type === 'external_select' && option.value === one)
    const option = options[words.indexOf(one)] ?? byValue
    if (!option) throw new Error(`"${label}" offers no "${one}", but: ${words.join(', ')}`)
    return option
  }
  if (typeof value === 'boolean') {
    if (!isList(type)) throw new Error(`"${label}" is no checkbox`)
    return heldValue(type, value ? modal.wordsIn(control).map(choose) : [])
  }
  if (isList(type)) return heldValue(type, (isSeveral(value) ? value : [value]).map(choose))
  if (isSeveral(value)) throw new Error(`"${label}" takes one value`)
  return heldValue(type, choose(value))
}

function isSeveral(value: FieldValue): value is readonly (string | Channel | Identified)[] {
  return Array.isArray(value)
}

/** Menus offer public channels, what the person is in, and what their filter lets through. */
function unofferedConversation(
  modal: SeenModal,
  element: Json,
  one: Identified,
): string | undefined {
  const conversation = modal.conversation(one.id)
  if (!conversation) return undefined
  const { kind, name, members } = conversation
  if (kind !== 'public' && !members.has(modal.viewer.id)) return `conversation of others (${name})`
  const include = record(element.filter).include
  return Array.isArray(include) && !include.includes(kind) ? `${kind} conversations` : undefined
}

/** What Slack's client says under inputs instead of sending the form: block id → sentence. */
export function clientErrors(modal: SeenModal): ReadonlyMap<string, string> {
  const errors = new Map<string, string>()
  for (const control of modal.inputs) {
    const said = complaint(control, modal.view)
    if (said !== undefined) errors.set(control.blockId, said)
  }
  return errors
}

function complaint(
  { type, element, block, blockId, actionId }: Control,
  view: View,
): string | undefined {
  const held = record(view.typed.get(blockId)?.get(actionId))[valueKey(type)]
  const isMissing =
    held === null || held === undefined || held === '' || (Array.isArray(held) && held.length === 0)
  if (isMissing) return block.optional === true ? undefined : 'Please complete this required field.'
  const typed = text(held)
  if (typed === undefined) return undefined
  const max = Number(element.max_length ?? 3_000)
  if (type === 'plain_text_input' && typed.length > max)
    return `Please enter no more than ${max} characters.`
  return undefined
}
