// What can be done with a message: reply, copy, the app's shortcuts. Comes out when the message is pointed at.
import { html } from 'htm/preact'
import type { MessageState } from '../state.ts'
import { copy } from './copy.ts'
import { Icon } from './icon.ts'
import { MenuButton, type MenuItem } from './menu.ts'
import { type Page, usePage } from './page-context.ts'

interface MessageToolsProps {
  readonly message: MessageState
  /** False inside a thread. */
  readonly canReply: boolean
  /** What the message shows. */
  readonly content: { readonly current: HTMLElement | null }
}

export function MessageTools({ message, canReply, content }: MessageToolsProps) {
  const page = usePage()
  const reply =
    canReply && !message.isEphemeral && (() => page.openThread(message.threadTs ?? message.ts, true))
  const copyText = () => void copy(content.current?.innerText ?? message.text, page.notify)
  const items: readonly MenuItem[] = [
    ...(reply ? [{ id: 'reply', label: 'Reply in thread', icon: 'reply', choose: reply } as const] : []),
    { id: 'copy', label: 'Copy text', icon: 'copy', choose: copyText },
    ...shortcuts(message, page),
  ]
  return html`
    <div class="s-tools">
      ${
        reply &&
        html`
          <button type="button" class="s-tool" aria-label="Reply in thread" title="Reply in thread" onClick=${reply}>
            <${Icon} name="reply" />
          </button>
        `
      }
      <${MenuButton} label="More actions" icon="more" items=${items} />
    </div>
  `
}

/** None on what only one person sees: apps never get to know of it. */
function shortcuts(message: MessageState, { state, act }: Page): readonly MenuItem[] {
  if (message.isEphemeral) return []
  const { channelId, ts } = message
  return state.shortcuts
    .filter(({ kind }) => kind === 'message')
    .map(({ callbackId, name, description }) => ({
      id: callbackId,
      label: name,
      description,
      icon: 'shortcut',
      choose: () => void act({ do: 'shortcut', callbackId, message: { channelId, ts } }),
    }))
}
