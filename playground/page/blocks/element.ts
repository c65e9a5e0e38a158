// One interactive element, whichever kind.
import { html } from 'htm/preact'
import type { ComponentType } from 'preact'
import { text } from '../../slack/model/json.ts'
import type { ElementProps } from './base/block.ts'
import { Checkboxes } from './controls/boxes.ts'
import { Button } from './controls/button.ts'
import { Overflow } from './controls/overflow.ts'
import { Select } from './controls/select.ts'
import { Suggesting } from './controls/suggesting.ts'
import { TextInput } from './controls/text-input.ts'

const anywhere: Readonly<Record<string, ComponentType<ElementProps>>> = {
  button: Button,
  overflow: Overflow,
}

const inInput: Readonly<Record<string, ComponentType<ElementProps>>> = {
  static_select: Select,
  external_select: Suggesting,
  conversations_select: Select,
  checkboxes: Checkboxes,
  plain_text_input: TextInput,
}

export function Element(props: ElementProps) {
  const kind = text(props.element.type) ?? ''
  const kinds = props.field === undefined ? anywhere : inInput
  const Kind = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  if (Kind) return html`<${Kind} ...${props} />`
  return html`<p class="b-unknown">The playground does not show this element: ${kind || 'no type'}</p>`
}

/** Whether a label can point at it: boxes are a group that a label names. */
export function isLabelable(type: unknown): boolean {
  return type !== 'checkboxes'
}
