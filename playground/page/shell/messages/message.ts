// One message, as a person sees it in a channel or a thread.
import { html } from 'htm/preact'
import { useRef } from 'preact/hooks'
import type { MessageState } from '../../state/state.ts'
import { Avatar } from '../context/avatar.ts'
import { Icon } from '../context/icon.ts'
import { MessageContent } from './message-content.ts'
import { MessageTools } from './message-tools.ts'
import { RepliesLine } from './replies-line.ts'
import { clock, exactly } from './when.ts'

interface MessageProps {
  readonly message: MessageState
  /** Without avatar and name: it goes on from the one before. */
  readonly isCompact?: boolean
  /** Of its thread; undefined inside a thread. */
  readonly replies?: readonly MessageState[]
}

export function Message({ message, isCompact = false, replies }: MessageProps) {
  const content = useRef<HTMLDivElement>(null)
  const { ts, author, authorId, isApp, isBellhop, isEphemeral } = message
  const time = clock(ts)
  const looks = [
    's-message',
    isCompact && 's-message-compact',
    isEphemeral && 's-message-ephemeral',
  ]

  return html`
    <article class=${looks.filter(Boolean).join(' ')} aria-label=${`${author}, ${time}`} data-ts=${ts}>
      ${isEphemeral && html`<p class="s-only-you"><${Icon} name="eye" /> Only visible to you</p>`}
      ${isCompact || html`<${Avatar} id=${authorId} name=${author} isBellhop=${isBellhop} />`}
      <div class="s-message-body">
        ${
          isCompact
            ? html`<time class="s-time" title=${exactly(ts)}>${time}</time>`
            : html`
                <p class="s-message-head">
                  <b class="s-author">${author}</b>
                  ${isApp && html`<span class="s-badge">APP</span>`}
                  <time class="s-time" title=${exactly(ts)}>${time}</time>
                </p>
              `
        }
        <div ref=${content}><${MessageContent} message=${message} /></div>
        ${replies && html`<${RepliesLine} message=${message} replies=${replies} />`}
      </div>
      <${MessageTools} message=${message} canReply=${replies !== undefined} content=${content} />
    </article>
  `
}
