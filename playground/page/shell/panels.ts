// Panels at the right of the channel: a thread, the drawer “What happened”, or both where there is room.
import { useEffect, useRef, useState } from 'preact/hooks'
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
  const threadOpener = useRef<Element | null>(null)
  const drawerButton = useRef<HTMLButtonElement>(null)
  const showsThread = isThreadOpen && (room.isWide || !isDrawerOpen || front === 'thread')
  const showsDrawer = isDrawerOpen && (room.isWide || !isThreadOpen || front === 'drawer')

  const closeDrawer = () => {
    setIsDrawerOpen(false)
    focusNext(() => drawerButton.current)
  }

  // What covers the channel must not cover where one goes. Playing somebody else is going nowhere.
  const last = useRef(route)
  useEffect(() => {
    const isElsewhere = route !== last.current && route.as === last.current.as
    last.current = route
    if (!isElsewhere || !room.isCovering || !isDrawerOpen) return
    setIsDrawerOpen(false)
    const drawer = document.querySelector('.s-panel-drawer')
    if (drawer?.contains(document.activeElement))
      focusNext(() => document.querySelector<HTMLElement>('.s-main'))
  }, [route])

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
      else if (room.isCovering) focusNext(() => document.querySelector<HTMLElement>('.s-panel-thread'))
    },
    /** Back to what opened it, or to its message. */
    threadClosed(ts: string): void {
      const opener = threadOpener.current
      threadOpener.current = null
      focusNext(() => {
        if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) return opener
        return document.querySelector<HTMLElement>(
          `.s-main [data-ts="${CSS.escape(ts)}"] > :last-child button`,
        )
      })
    },
  }
}
