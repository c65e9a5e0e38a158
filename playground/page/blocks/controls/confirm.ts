// “Are you sure?”, asked before a control acts.
import { html } from 'htm/preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { Json } from '../../../slack/model/json.ts'
import type { Names } from '../base/use.ts'
import { Text, words } from '../text/text.ts'

interface ConfirmProps {
  /** Block Kit's confirmation object. */
  readonly confirm: Json
  readonly names?: Names
  /** Called once. Escape and a press beside the dialog are a no. */
  onAnswer(yes: boolean): void
}

export function ConfirmDialog({ confirm, names = {}, onAnswer }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const deny = useRef<HTMLButtonElement>(null)
  const id = useId()

  useLayoutEffect(() => {
    const { current: shown } = dialog
    shown?.showModal()
    deny.current?.focus()
    // Closed before it is taken away, so that the focus goes back to where it was.
    return () => shown?.close()
  }, [])

  const onCancel = (event: Event) => {
    event.preventDefault()
    onAnswer(false)
  }
  // The view behind has an Escape and clicks of its own.
  const keep = (event: Event) => event.stopPropagation()
  const onClick = (event: MouseEvent) => {
    keep(event)
    if (event.target === dialog.current) onAnswer(false)
  }
  const look = confirm.style === 'danger' ? 'b-danger' : 'b-primary'
  return html`<dialog
    ref=${dialog}
    class="b-confirm"
    role="alertdialog"
    aria-labelledby=${`${id}-title`}
    aria-describedby=${`${id}-text`}
    onCancel=${onCancel}
    onKeyDown=${keep}
    onClick=${onClick}
  >
    <div class="b-confirm-inside">
      <h2 id=${`${id}-title`} class="b-confirm-title">${words(confirm.title)}</h2>
      <div id=${`${id}-text`}><${Text} of=${confirm.text} names=${names} /></div>
      <div class="b-confirm-buttons">
        <button ref=${deny} type="button" class="b-button" onClick=${() => onAnswer(false)}>
          ${words(confirm.deny) ?? 'Cancel'}
        </button>
        <button type="button" class=${`b-button ${look}`} onClick=${() => onAnswer(true)}>
          ${words(confirm.confirm) ?? 'Yes'}
        </button>
      </div>
    </div>
  </dialog>`
}
