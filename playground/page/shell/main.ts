// The middle of the page: a channel with its messages and message box, or the Home tab.
import { html } from 'htm/preact'
import type { RefObject } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ChannelState } from '../state/state.ts'
import { Home } from '../views/home.ts'
import { ChannelHeader } from './channel-header.ts'
import { Icon } from './context/icon.ts'
import { usePage } from './context/page-context.ts'
import { MessageList } from './messages/message-list.ts'
import { MessageBox } from './writing/message-box.ts'

interface MainProps {
  /** Undefined: the Home tab. */
  readonly channel: ChannelState | undefined
  /** Something else covers it. */
  readonly isCovered: boolean
  readonly isNarrow: boolean
  readonly isSidebarOpen: boolean
  readonly onSidebar: () => void
  readonly isDrawerOpen: boolean
  readonly onDrawer: () => void
  /** What Slack refused since the drawer was open last. */
  readonly refusals: number
  readonly drawerButton: RefObject<HTMLButtonElement>
}

export function Main({ channel, isCovered, isNarrow, isSidebarOpen, onSidebar, ...drawer }: MainProps) {
  const { state } = usePage()
  const name = channel?.kind === 'im' ? `Message ${channel.name}` : `Message #${channel?.name}`
  const { viewer } = state
  const messages = useMemo(
    () => channel && html`<${MessageList} key=${`${viewer.id} ${channel.id}`} channel=${channel} />`,
    [viewer.id, channel],
  )
  return html`
    <main class="s-main" tabindex="-1" inert=${isCovered}>
      <${ChannelHeader} channel=${channel} ...${drawer}>
        ${
          isNarrow &&
          html`
            <button
              type="button"
              class="s-tool s-channels-button"
              aria-label="Channels"
              title="Channels"
              aria-expanded=${isSidebarOpen}
              onClick=${onSidebar}
            >
              <${Icon} name="menu" />
            </button>
          `
        }
      <//>
      ${
        channel
          ? html`
              ${messages}
              <${MessageBox} key=${`box ${viewer.id} ${channel.id}`} channel=${channel} name=${name} />
            `
          : html`<div class="s-home"><${Home} home=${state.home} /></div>`
      }
    </main>
  `
}
