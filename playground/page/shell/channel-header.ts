// The head of what is open: its name, who reads along, and what can be looked into.
import { html } from 'htm/preact'
import type { ComponentChildren, RefObject } from 'preact'
import { TroubleMenu } from '../drawer/trouble.ts'
import type { ChannelState } from '../state/state.ts'
import { Icon } from './context/icon.ts'
import { signOf } from './context/sign.ts'

interface ChannelHeaderProps {
  /** Undefined: the Home tab. */
  readonly channel: ChannelState | undefined
  /** The drawer “What happened”. */
  readonly isDrawerOpen: boolean
  readonly onDrawer: () => void
  /** What Slack refused since the drawer was open last. */
  readonly refusals: number
  readonly drawerButton: RefObject<HTMLButtonElement>
  /** What stands before the name, on a phone. */
  readonly children?: ComponentChildren
}

export function ChannelHeader(props: ChannelHeaderProps) {
  const { channel, isDrawerOpen, onDrawer, refusals, drawerButton, children } = props
  return html`
    <header class="s-header">
      ${children}
      <div class="s-header-words">
        <h1 class="s-header-name">
          ${channel?.kind === 'im' || html`<${Icon} name=${signOf(channel)} />`}
          <span>${channel?.name ?? 'Home'}</span>
        </h1>
        <p class="s-header-about">${about(channel)}</p>
      </div>
      <button
        type="button"
        class="s-header-button"
        ref=${drawerButton}
        aria-expanded=${isDrawerOpen}
        title="What happened"
        aria-label=${refusals > 0 ? `What happened, ${refusals} refused by Slack` : undefined}
        onClick=${onDrawer}
      >
        <${Icon} name="list" /><span>What happened</span>
        ${refusals > 0 && html`<b class="s-count">${refusals}</b>`}
      </button>
      <${TroubleMenu} channel=${channel} />
    </header>
  `
}

function about(channel: ChannelState | undefined): string {
  if (!channel) return 'Only you see this'
  if (channel.kind === 'im') return 'Between you and Bellhop'
  const who = channel.kind === 'public' ? 'Public' : 'Private'
  const bot = channel.hasBot ? 'Bellhop is a member' : 'Bellhop isn’t in this channel'
  return `${who} · ${bot}`
}
