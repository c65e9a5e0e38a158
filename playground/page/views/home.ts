// The bot's Home tab, as it was published for whoever is looking.
import { html } from 'htm/preact'
import type { HomeState, ViewState } from '../state/state.ts'
import { ViewBlocks } from './view-blocks.ts'
import { useView } from './view-use.ts'

export function Home({ home: { isEnabled, view } }: { readonly home: HomeState }) {
  if (!isEnabled)
    return html`<${Nothing} words="Bellhop has nothing on its Home tab. Its commands work in every channel." />`
  if (view === undefined) return html`<${Nothing} words="Nothing here yet." />`
  return html`<${HomeView} key=${view.id} view=${view} />`
}

function HomeView({ view }: { readonly view: ViewState }) {
  const { use } = useView(view.id)
  return html`
    <div class="v-home"><${ViewBlocks} view=${view} use=${use} /></div>
  `
}

function Nothing({ words }: { readonly words: string }) {
  return html`
    <div class="v-nothing">
      <img class="v-nothing-icon" src="/icon.svg" alt="" />
      <p>${words}</p>
    </div>
  `
}
