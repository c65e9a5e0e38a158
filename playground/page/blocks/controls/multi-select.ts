// Menus with several choices: what is chosen stands above as tokens, a menu adds more.
import { html } from 'htm/preact'
import type { ElementProps } from '../base/block.ts'
import { useSeveral } from './control.ts'
import { useFocusOnLoad } from './focus.ts'
import { offeredBy, placeholderOf } from './offered.ts'
import { showGroup } from './select.ts'

export function MultiSelect(props: ElementProps) {
  const { element, field, given } = props
  const { values, set, isOff, names, dialog } = useSeveral(props)
  const focus = useFocusOnLoad(element, isOff)
  const groups = offeredBy(props)
  const all = groups.flatMap(({ choices }) => choices)
  const labelOf = (value: string) =>
    all.find((one) => one.value === value)?.label ?? given.names[value] ?? value
  const most = Number(element.max_selected_items ?? all.length)
  const left = groups.map((group) => ({
    ...group,
    choices: group.choices.filter(({ value }) => !values.includes(value)),
  }))
  const onChange = (event: { readonly currentTarget: HTMLSelectElement }) =>
    set([...values, event.currentTarget.value])
  return html`<div class="b-multi" role="group" ...${names}>
    ${values.map(
      (value) => html`<span key=${value} class="b-token">
        ${labelOf(value)}
        <button
          type="button"
          class="b-token-remove"
          aria-label=${`Remove ${labelOf(value)}`}
          disabled=${isOff}
          onClick=${() => set(values.filter((one) => one !== value))}
        >×</button>
      </span>`,
    )}
    <select
      ...${focus}
      class="b-select b-empty"
      id=${field?.inputId}
      aria-label=${placeholderOf(element)}
      disabled=${isOff || values.length >= most}
      value=""
      onChange=${onChange}
    >
      <option value="" disabled>${placeholderOf(element)}</option>
      ${left.map(showGroup)}
    </select>${dialog}
  </div>`
}
