// The overflow menu: three dots, and what is behind them.
import { html } from 'htm/preact'
import { useId, useRef, useState } from 'preact/hooks'
import { type Json, records, text } from '../../slack/json.ts'
import { safeAddress } from './address.ts'
import { useAsking, usePressing } from './asking.ts'
import type { ElementProps } from './block.ts'
import { controlId } from './control.ts'
import { placeUnder, stepFocus } from './menu.ts'
import { words } from './text.ts'

export function Overflow(props: ElementProps) {
  const { element, given } = props
  const { ask, dialog } = useAsking(props)
  const { isBusy, press } = usePressing(given.use, controlId(props))
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const id = useId()

  const onToggle = (event: ToggleEvent) => {
    setOpen(event.newState === 'open')
    if (event.newState !== 'open' || !button.current || !menu.current) return
    placeUnder(menu.current, button.current)
    menu.current.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (menu.current && stepFocus(menu.current, event.key)) event.preventDefault()
    if (event.key === 'Tab') menu.current?.hidePopover()
  }
  const choose = (option: Json) => {
    menu.current?.hidePopover()
    button.current?.focus()
    const url = safeAddress(text(option.url) ?? '')
    ask(() => {
      if (url !== undefined) window.open(url, '_blank', 'noopener,noreferrer')
      void press(text(option.value))
    })
  }
  return html`<button
      ref=${button}
      type="button"
      class="b-button b-dots"
      aria-label="More options"
      aria-haspopup="menu"
      aria-expanded=${isOpen}
      aria-busy=${isBusy ? 'true' : undefined}
      disabled=${given.use === undefined}
      popovertarget=${id}
    ><span class="b-button-words" aria-hidden="true">•••</span></button>
    <div ref=${menu} id=${id} popover="auto" class="b-menu" role="menu" aria-label="More options" onToggle=${onToggle} onKeyDown=${onKeyDown}>
      ${records(element.options).map(
        (
          option,
        ) => html`<button type="button" class="b-menu-item" role="menuitem" tabindex="-1" onClick=${() => choose(option)}>
          ${words(option.text)}
          ${option.description !== undefined && html`<span class="b-menu-about">${words(option.description)}</span>`}
        </button>`,
      )}
    </div>
    ${dialog}`
}
