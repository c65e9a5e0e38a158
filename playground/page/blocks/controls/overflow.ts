// The overflow menu: three dots, and what is behind them.
import { html } from 'htm/preact'
import { isRecord, records, text } from '../../../slack/model/json.ts'
import { MenuButton } from '../../menu/menu-button.ts'
import type { ElementProps } from '../base/block.ts'
import { safeAddress } from '../text/address.ts'
import { words } from '../text/text.ts'
import { useAsking, usePressing } from './asking.ts'
import { controlId } from './control.ts'

export function Overflow(props: ElementProps) {
  const { element, given } = props
  const { ask, dialog } = useAsking(props)
  const { isBusy, press } = usePressing(given.use, controlId(props))
  const asksFirst = isRecord(element.confirm)
  const items = records(element.options).map((option) => {
    const value = text(option.value) ?? ''
    const url = safeAddress(text(option.url) ?? '')
    const choose = () =>
      ask(() => {
        if (asksFirst && url !== undefined) window.open(url, '_blank', 'noopener,noreferrer')
        void press(value)
      })
    const [label = '', description] = [words(option.text), words(option.description)]
    // A link that asks first is opened after the answer.
    return { id: value, label, description, url: asksFirst ? undefined : url, choose }
  })
  return html`
    <${MenuButton} label="More options" look="b-button b-dots" items=${items} isBusy=${isBusy} isOff=${given.use === undefined}>
      <span class="b-button-words" aria-hidden="true">•••</span>
    <//>
    ${dialog}
  `
}
