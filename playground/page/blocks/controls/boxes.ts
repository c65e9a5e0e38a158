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
  const { values, set, isOff, names, dialog } = useSeveral(props)
  const options = records(props.element.options)
  const toggle = (value: string) => {
    const isOn = (one: string) => (one === value ? !values.includes(one) : values.includes(one))
    // Slack sends what is ticked in the order of the options.
    set(options.map((option) => text(option.value) ?? '').filter(isOn))
  }
  return html`<div class="b-boxes" role="group" ...${names}>
    ${options.map((option, index) => {
      const value = text(option.value) ?? ''
      return html`<${Box}
        key=${value}
        ...${props}
        kind="checkbox"
        option=${option}
        isFirst=${index === 0}
        isOn=${values.includes(value)}
        isOff=${isOff}
        onChange=${() => toggle(value)}
      />`
    })}
    ${dialog}
  </div>`
}

function RadioButtons(props: ElementProps) {
  const { value: chosen, set, isOff, names, dialog } = useOne(props)
  const group = useId()
  return html`<div class="b-boxes" role="group" ...${names}>
    ${records(props.element.options).map((option, index) => {
      const value = text(option.value) ?? ''
      return html`<${Box}
        key=${value}
        ...${props}
        kind="radio"
        group=${group}
        option=${option}
        isFirst=${index === 0}
        isOn=${chosen === value}
        isOff=${isOff}
        onChange=${() => set(value)}
      />`
    })}
    ${dialog}
  </div>`
}

interface BoxProps extends ElementProps {
  readonly kind: 'checkbox' | 'radio'
  readonly group?: string
  readonly option: Json
  readonly isFirst: boolean
  readonly isOn: boolean
  readonly isOff: boolean
  onChange(): void
}

function Box({ element, given, kind, group, option, isFirst, isOn, isOff, onChange }: BoxProps) {
  const id = useId()
  const focus = useFocusOnLoad(element, isOff || !isFirst)
  const hasMore = option.description !== undefined
  // A press on the box itself has changed it already; what it shows is ours to say.
  const change = (event: { readonly currentTarget: HTMLInputElement }) => {
    event.currentTarget.checked = isOn
    onChange()
  }
  return html`<label class="b-box">
    <input
      ...${focus}
      type=${kind}
      name=${group}
      checked=${isOn}
      disabled=${isOff}
      aria-labelledby=${`${id}-text`}
      aria-describedby=${hasMore ? `${id}-more` : undefined}
      onChange=${change}
    />
    <span class="b-box-words">
      <span id=${`${id}-text`}><${Text} of=${option.text} names=${given.names} /></span>
      ${hasMore && html`<span id=${`${id}-more`} class="b-box-more"><${Text} of=${option.description} names=${given.names} /></span>`}
    </span>
  </label>`
}
