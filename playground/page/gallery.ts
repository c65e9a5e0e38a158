// The gallery: messages, forms and tabs as the page draws them, in one file that needs nothing else.
import { html } from 'htm/preact'
import { render } from 'preact'
import { useState } from 'preact/hooks'
import { type Page, PageContext } from './shell/context/page-context.ts'
import { Message } from './shell/messages/message.ts'
import type { ExhibitState, GalleryState, PageState } from './state/state.ts'
import { Home } from './views/home.ts'
import { ModalView } from './views/modal-view.ts'

const nobody = { id: '', name: '', realName: '', rights: '', isNew: false, demoToken: '' }
const nothing = async () => undefined

/** `code` and _labels_, as the names and sentences of entries have them. */
function marked(text: string) {
  return text.split(/(`[^`]+`|_[^_]+_)/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`
    return part.startsWith('_') ? html`<b>${part.slice(1, -1)}</b>` : part
  })
}

function Exhibit({ exhibit }: { readonly exhibit: ExhibitState }) {
  const { name, when, message, modal, home } = exhibit
  return html`
    <section class="g-exhibit">
      <h3>${name}</h3>
      <p class="g-when">${marked(when)}</p>
      <div class="g-frame">
        ${message && html`<${Message} message=${message} />`}
        ${modal && html`<div class="v-modal"><${ModalView} view=${modal} onClose=${nothing} /></div>`}
        ${home && html`<${Home} home=${{ isEnabled: true, view: home }} />`}
      </div>
    </section>
  `
}

function Gallery({ gallery }: { readonly gallery: GalleryState }) {
  const [isPhone, setIsPhone] = useState(false)
  const setScheme = (scheme: string) => {
    document.documentElement.style.colorScheme = scheme
  }
  const state: PageState = {
    viewer: nobody,
    people: [],
    channels: [],
    names: gallery.names,
    messages: [],
    commands: [],
    shortcuts: [],
    alerts: [],
    troubles: [],
    aheadMs: 0,
    modals: [],
    home: { isEnabled: true, view: undefined },
  }
  const page: Page = {
    state,
    drafts: new Map(),
    act: nothing,
    sends: 0,
    offers: [],
    notify: nothing,
    openThread: nothing,
    putLine: nothing,
    place: '',
    as: '',
    goTo: nothing,
    beAs: nothing,
  }
  return html`
    <${PageContext.Provider} value=${page}>
      <main class=${isPhone ? 'g-page g-phone' : 'g-page'}>
        <h1>What Bellhop says</h1>
        <p class="g-looks">
          <button type="button" class="b-button" onClick=${() => setScheme('light')}>Light</button>
          <button type="button" class="b-button" onClick=${() => setScheme('dark')}>Dark</button>
          <button type="button" class="b-button" aria-pressed=${isPhone} onClick=${() => setIsPhone(!isPhone)}>
            Phone width
          </button>
        </p>
        ${gallery.rooms.map(
          ({ title, exhibits }) => html`
            <h2>${title}</h2>
            ${exhibits.map((exhibit) => html`<${Exhibit} key=${exhibit.name} exhibit=${exhibit} />`)}
          `,
        )}
      </main>
    <//>
  `
}

const data = document.getElementById('gallery')?.textContent
const root = document.getElementById('page')
if (root && data) {
  const gallery: GalleryState = JSON.parse(data)
  // “Two hours ago” is said of the night that the gallery tells about.
  Date.now = () => gallery.now
  render(html`<${Gallery} gallery=${gallery} />`, root)
}
