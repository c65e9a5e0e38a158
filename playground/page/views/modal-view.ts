// One view of a modal: title, form, buttons.
import { html } from 'htm/preact'
import { useRef } from 'preact/hooks'
import { interactive } from '../../slack/model/view-state.ts'
import type { ViewState } from '../state/state.ts'
import { useErrorFocus } from './focus.ts'
import { ModalFooter } from './modal-footer.ts'
import { ModalHeader } from './modal-header.ts'
import { ViewBlocks } from './view-blocks.ts'
import { useView } from './view-use.ts'

interface ModalViewProps {
  readonly view: ViewState
  readonly onClose: () => void
}

export function ModalView({ view, onClose }: ModalViewProps) {
  const body = useRef<HTMLDivElement>(null)
  const { use, problem, isSubmitting, submissions, submit } = useView(view.id)
  useErrorFocus(body, view.errors, submissions)

  const onSubmit = (event: Event) => {
    event.preventDefault()
    // Confirmation dialogs in the blocks may have forms of their own.
    if (event.target === event.currentTarget && view.submit !== undefined) void submit()
  }
  const trouble = view.trouble ?? problem
  // Without anything to focus in it, the body itself must be reachable to be scrolled by keyboard.
  const isText = interactive(view.blocks).length === 0

  return html`
    <form class="v-form" novalidate onSubmit=${onSubmit} onKeyDown=${keepEnterFromBoxes}>
      <${ModalHeader} title=${view.title} onClose=${onClose} />
      ${trouble !== undefined && html`<p class="v-trouble" role="alert">${trouble}</p>`}
      <div class="v-body" ref=${body} tabindex=${isText ? 0 : -1}>
        <${ViewBlocks} view=${view} use=${use} />
      </div>
      <${ModalFooter} submit=${view.submit} close=${view.close} isSubmitting=${isSubmitting} onClose=${onClose} />
    </form>
  `
}

/** Enter submits from a line of text only; browsers would submit from boxes too. */
function keepEnterFromBoxes(event: KeyboardEvent): void {
  const { key, target } = event
  const isBox = target instanceof HTMLInputElement && target.type === 'checkbox'
  if (key === 'Enter' && isBox) event.preventDefault()
}
