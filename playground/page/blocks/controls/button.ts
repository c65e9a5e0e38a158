// The button element; with an address it is a link that is pressed as well.
import { html } from 'htm/preact'
import { isRecord, text } from '../../../slack/model/json.ts'
import type { ElementProps } from '../base/block.ts'
import { safeAddress } from '../text/address.ts'
import { words } from '../text/text.ts'
import { useAsking, usePressing } from './asking.ts'
import { controlId } from './control.ts'

const looks: Readonly<Record<string, string>> = { primary: ' b-primary', danger: ' b-danger' }

export function Button(props: ElementProps) {
  const { element, given } = props
  const { ask, dialog } = useAsking(props)
  const { isBusy, press } = usePressing(given.use, controlId(props))
  const url = safeAddress(text(element.url) ?? '')
  const asksFirst = isRecord(element.confirm)
  const shared = {
    class: `b-button${looks[text(element.style) ?? ''] ?? ''}`,
    'aria-busy': isBusy ? 'true' : undefined,
  }
  const label = html`<span class="b-button-words">${words(element.text)}</span>`
  if (url === undefined || given.use === undefined) {
    const onClick = () => ask(() => void press())
    return html`<button type="button" ...${shared} disabled=${given.use === undefined} onClick=${onClick}>${label}</button>${dialog}`
  }
  const onClick = (event: Event) => {
    if (!asksFirst) return void press()
    event.preventDefault()
    ask(() => {
      window.open(url, '_blank', 'noopener,noreferrer')
      void press()
    })
  }
  return html`<a ...${shared} href=${url} target="_blank" rel="noopener noreferrer" onClick=${onClick}>${label}</a>${dialog}`
}
