// The links of the sidebar: channels, and the app's direct message and Home tab.
import { html } from 'htm/preact'
import { Icon } from '../context/icon.ts'
import { usePage } from '../context/page-context.ts'
import { addressOf, HOME, placeOf } from '../context/route.ts'
import { signOf } from '../context/sign.ts'

export function ChannelLinks() {
  const { state, place, goTo } = usePage()
  const { channels } = state
  const link = (to: string, words: unknown) => {
    const go = (event: MouseEvent) => {
      // With a key held down, browsers open it elsewhere.
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      goTo(to)
    }
    return html`
      <li key=${to}>
        <a
          class="s-link"
          href=${addressOf(to)}
          aria-current=${to === place ? 'page' : undefined}
          onClick=${go}
        >
          ${words}
        </a>
      </li>
    `
  }
  return html`
    <nav class="s-nav" aria-label="Channels">
      <h2 class="s-nav-title">Channels</h2>
      <ul>
        ${channels
          .filter(({ kind }) => kind !== 'im')
          .map((channel) =>
            link(
              placeOf(channel),
              html`<${Icon} name=${signOf(channel)} /><span>${channel.name}</span>`,
            ),
          )}
      </ul>
      <h2 class="s-nav-title">Apps</h2>
      <ul>
        ${channels
          .filter(({ kind }) => kind === 'im')
          .map((channel) =>
            link(
              placeOf(channel),
              html`<img class="s-link-app" src="/icon.svg" alt="" /><span>${channel.name}</span>`,
            ),
          )}
        ${link(HOME, html`<${Icon} name="home" /><span>Home</span>`)}
      </ul>
    </nav>
  `
}
