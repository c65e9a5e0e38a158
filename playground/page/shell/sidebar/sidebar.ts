// The sidebar: where one can go, what the stand-in service watches, and whom one plays.
import { html } from 'htm/preact'
import { Alerts } from '../../drawer/alerts.ts'
import { ChannelLinks } from './channel-links.ts'
import { PersonSwitch } from './person-switch.ts'

export function Sidebar() {
  return html`
    <div class="s-workspace"><img src="/icon.svg" alt="" /> Playground</div>
    <div class="s-sidebar-scroll">
      <${ChannelLinks} />
      <${Alerts} />
    </div>
    <${PersonSwitch} />
  `
}
