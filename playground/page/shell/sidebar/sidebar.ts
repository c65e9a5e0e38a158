// The sidebar: where one can go, what the stand-in service watches, and whom one plays.
import { html } from 'htm/preact'
import { Alerts } from '../../drawer/alerts.ts'
import { usePage } from '../context/page-context.ts'
import { ChannelLinks } from './channel-links.ts'
import { PersonSwitch } from './person-switch.ts'

export interface SidebarProps {
  /** As in the address. */
  readonly place: string
  readonly as: string
  readonly onGo: (place: string) => void
  readonly onSwitch: (name: string) => void
}

export function Sidebar({ place, as, onGo, onSwitch }: SidebarProps) {
  const { state, act, putLine } = usePage()
  return html`
    <div class="s-workspace"><img src="/icon.svg" alt="" /> Playground</div>
    <div class="s-sidebar-scroll">
      <${ChannelLinks} place=${place} onGo=${onGo} />
      <${Alerts} state=${state} act=${act} onPick=${putLine} />
    </div>
    <${PersonSwitch} as=${as} onSwitch=${onSwitch} />
  `
}
