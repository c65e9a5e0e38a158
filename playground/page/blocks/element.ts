// One interactive element, whichever kind.
import { html } from 'htm/preact'
import type { ComponentType } from 'preact'
import { text } from '../../slack/model/json.ts'
import type { ElementProps } from './base/block.ts'
import { Boxes } from './controls/boxes.ts'
import { Button } from './controls/button.ts'
import { MultiSelect } from './controls/multi-select.ts'
import { Overflow } from './controls/overflow.ts'
import { Select } from './controls/select.ts'
import { Suggesting } from './controls/suggesting.ts'
import { TextInput } from './controls/text-input.ts'
import { DateTimePicker, Picker } from './controls/time-input.ts'
import { Picture } from './image.ts'

const kinds: Readonly<Record<string, ComponentType<ElementProps>>> = {
  button: Button,
  overflow: Overflow,
  image: ({ element }) => html`<${Picture} of=${element} size="small" />`,
  static_select: Select,
  external_select: Suggesting,
  users_select: Select,
  conversations_select: Select,
  channels_select: Select,
  multi_static_select: MultiSelect,
  multi_users_select: MultiSelect,
  multi_conversations_select: MultiSelect,
  multi_channels_select: MultiSelect,
  checkboxes: Boxes,
  radio_buttons: Boxes,
  plain_text_input: TextInput,
  email_text_input: TextInput,
  url_text_input: TextInput,
  number_input: TextInput,
  datepicker: Picker,
  timepicker: Picker,
  datetimepicker: DateTimePicker,
}

export function Element(props: ElementProps) {
  const kind = text(props.element.type) ?? ''
  const Kind = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  if (Kind) return html`<${Kind} ...${props} />`
  return html`<p class="b-unknown">The playground does not show this element: ${kind || 'no type'}</p>`
}

/** Whether a label can point at it: the others are groups that a label names. */
export function isLabelable(type: unknown): boolean {
  return type !== 'checkboxes' && type !== 'radio_buttons' && !text(type)?.startsWith('multi_')
}
