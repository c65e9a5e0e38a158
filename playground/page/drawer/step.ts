// One request: from whom to whom, what came of it, how long it took; opened, what was sent and what came back.
import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import type { Step } from '../state/state.ts'
import { Detail } from './detail.ts'
import { duration } from './time.ts'

interface StepRowProps {
  readonly step: Step
}

export function StepRow({ step }: StepRowProps) {
  const { from, title, afterMs, tookMs, isRefused, refusals, details } = step
  const [isOpen, setIsOpen] = useState(false)
  const onToggle = ({ currentTarget }: Event) => {
    if (currentTarget instanceof HTMLDetailsElement) setIsOpen(currentTarget.open)
  }
  const took = tookMs === undefined ? '…' : duration(tookMs)
  // The spaces keep the words apart for whoever reads the row as one line.
  return html`
    <details class=${`d-step d-from-${from} ${isRefused ? 'd-is-refused' : ''}`} onToggle=${onToggle}>
      <summary class="d-row">
        <span class="d-after">+${duration(afterMs)}</span>${' '}<${Route} step=${step} />${' '}
        <span class="d-request">${title}</span>${' '}<${Outcome} step=${step} />${' '}
        <span class="d-took">${took}</span>
      </summary>
      ${
        isOpen &&
        html`
          <div class="d-details">
            ${details.map(({ label, json }) => html`<${Detail} key=${label} label=${label} json=${json} />`)}
          </div>
        `
      }
    </details>
    ${
      refusals.length > 0 &&
      html`
        <div class="d-refused">
          <h4 class="d-refused-title">Refused by Slack</h4>
          <ul class="d-refusals">
            ${refusals.map((refusal) => html`<li key=${refusal}>${refusal}</li>`)}
          </ul>
        </div>
      `
    }
  `
}

function Outcome({ step: { outcome, isRefused } }: { readonly step: Step }) {
  if (outcome === undefined) return html`<span class="d-outcome d-under-way">under way…</span>`
  return html`<span class="d-outcome">${isRefused && html`<b>refused</b> `}${outcome}</span>`
}

/** The arrow is drawn: not every font has it. */
function Route({ step: { from, to } }: { readonly step: Step }) {
  const arrow = html`
    <svg class="d-arrow" viewBox="0 0 16 10" aria-hidden="true"><path d="M1 5h13M10 1l4 4-4 4" /></svg>
  `
  return html`<span class="d-route">${from} ${arrow}<span class="d-arrow-word">→</span> ${to}</span>`
}
