// Panels at the right of the channel: a thread, the drawer “What happened”, or both where there is room.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { useRoom } from '../browser/media.ts'
import type { Find } from '../browser/next-focus.ts'
import type { Route } from './context/route.ts'

interface PanelsOptions {
  readonly room: ReturnType<typeof useRoom>
  /** Another one each time that somebody goes somewhere, be it where they are. */
  readonly route: Route
  readonly isThreadOpen: boolean
  readonly focusNext: (find: Find) => void
}

export function usePanels({ room, route, isThreadOpen, focusNext }: PanelsOptions) {
  const [isDrawerOpen, setIsDrawerOpen] = useState(false)
  const [front, setFront] = useState<'thread' | 'drawer'>('thread')
  const [last, setLast] = useState(route)
  const [leavings, setLeavings] = useState(0)
  // What covers the channel must not cover where one goes. Playing somebody else is going nowhere.
  if (route !== last) {
    setLast(route)
    if (isDrawerOpen && room.isCovering && route.as === last.as) {
      setIsDrawerOpen(false)
      setLeavings(leavings + 1)
    }
  }
  // The focus may have gone with the drawer.
  useLayoutEffect(() => {
    const isLost = leavings > 0 && document.activeElement === document.body
    if (isLost) document.querySelector<HTMLElement>('.s-main')?.focus()
  }, [leavings])
  const threadOpener = useRef<Element | null>(null)
  const drawerButton = useRef<HTMLButtonElement>(null)
  const showsThread = isThreadOpen && (room.isWide || !isDrawerOpen || front === 'thread')
  const showsDrawer = isDrawerOpen && (room.isWide || !isThreadOpen || front === 'drawer')

  const closeDrawer = () => {
    setIsDrawerOpen(false)
    focusNext(() => drawerButton.current)
  }

  return {
    showsThread,
    showsDrawer,
    drawerButton,
    closeDrawer,
    toggleDrawer(): void {
      if (showsDrawer) {
        closeDrawer()
        return
      }
      setIsDrawerOpen(true)
      setFront('drawer')
      if (room.isCovering) focusNext(() => document.querySelector<HTMLElement>('.s-panel-drawer'))
    },
    threadOpened(isToReply: boolean): void {
      threadOpener.current = document.activeElement
      setFront('thread')
      if (isToReply) focusNext(() => document.querySelector<HTMLElement>('.s-thread .s-input'))
      else if (room.isCovering)
        focusNext(() => document.querySelector<HTMLElement>('.s-panel-thread'))
    },
    /** Back to what opened it, or to its message. */
    threadClosed(ts: string): void {
      const opener = threadOpener.current
      threadOpener.current = null
      focusNext(() => {
        if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body)
          return opener
        return document.querySelector<HTMLElement>(
          `.s-main [data-ts="${CSS.escape(ts)}"] > :last-child button`,
        )
      })
    },
  }
}
