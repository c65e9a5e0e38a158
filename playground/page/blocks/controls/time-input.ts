// Pickers of dates and times, as the browser's own.
import { html } from 'htm/preact'
import type { ElementProps } from '../base/block.ts'
import { useOne } from './control.ts'
import { useFocusOnLoad } from './focus.ts'

type Picked = { readonly currentTarget: HTMLInputElement }

export function Picker(props: ElementProps) {
  return html`<${Native} ...${props} type=${props.element.type === 'timepicker' ? 'time' : 'date'} />`
}

/** Slack holds it in Unix seconds, the browser in the reader's own zone. */
export function DateTimePicker(props: ElementProps) {
  return html`<${Native} ...${props} type="datetime-local" />`
}

function Native(props: ElementProps & { readonly type: 'date' | 'time' | 'datetime-local' }) {
  const { element, field, type } = props
  const { value, set, isOff, names, dialog } = useOne(props)
  const focus = useFocusOnLoad(element, isOff)
  const isBoth = type === 'datetime-local'
  const onChange = ({ currentTarget: { value: picked } }: Picked) =>
    set(isBoth && picked !== '' ? String(new Date(picked).getTime() / 1000) : picked)
  return html`<input
      ...${focus}
      ...${names}
      id=${field?.inputId}
      class="b-input b-picker"
      type=${type}
      aria-required=${field?.isRequired ? 'true' : undefined}
      disabled=${isOff}
      value=${isBoth ? localTime(value) : value}
      onChange=${onChange}
    />${dialog}`
}

function localTime(unixSeconds: string): string {
  const at = new Date(Number(unixSeconds) * 1000)
  if (unixSeconds === '' || Number.isNaN(at.getTime())) return ''
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
