// The messages of a channel, day by day.
import { html } from 'htm/preact'
import { Fragment } from 'preact'
import type { ChannelState, MessageState } from '../../state/state.ts'
import { usePage } from '../context/page-context.ts'
import { FollowedList } from './followed-list.ts'
import { Intro } from './intro.ts'
import { Message } from './message.ts'
import { inChannel, inThread, timeline } from './timeline.ts'
import { dayOf } from './when.ts'

export function MessageList({ channel }: { readonly channel: ChannelState }) {
  const { state } = usePage()
  const messages = inChannel(state.messages, channel.id)
  const hasReplies = (message: MessageState) => inThread(state.messages, message).length > 0
  const label =
    channel.kind === 'im' ? `Messages with ${channel.name}` : `Messages in #${channel.name}`
  return html`
    <${FollowedList} role="log" label=${label} last=${messages.at(-1)}>
      <${Intro} channel=${channel} />
      ${timeline(messages, hasReplies).map(
        ({ message, startsDay, isCompact }) => html`
          <${Fragment} key=${message.ts}>
            ${startsDay && html`<p class="s-day"><span>${dayOf(message.ts)}</span></p>`}
            <${Message}
              message=${message}
              isCompact=${isCompact}
              replies=${inThread(state.messages, message)}
            />
          <//>
        `,
      )}
    <//>
  `
}
