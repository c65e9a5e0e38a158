// A button that opens a menu, for mouse and keyboard alike.
import { html } from 'htm/preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './icon.ts'
import { putBeside, useDismiss } from './menu-place.ts'

export interface MenuItem {
  readonly id: string
  readonly label: string
  readonly description?: string | undefined
  readonly icon: IconName
  choose(): void
}

interface MenuButtonProps {
  readonly label: string
  readonly icon: IconName
  readonly items: readonly MenuItem[]
}

export function MenuButton({ label, icon, items }: MenuButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)

  const choose = (item: MenuItem) => {
    setIsOpen(false)
    // What is chosen may take the focus further.
    button.current?.focus()
    item.choose()
  }
  const close = (isByKey: boolean) => {
    setIsOpen(false)
    if (isByKey) button.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    setIsOpen(true)
  }

  return html`
    <button
      type="button"
      class="s-tool"
      ref=${button}
      aria-label=${label}
      title=${label}
      aria-haspopup="menu"
      aria-expanded=${isOpen}
      onClick=${() => setIsOpen(!isOpen)}
      onKeyDown=${isOpen ? undefined : onKeyDown}
    >
      <${Icon} name=${icon} />
    </button>
    ${isOpen && html`<${Menu} label=${label} button=${button} items=${items} onChoose=${choose} onClose=${close} />`}
  `
}

interface MenuProps {
  readonly label: string
  readonly button: { readonly current: HTMLElement | null }
  readonly items: readonly MenuItem[]
  readonly onChoose: (item: MenuItem) => void
  /** @param isByKey - The focus goes back to the button. */
  readonly onClose: (isByKey: boolean) => void
}

function Menu({ label, button, items, onChoose, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    menu.current?.showPopover()
    if (button.current && menu.current) putBeside(button.current, menu.current)
    menu.current?.querySelector('button')?.focus()
  }, [])
  useDismiss(button, menu, () => onClose(false))

  const onKeyDown = (event: KeyboardEvent) => {
    const entries = [...(menu.current?.querySelectorAll('button') ?? [])]
    const at = entries.findIndex((entry) => entry.matches(':focus'))
    const next = target(event.key, at, entries.length)
    if (next !== undefined) entries[next]?.focus()
    else if (event.key === 'Escape') onClose(true)
    else if (event.key === 'Tab') return onClose(true)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return html`
    <div class="s-menu" popover="manual" role="menu" aria-label=${label} ref=${menu} onKeyDown=${onKeyDown}>
      ${items.map(
        (item) => html`
          <button
            key=${item.id}
            type="button"
            class="s-menu-item"
            role="menuitem"
            tabindex="-1"
            onClick=${() => onChoose(item)}
          >
            <${Icon} name=${item.icon} />
            <span>
              ${item.label}
              ${item.description && html`<span class="s-menu-about">${item.description}</span>`}
            </span>
          </button>
        `,
      )}
    </div>
  `
}

function target(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count
    case 'ArrowUp':
      return (at - 1 + count) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}
