// A thread, beside its channel: the message, what was replied, and a box to reply.
import { html } from 'htm/preact'
import type { ChannelState } from '../state/state.ts'
import { Icon } from './context/icon.ts'
import { usePage } from './context/page-context.ts'
import { FollowedList } from './messages/followed-list.ts'
import { Message } from './messages/message.ts'
import { inThread, replyCount, timeline } from './messages/timeline.ts'
import { MessageBox } from './writing/message-box.ts'

interface ThreadPaneProps {
  readonly channel: ChannelState
  /** Of the message that it belongs to. */
  readonly ts: string
  readonly onClose: () => void
}

export function ThreadPane({ channel, ts, onClose }: ThreadPaneProps) {
  const { state } = usePage()
  const parent = state.messages.find(
    (message) => message.channelId === channel.id && message.ts === ts,
  )
  const replies = inThread(state.messages, { channelId: channel.id, ts })
  return html`
    <aside class="s-thread" aria-labelledby="s-thread-title">
      <header class="s-header">
        <div class="s-header-words">
          <h2 class="s-header-name" id="s-thread-title">Thread</h2>
          <p class="s-header-about">${channel.kind === 'im' ? channel.name : `#${channel.name}`}</p>
        </div>
        <button type="button" class="s-tool" aria-label="Close thread" title="Close thread" onClick=${onClose}>
          <${Icon} name="close" />
        </button>
      </header>
      <${FollowedList} role="group" label="Message and replies" last=${replies.at(-1)}>
        ${
          parent
            ? html`<${Message} message=${parent} />`
            : html`<p class="s-nothing">The message that this thread belongs to is gone.</p>`
        }
        ${replies.length > 0 && html`<p class="s-reply-count">${replyCount(replies)}</p>`}
        <div role="log" aria-label="Replies">
          ${timeline(replies, () => false).map(
            ({ message, isCompact }) =>
              html`<${Message} key=${message.ts} message=${message} isCompact=${isCompact} />`,
          )}
        </div>
      <//>
      ${parent && html`<${MessageBox} channel=${channel} threadTs=${ts} name="Reply in thread" />`}
    </aside>
  `
}
