// The middle of the page: a channel with its messages and message box, or the Home tab.
import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ChannelState } from '../state/state.ts'
import { Home } from '../views/home.ts'
import { usePage } from './context/page-context.ts'
import { MessageList } from './messages/message-list.ts'
import { MessageBox } from './writing/message-box.ts'

interface MainProps {
  /** Undefined: the Home tab. */
  readonly channel: ChannelState | undefined
  /** Something else covers it. */
  readonly isCovered: boolean
  /** Its header. */
  readonly children?: ComponentChildren
}

export function Main({ channel, isCovered, children }: MainProps) {
  const { viewer, home } = usePage().state
  const name = channel?.kind === 'im' ? `Message ${channel.name}` : `Message #${channel?.name}`
  const messages = useMemo(
    () =>
      channel && html`<${MessageList} key=${`${viewer.id} ${channel.id}`} channel=${channel} />`,
    [viewer.id, channel],
  )
  return html`
    <main class="s-main" tabindex="-1" inert=${isCovered}>
      ${children}
      ${
        channel
          ? html`
              ${messages}
              <${MessageBox} key=${`box ${viewer.id} ${channel.id}`} channel=${channel} name=${name} />
            `
          : html`<div class="s-home"><${Home} home=${home} /></div>`
      }
    </main>
  `
}
