// Tools for a message: reply, copy, the app's shortcuts. They come out when the message is pointed at.
import { html } from 'htm/preact'
import { copy } from '../../browser/copy.ts'
import { MenuButton, type MenuItem } from '../../menu/menu-button.ts'
import type { MessageState } from '../../state/state.ts'
import { Icon, type IconName } from '../context/icon.ts'
import { usePage } from '../context/page-context.ts'
import { shortcutItems } from '../writing/shortcuts-menu.ts'

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
    canReply &&
    !message.isEphemeral &&
    (() => page.openThread(message.threadTs ?? message.ts, true))
  const copyText = () => void copy(content.current?.innerText ?? message.text, page.notify)
  const items: readonly MenuItem[] = [
    ...(reply
      ? [{ id: 'reply', label: 'Reply in thread', sign: sign('reply'), choose: reply }]
      : []),
    { id: 'copy', label: 'Copy text', sign: sign('copy'), choose: copyText },
    // Apps never get to know of what only one person sees.
    ...(message.isEphemeral ? [] : shortcutItems(page, message)),
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
      <${MenuButton} label="More actions" look="s-tool" items=${items}><${Icon} name="more" /><//>
    </div>
  `
}

function sign(name: IconName) {
  return html`<${Icon} name=${name} />`
}
