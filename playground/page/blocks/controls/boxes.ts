// Checkboxes and radio buttons.
import { html } from 'htm/preact'
import { useId } from 'preact/hooks'
import { type Json, records, text } from '../../../slack/model/json.ts'
import type { ElementProps } from '../base/block.ts'
import { Text } from '../text/text.ts'
import { useOne, useSeveral } from './control.ts'
import { useFocusOnLoad } from './focus.ts'

export function Boxes(props: ElementProps) {
  return props.element.type === 'radio_buttons'
    ? html`<${RadioButtons} ...${props} />`
    : html`<${Checkboxes} ...${props} />`
}

function Checkboxes(props: ElementProps) {
  const { values, set, ...control } = useSeveral(props)
  const toggle = (value: string) => {
    const isOn = (one: string) => (one === value ? !values.includes(one) : values.includes(one))
    // Slack sends what is ticked in the order of the options.
    set(valuesIn(props.element).filter(isOn))
  }
  return html`<${Group} ...${props} ...${control} kind="checkbox" chosen=${values} onChoose=${toggle} />`
}

function RadioButtons(props: ElementProps) {
  const { value, set, isOff, names, dialog } = useOne(props)
  const control = { isOff, names, dialog }
  return html`<${Group} ...${props} ...${control} kind="radio" chosen=${[value]} onChoose=${set} />`
}

function valuesIn(element: Json): readonly string[] {
  return records(element.options).map(({ value }) => text(value) ?? '')
}

interface GroupProps extends ElementProps, Pick<ReturnType<typeof useSeveral>, 'isOff' | 'names' | 'dialog'> {
  readonly kind: 'checkbox' | 'radio'
  readonly chosen: readonly string[]
  readonly onChoose: (value: string) => void
}

function Group({ element, given, isOff, names, dialog, kind, chosen, onChoose }: GroupProps) {
  const id = useId()
  // The first one has it.
  const focus = useFocusOnLoad(element, isOff)
  const options = records(element.options)
  const box = (value: string, index: number) => {
    const option = options[index]
    const isOn = chosen.includes(value)
    const hasMore = option?.description !== undefined
    // A press on the box itself has changed it already; what it shows is ours to say.
    const change = (event: { readonly currentTarget: HTMLInputElement }) => {
      event.currentTarget.checked = isOn
      onChoose(value)
    }
    const words = `${id}-${index}-text`
    const more = `${id}-${index}-more`
    return html`<label class="b-box" key=${value}>
      <input
        ...${index === 0 && focus}
        type=${kind}
        name=${kind === 'radio' ? id : undefined}
        checked=${isOn}
        disabled=${isOff}
        aria-labelledby=${words}
        aria-describedby=${hasMore ? more : undefined}
        onChange=${change}
      />
      <span class="b-box-words">
        <span id=${words}><${Text} of=${option?.text} names=${given.names} /></span>
        ${hasMore && html`<span id=${more} class="b-box-more"><${Text} of=${option.description} names=${given.names} /></span>`}
      </span>
    </label>`
  }
  return html`<div class="b-boxes" role="group" ...${names}>${valuesIn(element).map(box)}${dialog}</div>`
}
