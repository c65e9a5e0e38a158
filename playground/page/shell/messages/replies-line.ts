// The line under a message that has a thread: who replied, how often, and when last.
import { html } from 'htm/preact'
import type { MessageState } from '../../state/state.ts'
import { Avatar } from '../context/avatar.ts'
import { usePage } from '../context/page-context.ts'
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
    return html`<p class="s-replies"><button type="button" onClick=${open}>View thread</button></p>`
  }
  if (!last) return null
  const faces = new Map(counted.map((reply) => [reply.authorId, reply]))
  return html`
    <p class="s-replies">
      <span class="s-faces">
        ${[...faces.values()]
          .slice(0, FACES)
          .map(
            ({ authorId, author, isBellhop }) =>
              html`<${Avatar} key=${authorId} id=${authorId} name=${author} isBellhop=${isBellhop} isSmall />`,
          )}
      </span>
      <button type="button" onClick=${() => openThread(message.ts)}>${replyCount(replies)}</button>
      <span class="s-replies-last">last ${lastTime(last.ts)}</span>
    </p>
  `
}

function lastTime(ts: string): string {
  const day = dayOf(ts)
  return day === 'Today' ? clock(ts) : `${day}, ${clock(ts)}`
}
