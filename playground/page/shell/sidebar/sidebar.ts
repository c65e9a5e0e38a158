// The sidebar: where one can go, what the stand-in service watches, and whom one plays.
import { html } from 'htm/preact'
import { Alerts } from '../../drawer/alerts.ts'
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
  return html`
    <div class="s-workspace"><img src="/icon.svg" alt="" /> Playground</div>
    <div class="s-sidebar-scroll">
      <${ChannelLinks} place=${place} onGo=${onGo} />
      <${Alerts} />
    </div>
    <${PersonSwitch} as=${as} onSwitch=${onSwitch} />
  `
}
