// The line under a message that has a thread: who replied, how often, and when last.
import { html } from 'htm/preact'
import type { MessageState } from '../state.ts'
import { Avatar } from './avatar.ts'
import { usePage } from './page-context.ts'
import { replyCount } from './timeline.ts'
import { clock, dayOf } from './when.ts'

const FACES = 4

interface RepliesLineProps {
  readonly message: MessageState
  readonly replies: readonly MessageState[]
}

export function RepliesLine({ message, replies }: RepliesLineProps) {
  const { openThread } = usePage()
  const counted = replies.filter(({ isEphemeral }) => !isEphemeral)
  const last = counted.at(-1)
  if (message.isBroadcast) {
    const open = () => openThread(message.threadTs ?? message.ts)
    return html`<button type="button" class="s-replies" onClick=${open}>View thread</button>`
  }
  if (!last) return null
  const faces = new Map(counted.map((reply) => [reply.authorId, reply]))
  const label = replyCount(replies)
  return html`
    <button type="button" class="s-replies" aria-label=${label} onClick=${() => openThread(message.ts)}>
      <span class="s-faces">
        ${[...faces.values()]
          .slice(0, FACES)
          .map(
            ({ authorId, author, isBot }) =>
              html`<${Avatar} key=${authorId} id=${authorId} name=${author} isBot=${isBot} isSmall />`,
          )}
      </span>
      <b>${label}</b>
      <span class="s-replies-last">last ${lastTime(last.ts)}</span>
    </button>
  `
}

function lastTime(ts: string): string {
  const day = dayOf(ts)
  return day === 'Today' ? clock(ts) : `${day}, ${clock(ts)}`
}
