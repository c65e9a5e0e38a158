// The pane of the sidebar: beside the channel, or over it on a phone.
import { html } from 'htm/preact'
import { useEffect, useRef } from 'preact/hooks'
import { Sidebar } from './sidebar.ts'

interface SidebarPaneProps {
  readonly isNarrow: boolean
  /** On a phone. */
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function SidebarPane({ isNarrow, isOpen, onClose }: SidebarPaneProps) {
  const pane = useRef<HTMLElement>(null)
  const isOver = isNarrow && isOpen
  useEffect(() => {
    if (isOver) pane.current?.querySelector<HTMLElement>('[aria-current]')?.focus()
  }, [isOver])
  if (isNarrow && !isOpen) return null

  const onKeyDown = (event: KeyboardEvent) => {
    if (isOver && event.key === 'Escape') onClose()
  }
  return html`
    ${isOver && html`<div class="s-shade" onClick=${onClose}></div>`}
    <aside
      class=${isOver ? 's-sidebar s-sidebar-over' : 's-sidebar'}
      aria-label="Sidebar"
      ref=${pane}
      onKeyDown=${onKeyDown}
    >
      <${Sidebar} />
    </aside>
  `
}
