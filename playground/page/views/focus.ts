// The focus of the keyboard in a modal: at its start when it opens, and never lost while it changes.
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ViewState } from '../state/state.ts'

const fields = ['input', 'textarea', 'select', '[role="combobox"]']
  .map((field) => `${field}:enabled`)
  .join()

/** Focus goes to the first field of each new view, or to its title where there is none. */
export function useStartFocus(dialog: RefObject<HTMLDialogElement | null>, view: ViewState): void {
  const shown = useRef<string | undefined>(undefined)
  const waitsForFields = useRef(false)

  useLayoutEffect(() => {
    const body = dialog.current?.querySelector<HTMLElement>('.v-body')
    const title = dialog.current?.querySelector<HTMLElement>('#v-title')
    if (!body || !title) return
    const isNew = shown.current !== view.id
    shown.current = view.id
    const { activeElement } = document
    // A view often opens with “Loading…” and gets its fields later. Whoever went elsewhere meanwhile stays there.
    const isWaiting = waitsForFields.current && activeElement === title
    if (isNew || isWaiting) {
      const field =
        body.querySelector<HTMLElement>('[autofocus]') ?? body.querySelector<HTMLElement>(fields)
      waitsForFields.current = field === null
      const start = field ?? title
      start.focus()
    } else if (activeElement === null || activeElement === document.body) {
      // What had the focus is gone.
      title.focus()
    }
  }, [view.id, view.blocks])
}

/** After a submission, focus goes to the first field with an error. */
export function useErrorFocus(
  body: RefObject<HTMLElement | null>,
  errors: ViewState['errors'],
  submissions: number,
): void {
  useLayoutEffect(() => {
    if (Object.keys(errors).length === 0) return
    const wrong = body.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (!wrong) return
    const field = wrong.matches(fields) ? wrong : wrong.querySelector<HTMLElement>(fields)
    field?.focus()
  }, [JSON.stringify(errors), submissions])
}
