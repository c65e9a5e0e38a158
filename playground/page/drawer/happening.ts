// One thing that was done, and the requests that followed.
import { html } from 'htm/preact'
import type { Happening } from '../state/state.ts'
import { StepRow } from './step.ts'
import { duration, timeOfDay, totalMs } from './time.ts'

interface HappeningEntryProps {
  readonly happening: Happening
}

export function HappeningEntry({ happening }: HappeningEntryProps) {
  const { id, what, at, isUnderWay, steps } = happening
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
      </header>
      ${steps.map(
        (step) => html`
          <${StepRow} key=${step.id} step=${step} />
        `,
      )}
      ${steps.length === 0 && !isUnderWay && html`<p class="d-none">No requests.</p>`}
    </article>
  `
}
