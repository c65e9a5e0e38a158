// One thing that was done, and the requests that followed.
import { html } from 'htm/preact'
import type { Names, Offers } from '../blocks/base/use.ts'
import type { Happening } from '../state/state.ts'
import { StepRow } from './step.ts'
import { duration, timeOfDay, totalMs } from './time.ts'

interface HappeningEntryProps {
  readonly happening: Happening
  readonly names: Names
  readonly offers: Offers
}

export function HappeningEntry({ happening, names, offers }: HappeningEntryProps) {
  const { id, what, note, at, isUnderWay, steps } = happening
  const total = totalMs(happening)
  const title = `d-happening-${id}`
  return html`
    <article class="d-happening" aria-labelledby=${title}>
      <header class="d-happening-head">
        <h3 class="d-what" id=${title}>${what}</h3>
        <p class="d-when">
          <time datetime=${new Date(at).toISOString()}>${timeOfDay(at)}</time>
          ${isUnderWay && html`${' · '}<span class="d-under-way">under way…</span>`}
          ${!isUnderWay && steps.length > 0 && ` · ${duration(total)}`}
        </p>
        ${note !== undefined && html`<p class="d-note">${note}</p>`}
      </header>
      ${steps.map(
        (step) => html`
          <${StepRow} key=${step.id} step=${step} total=${total} names=${names} offers=${offers} />
        `,
      )}
      ${steps.length === 0 && !isUnderWay && html`<p class="d-none">No requests.</p>`}
    </article>
  `
}
