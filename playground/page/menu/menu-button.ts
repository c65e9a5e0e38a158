// A button that opens a menu, for mouse, finger and keyboard alike.
import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Menu, type MenuItem } from './menu.ts'

interface MenuButtonProps {
  /** What the button is called, and its menu. */
  readonly label: string
  /** The button's looks. */
  readonly look: string
  readonly items: readonly MenuItem[]
  readonly isBusy?: boolean
  readonly isOff?: boolean
  /** What stands on the button. */
  readonly children?: ComponentChildren
}

export function MenuButton({ label, look, items, isBusy = false, isOff = false, children }: MenuButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  /** The entry that gets the focus; undefined while it is closed. */
  const [start, setStart] = useState<'first' | 'last'>()
  const isOpen = start !== undefined

  const choose = (item: MenuItem) => {
    setStart(undefined)
    // What is chosen may take the focus further.
    button.current?.focus()
    item.choose()
  }
  const close = (isByKey: boolean) => {
    setStart(undefined)
    if (isByKey) button.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    setStart(event.key === 'ArrowUp' ? 'last' : 'first')
  }

  return html`
    <button
      type="button"
      class=${look}
      ref=${button}
      aria-label=${label}
      title=${label}
      aria-haspopup="menu"
      aria-expanded=${isOpen}
      aria-busy=${isBusy ? 'true' : undefined}
      disabled=${isOff}
      onClick=${() => setStart(isOpen ? undefined : 'first')}
      onKeyDown=${isOpen ? undefined : onKeyDown}
    >
      ${children}
    </button>
    ${isOpen && html`<${Menu} label=${label} button=${button} items=${items} start=${start} onChoose=${choose} onClose=${close} />`}
  `
}
