// The drawer “What happened”: everything that was done, with the requests it caused, newest last.
import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import type { Names, Offers } from '../blocks/use.ts'
import type { Happening } from '../state.ts'
import { HappeningEntry } from './happening.ts'
import { useEnd } from './scroll.ts'

interface HappenedProps {
  readonly happenings: readonly Happening[]
  readonly names: Names
  readonly offers: Offers
  readonly onClose: () => void
}

/** When the last one happened that was cleared away. Stays while the drawer is closed. */
let clearedAt = Number.NEGATIVE_INFINITY

export function Happened({ happenings, names, offers, onClose }: HappenedProps) {
  const [since, setSince] = useState(clearedAt)
  const shown = happenings.filter(({ at }) => at > since)
  const end = useEnd(happenings)

  const clear = () => {
    clearedAt = Math.max(since, ...happenings.map(({ at }) => at))
    setSince(clearedAt)
  }

  return html`
    <aside class="d-happened" aria-labelledby="d-happened-title">
      <header class="d-head">
        <h2 class="d-title" id="d-happened-title">What happened</h2>
        <button type="button" class="d-button" disabled=${shown.length === 0} onClick=${clear}>Clear</button>
        <button type="button" class="d-x" aria-label="Close this list" title="Close" onClick=${onClose}>
          <svg viewBox="0 0 20 20" aria-hidden="true"><path d="m5 5 10 10M15 5 5 15" /></svg>
        </button>
      </header>
      <div class="d-log" ref=${end.ref} onScroll=${end.look} onToggleCapture=${end.look}>
        ${
          shown.length === 0
            ? html`<p class="d-empty">
                Nothing yet. Type a command, and every request it causes is listed here.
              </p>`
            : shown.map(
                (happening) => html`
                  <${HappeningEntry}
                    key=${happening.id}
                    happening=${happening}
                    names=${names}
                    offers=${offers}
                  />
                `,
              )
        }
      </div>
    </aside>
  `
}
