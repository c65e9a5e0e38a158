// The part of a pane that scrolls, with a button to what is new when somebody scrolled up.
import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import type { MessageState } from '../../state/state.ts'
import { Icon } from '../context/icon.ts'
import { usePage } from '../context/page-context.ts'
import { useFollow } from './follow.ts'

interface FollowedListProps {
  readonly role: 'log' | 'group'
  readonly label: string
  readonly last: MessageState | undefined
  readonly children?: ComponentChildren
}

export function FollowedList({ role, label, last, children }: FollowedListProps) {
  const follow = useFollow(last, usePage().sends)
  return html`
    <div class="s-list">
      <div
        class="s-scroll"
        role=${role}
        aria-label=${label}
        tabindex="0"
        ref=${follow.scroller}
        onScroll=${follow.onScroll}
      >
        <div class="s-messages" ref=${follow.content}>${children}</div>
      </div>
      ${
        follow.hasNew &&
        html`
          <button type="button" class="s-new" onClick=${follow.toEnd}>
            <${Icon} name="down" /> New messages
          </button>
        `
      }
    </div>
  `
}
