// An open menu beside its button.
import { html } from 'htm/preact'
import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { usePlace } from './menu-place.ts'

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

interface MenuProps {
  readonly label: string
  readonly button: RefObject<HTMLElement | null>
  readonly items: readonly MenuItem[]
  /** Where the focus is at first. */
  readonly start: 'first' | 'last'
  readonly onChoose: (item: MenuItem) => void
  /** @param isByKey - The focus goes back to the button. */
  readonly onClose: (isByKey: boolean) => void
}

export function Menu({ label, button, items, start, onChoose, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  const entries = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]

  useLayoutEffect(() => menu.current?.showPopover(), [])
  usePlace(button, menu, () => onClose(false))
  useLayoutEffect(
    () =>
      entries()
        .at(start === 'last' ? -1 : 0)
        ?.focus(),
    [],
  )

  const takeKey = (key: string): boolean => {
    const all = entries()
    const at = all.findIndex((entry) => entry.matches(':focus'))
    const next = target(key, at, all.length)
    if (next !== undefined) all.at(next)?.focus()
    else if (key === 'Escape') onClose(true)
    // Enter presses links by itself.
    else if (key === ' ') all[at]?.click()
    else return false
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // From the button on, to what comes next.
    if (event.key === 'Tab') return onClose(true)
    // What stands around the menu has an Escape of its own.
    event.stopPropagation()
    if (takeKey(event.key)) event.preventDefault()
  }

  return html`
    <div class="m-menu" popover="manual" role="menu" aria-label=${label} ref=${menu} onKeyDown=${onKeyDown}>
      ${items.map((item) => html`<${Entry} key=${item.id} item=${item} onChoose=${onChoose} />`)}
    </div>
  `
}

interface EntryProps {
  readonly item: MenuItem
  readonly onChoose: (item: MenuItem) => void
}

function Entry({ item, onChoose }: EntryProps) {
  const { label, description, sign, url } = item
  const shared = { class: 'm-item', role: 'menuitem', tabindex: -1, onClick: () => onChoose(item) }
  const words = html`
    ${sign}
    <span class="m-words">
      ${label}
      ${description && html`<span class="m-about">${description}</span>`}
    </span>
  `
  return url === undefined
    ? html`<button type="button" ...${shared}>${words}</button>`
    : html`<a href=${url} target="_blank" rel="noopener noreferrer" ...${shared}>${words}</a>`
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
