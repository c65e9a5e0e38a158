// The page as one person has it: sidebar, channel, and at its right a thread or what happened.
import { html } from 'htm/preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useRoom } from '../browser/media.ts'
import { useNextFocus } from '../browser/next-focus.ts'
import { Happened } from '../drawer/happened.ts'
import type { Act } from '../state/acts.ts'
import { act as send } from '../state/live.ts'
import type { Happening, PageState } from '../state/state.ts'
import { Modals } from '../views/modal.ts'
import { ChannelHeader } from './channel-header.ts'
import { type Drafts, draftKey } from './context/drafts.ts'
import { Icon } from './context/icon.ts'
import { type Page, PageContext } from './context/page-context.ts'
import { HOME, placeOf, type useRoute } from './context/route.ts'
import { Main } from './main.ts'
import { useMessageLinks } from './messages/message-links.ts'
import { usePanels } from './panels.ts'
import { SidebarPane } from './sidebar/sidebar-pane.ts'
import { ThreadPane } from './thread-pane.ts'
import { useLog } from './use-log.ts'

interface WorkspaceProps {
  readonly state: PageState
  readonly happenings: readonly Happening[]
  readonly at: ReturnType<typeof useRoute>
  readonly notify: (words: string) => void
}

export function Workspace({ state, happenings, at, notify }: WorkspaceProps) {
  const { route, go, beAs } = at
  const { viewer, channels, messages } = state
  const room = useRoom()
  const focusNext = useNextFocus()
  const [drafts] = useState<Drafts>(() => new Map())
  const [sends, setSends] = useState(0)
  const [isSidebarOpen, setIsSidebarOpen] = useState(false)
  const channel =
    route.place === HOME
      ? undefined
      : (channels.find((one) => placeOf(one) === route.place) ?? channels[0])
  const place = channel ? placeOf(channel) : HOME
  const isThere = messages.some(
    ({ channelId, ts, threadTs }) =>
      channelId === channel?.id && (ts === route.threadTs || threadTs === route.threadTs),
  )
  const threadTs = isThere ? route.threadTs : undefined
  const panels = usePanels({ room, route, isThreadOpen: threadTs !== undefined, focusNext })
  const log = useLog(happenings, panels.showsDrawer)

  const act = useCallback(
    async (doing: Act) => {
      if (doing.do === 'say') setSends((count) => count + 1)
      const { error, said } = await send(viewer.name, doing)
      const words = error ?? said
      if (words !== undefined) notify(words)
      return error
    },
    [viewer.name, notify],
  )

  useEffect(() => {
    const sign = channel && channel.kind !== 'im' ? '#' : ''
    document.title = `${sign}${channel?.name ?? 'Home'} · Bellhop playground`
  }, [channel?.name])
  useEffect(() => {
    if (place === HOME) void act({ do: 'open-home' })
  }, [place, act])

  useMessageLinks((channelId, ts) => {
    const target = channels.find(({ id }) => id === channelId)
    if (!target || !messages.some((one) => one.channelId === channelId && one.ts === ts))
      return false
    go(placeOf(target))
    focusNext(() =>
      document.querySelector<HTMLElement>(`.s-main [data-ts="${CSS.escape(ts)}"] button`),
    )
    return true
  })

  const ways = useRef<Pick<Page, 'openThread' | 'putLine' | 'goTo' | 'beAs'> | undefined>(undefined)
  ways.current = {
    goTo(to) {
      setIsSidebarOpen(false)
      go(to)
      focusNext(() =>
        document.querySelector<HTMLElement>(room.isTouch ? '.s-main' : '.s-main .s-input, .s-main'),
      )
    },
    beAs(name) {
      setIsSidebarOpen(false)
      beAs(name)
    },
    openThread(ts, isToReply = false) {
      panels.threadOpened(isToReply)
      go(place, ts)
    },
    putLine(line) {
      const target = channel ?? channels[0]
      if (!target) return
      drafts.set(draftKey(viewer.id, target.id), line)
      setIsSidebarOpen(false)
      go(placeOf(target), channel && !room.isCovering ? threadTs : undefined)
      focusNext(() => document.querySelector<HTMLElement>('.s-main .s-input'))
    },
  }
  // The same while only “What happened” goes on: no message is drawn again for that.
  const page: Page = useMemo(
    () => ({
      state,
      drafts,
      sends,
      act,
      notify,
      place,
      as: route.as,
      offers: state.channels.map(({ chosenAs, name, kind }) => ({ id: chosenAs, name, kind })),
      openThread: (ts, isToReply) => ways.current?.openThread(ts, isToReply),
      putLine: (line) => ways.current?.putLine(line),
      goTo: (to) => ways.current?.goTo(to),
      beAs: (name) => ways.current?.beAs(name),
    }),
    [state, drafts, sends, act, notify, place, route.as],
  )
  const closeThread = (ts: string) => {
    go(place)
    panels.threadClosed(ts)
  }
  const isCovered =
    (room.isCovering && (panels.showsThread || panels.showsDrawer)) ||
    (room.isNarrow && isSidebarOpen)

  return html`
    <${PageContext.Provider} value=${page}>
      <${SidebarPane}
        isNarrow=${room.isNarrow}
        isOpen=${isSidebarOpen}
        onClose=${() => {
          setIsSidebarOpen(false)
          focusNext(() => document.querySelector<HTMLElement>('.s-channels-button'))
        }}
      />
      <${Main} channel=${channel} isCovered=${isCovered}>
        <${ChannelHeader}
          channel=${channel}
          isDrawerOpen=${panels.showsDrawer}
          onDrawer=${panels.toggleDrawer}
          refusals=${log.refusals}
          drawerButton=${panels.drawerButton}
        >
          ${
            room.isNarrow &&
            html`
              <button
                type="button"
                class="s-tool s-channels-button"
                aria-label="Channels"
                title="Channels"
                aria-expanded=${isSidebarOpen}
                onClick=${() => setIsSidebarOpen(true)}
              >
                <${Icon} name="menu" />
              </button>
            `
          }
        <//>
      <//>
      ${
        channel &&
        threadTs !== undefined &&
        panels.showsThread &&
        html`
          <div class="s-panel s-panel-thread" tabindex="-1" onKeyDown=${onEscape(() => closeThread(threadTs))}>
            <${ThreadPane}
              key=${`${viewer.id} ${threadTs}`}
              channel=${channel}
              ts=${threadTs}
              onClose=${() => closeThread(threadTs)}
            />
          </div>
        `
      }
      ${
        panels.showsDrawer &&
        html`
          <div class="s-panel s-panel-drawer" tabindex="-1" onKeyDown=${onEscape(panels.closeDrawer)}>
            <${Happened}
              happenings=${log.shown}
              onClear=${log.clear}
              onClose=${panels.closeDrawer}
            />
          </div>
        `
      }
      <${Modals} />
    <//>
  `
}

/** Unless the key was for something in there, such as an open menu. */
function onEscape(close: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    close()
  }
}
