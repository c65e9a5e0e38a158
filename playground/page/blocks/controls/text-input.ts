// Inputs that are typed into.
import { html } from 'htm/preact'
import type { ElementProps } from '../base/block.ts'
import { words } from '../text/text.ts'
import { useOne } from './control.ts'
import { useFocusOnLoad } from './focus.ts'

const nearTheEnd = 20

type Typed = { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }

export function TextInput(props: ElementProps) {
  const { element, field } = props
  const { value, edit, send, isOff, names } = useOne(props)
  const focus = useFocusOnLoad(element, isOff)
  const isComplete = field?.sendsWhenComplete === true
  const tell = ({ currentTarget }: Typed) => send(currentTarget.value)
  const onInput = (event: Typed) => {
    edit(event.currentTarget.value)
    if (!isComplete) tell(event)
  }
  const shared = {
    ...focus,
    ...names,
    id: field?.inputId,
    class: 'b-input',
    placeholder: words(element.placeholder),
    'aria-required': field?.isRequired ? 'true' : undefined,
    autocomplete: 'off',
    disabled: isOff,
    value,
    onInput,
    onChange: isComplete ? tell : undefined,
  }
  const left = Number(element.max_length ?? Number.NaN) - value.length
  const input =
    element.multiline === true
      ? html`<textarea ...${shared} rows="4"></textarea>`
      : html`<input ...${shared} type="text" />`
  return html`<div class="b-typed">
    ${input}
    ${left < nearTheEnd && html`<span class=${`b-remaining${left < 0 ? ' b-over' : ''}`} aria-hidden="true">${left}</span>`}
  </div>`
}
