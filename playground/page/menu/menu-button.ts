// A button that opens a menu, for mouse, finger and keyboard alike.
import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { usePopover } from './popover.ts'

export interface MenuItem {
  readonly id: string
  readonly label: string
  readonly description?: string | undefined
  /** A drawing before the label. */
  readonly sign?: ComponentChildren
  /** Opens beside the playground when it is chosen. */
  readonly url?: string | undefined
  choose(): void
}

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

export function MenuButton({
  label,
  look,
  items,
  isBusy = false,
  isOff = false,
  children,
}: MenuButtonProps) {
  const id = useId()
  const { button, popover: menu, isOpen, onToggle } = usePopover(putBeside)
  /** The entry that gets the focus. */
  const start = useRef(0)
  const entries = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]

  useLayoutEffect(() => {
    if (isOpen) entries().at(start.current)?.focus()
    start.current = 0
  }, [isOpen])

  const onButtonKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    start.current = event.key === 'ArrowUp' ? -1 : 0
    menu.current?.showPopover()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // From the button on, to what comes next.
    if (event.key === 'Tab') return menu.current?.hidePopover()
    // What stands around the menu has an Escape of its own.
    event.stopPropagation()
    const all = entries()
    const at = all.findIndex((entry) => entry.matches(':focus'))
    const next = target(event.key, at, all.length)
    if (next !== undefined) all.at(next)?.focus()
    // Enter presses links by itself.
    else if (event.key === ' ') all[at]?.click()
    else return
    event.preventDefault()
  }
  const entry = (item: MenuItem) => {
    const choose = () => {
      // The focus is on the button then: what is chosen may take it further.
      menu.current?.hidePopover()
      item.choose()
    }
    const shared = {
      class: 'm-item',
      role: 'menuitem',
      tabindex: -1,
      key: item.id,
      onClick: choose,
    }
    const words = html`
      ${item.sign}
      <span class="m-words">
        ${item.label}
        ${item.description && html`<span class="m-about">${item.description}</span>`}
      </span>
    `
    return item.url === undefined
      ? html`<button type="button" ...${shared}>${words}</button>`
      : html`<a href=${item.url} target="_blank" rel="noopener noreferrer" ...${shared}>${words}</a>`
  }

  return html`
    <button
      type="button"
      class=${look}
      ref=${button}
      popovertarget=${id}
      aria-label=${label}
      title=${label}
      aria-haspopup="menu"
      aria-busy=${isBusy ? 'true' : undefined}
      disabled=${isOff}
      onKeyDown=${isOpen ? undefined : onButtonKey}
    >
      ${children}
    </button>
    <div class="m-menu" id=${id} popover="auto" role="menu" aria-label=${label} ref=${menu} onToggle=${onToggle} onKeyDown=${onKeyDown}>
      ${isOpen && items.map(entry)}
    </div>
  `
}

const GAP = 4
const EDGE = 8

/** Below the button, or above it where there is no room; left edges in line, as far as the window allows. */
function putBeside(button: HTMLElement, menu: HTMLElement): void {
  const { top, bottom, left } = button.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  // Scrolled away.
  if (bottom < 0 || top > clientHeight) menu.hidePopover()
  const isBelow = bottom + GAP + menu.offsetHeight < clientHeight - EDGE
  const y = isBelow ? bottom + GAP : Math.max(EDGE, top - GAP - menu.offsetHeight)
  menu.style.top = `${y}px`
  menu.style.left = `${Math.max(EDGE, Math.min(left, clientWidth - EDGE - menu.offsetWidth))}px`
}

/** An index, also from the end. */
function target(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count
    case 'ArrowUp':
      return at - 1
    case 'Home':
      return 0
    case 'End':
      return -1
    default:
      return undefined
  }
}
