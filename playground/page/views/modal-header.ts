// The top of a modal: the app, the title, and ×.
import { html } from 'htm/preact'

interface ModalHeaderProps {
  readonly title: string
  readonly onClose: () => void
}

export function ModalHeader({ title, onClose }: ModalHeaderProps) {
  return html`
    <div class="v-header">
      <img class="v-icon" src="/icon.svg" alt="" />
      <h2 class="v-title" id="v-title" tabindex="-1">${title}</h2>
      <button type="button" class="v-x" aria-label="Close" title="Close" onClick=${onClose}>
        <svg viewBox="0 0 20 20" aria-hidden="true"><path d="m5 5 10 10M15 5 5 15" /></svg>
      </button>
    </div>
  `
}
