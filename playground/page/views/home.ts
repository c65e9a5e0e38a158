// The bot's Home tab, as it was published for whoever is looking.
import { html } from 'htm/preact'
import type { PageState, ViewState } from '../state/state.ts'
import { ViewBlocks } from './view-blocks.ts'
import { type Doing, useView } from './view-use.ts'

interface HomeProps {
  readonly state: PageState
  readonly act: Doing
}

export function Home({ state, act }: HomeProps) {
  const { isEnabled, view } = state.home
  if (!isEnabled)
    return html`<${Nothing} words="Bellhop has nothing on its Home tab. Its commands work in every channel." />`
  if (view === undefined) return html`<${Nothing} words="Nothing here yet." />`
  return html`<${HomeView} key=${view.id} view=${view} state=${state} act=${act} />`
}

function HomeView({ view, state, act }: HomeProps & { readonly view: ViewState }) {
  const { use } = useView(view.id, act)
  return html`
    <div class="v-home">
      <${ViewBlocks} view=${view} state=${state} use=${use} />
    </div>
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
