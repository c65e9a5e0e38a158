// The buttons at the bottom of a modal.
import { html } from 'htm/preact'

interface ModalFooterProps {
  /** What stands on the button; undefined without one. */
  readonly submit: string | undefined
  readonly close: string
  readonly isSubmitting: boolean
  readonly onClose: () => void
}

export function ModalFooter({ submit, close, isSubmitting, onClose }: ModalFooterProps) {
  return html`
    <div class="v-footer">
      <button type="button" class="v-close" onClick=${onClose}>${close}</button>
      ${submit !== undefined && html`<${SubmitButton} label=${submit} isBusy=${isSubmitting} />`}
    </div>
  `
}

/** Disabled in words only while it is busy: a button that is really disabled loses the focus. */
function SubmitButton({ label, isBusy }: { readonly label: string; readonly isBusy: boolean }) {
  const busy = isBusy ? 'true' : undefined
  return html`
    <button type="submit" class="v-submit" aria-busy=${busy} aria-disabled=${busy}>
      <span class="v-submit-label">${label}</span>
      ${isBusy && html`<span class="v-spinner" aria-hidden="true"></span>`}
    </button>
  `
}
