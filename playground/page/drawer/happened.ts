// The drawer “What happened”: everything that was done, with the requests it caused, newest last.
import { html } from 'htm/preact'
import type { Happening } from '../state/state.ts'
import { HappeningEntry } from './happening.ts'
import { useEnd } from './scroll.ts'

interface HappenedProps {
  readonly happenings: readonly Happening[]
  /** Takes away what is listed so far. */
  readonly onClear: () => void
  readonly onClose: () => void
}

export function Happened({ happenings, onClear, onClose }: HappenedProps) {
  const end = useEnd(happenings)
  const isEmpty = happenings.length === 0
  return html`
    <aside class="d-happened" aria-labelledby="d-happened-title">
      <header class="d-head">
        <h2 class="d-title" id="d-happened-title">What happened</h2>
        <button type="button" class="d-button" aria-disabled=${isEmpty} onClick=${onClear}>Clear</button>
        <button type="button" class="d-x" aria-label="Close this list" title="Close" onClick=${onClose}>
          <svg viewBox="0 0 20 20" aria-hidden="true"><path d="m5 5 10 10M15 5 5 15" /></svg>
        </button>
      </header>
      <div class="d-log" ref=${end.ref} onScroll=${end.look} onToggleCapture=${end.look}>
        ${
          isEmpty
            ? html`<p class="d-empty">
                Nothing yet. Type a command to see every request it causes.
              </p>`
            : happenings.map(
                (happening) => html`
                  <${HappeningEntry} key=${happening.id} happening=${happening} />
                `,
              )
        }
      </div>
    </aside>
  `
}
