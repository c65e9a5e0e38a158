// The controls of a view or message that hold a value, and the value in the shape that `state.values` has.
import { type Json, list, record, records, text } from './json.ts'
import type { Channel } from './model.ts'

export interface Control {
  readonly blockId: string
  readonly actionId: string
  readonly key: string
  readonly type: string
  readonly element: Json
  readonly block: Json
  /** The label of its input block; undefined outside of one. */
  readonly label: string | undefined
}

/** Elements that hold a value: not buttons, not overflow menus. */
export function controlsOf(content: Json): Control[] {
  return interactive(records(content.blocks)).filter(
    ({ type }) => type !== 'button' && type !== 'overflow',
  )
}

/** Everything in these blocks that can be pressed, chosen or typed into. */
export function interactive(blocks: readonly Json[]): Control[] {
  return blocks.flatMap((block) => {
    const elements = [...list(block.elements), block.element, block.accessory].map(record)
    return elements.flatMap((element) => {
      const [blockId, actionId, type] = [
        text(block.block_id),
        text(element.action_id),
        text(element.type),
      ]
      if (blockId === undefined || actionId === undefined || type === undefined) return []
      const label = block.type === 'input' ? text(record(block.label).text) : undefined
      return [{ blockId, actionId, key: `${blockId} ${actionId}`, type, element, block, label }]
    })
  })
}

/** The property of `state.values` that holds what a control of this type has. */
export function valueKey(type: string): string {
  switch (type) {
    case 'static_select':
    case 'external_select':
      return 'selected_option'
    case 'checkboxes':
      return 'selected_options'
    case 'conversations_select':
      return 'selected_conversation'
    default:
      return 'value'
  }
}

export function isList(type: string): boolean {
  return type === 'checkboxes'
}

export function heldValue(type: string, value: unknown): Json {
  return { type, [valueKey(type)]: value }
}

/**
 * What a menu of conversations holds for this one: of a direct message, the id of the other person.
 * Source: docs.slack.dev/reference/block-kit/block-elements/multi-select-menu-element (conversations list).
 */
export function chosenAs({ id, kind, members }: Channel, userId: string): string {
  return kind === 'im' ? ([...members].find((one) => one !== userId) ?? userId) : id
}

/** @param channelId - Where the person was; undefined from a global shortcut. */
export function initialValue(element: Json, channelId: string | undefined): Json {
  const type = text(element.type) ?? ''
  const name = valueKey(type).replace(/^selected_/, 'initial_')
  const initial = name === 'value' ? element.initial_value : element[name]
  if (initial !== undefined) return heldValue(type, initial)
  if (element.default_to_current_conversation === true && channelId !== undefined) {
    return heldValue(type, channelId)
  }
  return heldValue(type, isList(type) ? [] : null)
}

export function optionsOf(element: Json): readonly Json[] {
  return records(element.options)
}

/** The action that a pressed button sends, or an overflow menu with the option that was chosen in it. */
export function pressedAction({ type, element, blockId, actionId }: Control, option?: Json): Json {
  const ids = { type, block_id: blockId, action_id: actionId }
  if (type !== 'button') return { ...ids, selected_option: option }
  const { text: label, value, url, style, confirm } = element
  const action = { ...ids, text: label, value, url, style, confirm }
  return Object.fromEntries(Object.entries(action).filter(([, one]) => one !== undefined))
}
