// The top of a modal: the app and the title, or the way back to the view below; ×.
import { html } from 'htm/preact'

interface ModalHeaderProps {
  readonly title: string
  /** The title of the view below. */
  readonly previous: string | undefined
  readonly onClose: () => void
}

export function ModalHeader({ title, previous, onClose }: ModalHeaderProps) {
  const back = html`
    <button type="button" class="v-back" title=${`Back to “${previous}”`} onClick=${onClose}>
      <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M12.5 4.5 7 10l5.5 5.5" /></svg>
      <span class="v-hidden">Back to </span><span class="v-back-title">${previous}</span>
    </button>
  `
  return html`
    <div class="v-header">
      ${previous === undefined ? html`<img class="v-icon" src="/icon.svg" alt="" />` : back}
      <h2 class="v-title" id="v-title" tabindex="-1">${title}</h2>
      <button type="button" class="v-x" aria-label="Close" title="Close" onClick=${onClose}>
        <svg viewBox="0 0 20 20" aria-hidden="true"><path d="m5 5 10 10M15 5 5 15" /></svg>
      </button>
    </div>
  `
}
