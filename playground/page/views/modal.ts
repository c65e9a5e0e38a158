// The open modal: a dialog on top of the page, with the view that was opened last.
import { html } from 'htm/preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { usePage } from '../shell/context/page-context.ts'
import type { ViewState } from '../state/state.ts'
import { useStartFocus } from './focus.ts'
import { ModalView } from './modal-view.ts'

/** Nothing, when no modal is open. */
export function Modals() {
  const [view] = usePage().state.modals
  return view && html`<${ModalDialog} view=${view} />`
}

function ModalDialog({ view }: { readonly view: ViewState }) {
  const { act } = usePage()
  const dialog = useRef<HTMLDialogElement>(null)
  const closing = useRef<string | undefined>(undefined)

  // Closed while it is still in the document: that is what gives the focus back to where it was.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => {
      element?.close()
      // Chromium gives back the focus without the caret: what is typed then would go nowhere.
      const field = document.activeElement
      if (field instanceof HTMLTextAreaElement)
        field.setSelectionRange(field.selectionEnd, field.selectionEnd)
    }
  }, [])
  useStartFocus(dialog, view)

  const close = async () => {
    // Until it is gone: a second Escape must not ask again.
    if (closing.current === view.id) return
    closing.current = view.id
    const problem = await act({ do: 'close', viewId: view.id })
    if (problem !== undefined) closing.current = undefined
  }

  const onCancel = (event: Event) => {
    if (event.target !== dialog.current || !event.cancelable) return
    event.preventDefault()
    void close()
  }

  // Browsers let only the first Escape be prevented; then they close the dialog themselves.
  const onClose = () => {
    const element = dialog.current
    if (!element?.isConnected || element.open) return
    element.showModal()
    void close()
  }

  return html`
    <dialog
      class="v-modal"
      ref=${dialog}
      aria-labelledby="v-title"
      onCancel=${onCancel}
      onClose=${onClose}
    >
      <${ModalView} key=${view.id} view=${view} onClose=${close} />
    </dialog>
  `
}
