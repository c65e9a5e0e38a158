// Menus with one choice, as the browser's own: usable by keyboard as people know it.
import { html } from 'htm/preact'
import type { ElementProps } from '../base/block.ts'
import type { Names } from '../base/use.ts'
import { useOne } from './control.ts'
import { useFocusOnLoad } from './focus.ts'
import { type Choice, offeredBy, placeholderOf } from './offered.ts'

export function Select(props: ElementProps) {
  const { element, field, given } = props
  const { value, set, isOff, names, dialog } = useOne(props)
  const focus = useFocusOnLoad(element, isOff)
  const choices = withHeld(offeredBy(props), value, given.names)
  const canBeEmptied = field !== undefined && !field.isRequired
  const onChange = (event: { readonly currentTarget: HTMLSelectElement }) =>
    set(event.currentTarget.value)
  return html`<select
      ...${focus}
      ...${names}
      id=${field?.inputId}
      class=${`b-select${value === '' ? ' b-empty' : ''}`}
      aria-required=${field?.isRequired ? 'true' : undefined}
      disabled=${isOff}
      value=${value}
      onChange=${onChange}
    >
      <option value="" disabled=${!canBeEmptied}>${placeholderOf(element)}</option>
      ${choices.map((one) => html`<option key=${one.value} value=${one.value}>${one.label}</option>`)}
    </select>${dialog}`
}

/** What stands in the menu is shown, also when it would not offer that. */
function withHeld(choices: readonly Choice[], value: string, names: Names): readonly Choice[] {
  if (value === '' || choices.some((one) => one.value === value)) return choices
  return [...choices, { value, label: names[value] ?? value }]
}
