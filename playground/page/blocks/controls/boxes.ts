// Checkboxes.
import { html } from 'htm/preact'
import { useId } from 'preact/hooks'
import { type Json, records, text } from '../../../slack/model/json.ts'
import type { ElementProps } from '../base/block.ts'
import { Text } from '../text/text.ts'
import { useSeveral } from './control.ts'
import { useFocusOnLoad } from './focus.ts'

export function Checkboxes(props: ElementProps) {
  const { element, given } = props
  const { values, set, isOff, names, dialog } = useSeveral(props)
  const id = useId()
  // The first one has it.
  const focus = useFocusOnLoad(element, isOff)
  const options = records(element.options)
  const box = (option: Json, index: number) => {
    const value = text(option.value) ?? ''
    const isOn = values.includes(value)
    const hasMore = option.description !== undefined
    const change = (event: { readonly currentTarget: HTMLInputElement }) => {
      // A press on the box itself has changed it already; what it shows is ours to say.
      event.currentTarget.checked = isOn
      // Slack sends what is ticked in the order of the options.
      const all = options.map((one) => text(one.value) ?? '')
      set(all.filter((one) => (one === value ? !isOn : values.includes(one))))
    }
    const words = `${id}-${index}-text`
    const more = `${id}-${index}-more`
    return html`<label class="b-box" key=${value}>
      <input
        ...${index === 0 && focus}
        type="checkbox"
        checked=${isOn}
        disabled=${isOff}
        aria-labelledby=${words}
        aria-describedby=${hasMore ? more : undefined}
        onChange=${change}
      />
      <span class="b-box-words">
        <span id=${words}><${Text} of=${option.text} names=${given.names} /></span>
        ${hasMore && html`<span id=${more} class="b-box-more"><${Text} of=${option.description} names=${given.names} /></span>`}
      </span>
    </label>`
  }
  return html`<div class="b-boxes" role="group" ...${names}>${options.map(box)}${dialog}</div>`
}
