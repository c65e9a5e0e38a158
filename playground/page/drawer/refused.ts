// Refusals of Slack: its words, and the blocks that would have been shown.
import { html } from 'htm/preact'
import { useErrorBoundary } from 'preact/hooks'
import type { Json } from '../../slack/model/json.ts'
import type { Names, Offers } from '../blocks/base/use.ts'
import { Blocks } from '../blocks/blocks.ts'

interface RefusedProps {
  readonly refusals: readonly string[]
  readonly blocks: readonly Json[]
  readonly names: Names
  readonly offers: Offers
}

export function Refused({ refusals, blocks, names, offers }: RefusedProps) {
  return html`
    <div class="d-refused">
      <h4 class="d-refused-title">Refused by Slack</h4>
      <ul class="d-refusals">
        ${refusals.map((refusal) => html`<li key=${refusal}>${refusal}</li>`)}
      </ul>
      ${
        blocks.length > 0 &&
        html`<div class="d-refused-blocks">
          <${Picture} blocks=${blocks} names=${names} offers=${offers} />
        </div>`
      }
    </div>
  `
}

/** Blocks that break Slack's rules may have any shape: some cannot be drawn at all. */
function Picture({ blocks, names, offers }: Omit<RefusedProps, 'refusals'>) {
  const [error] = useErrorBoundary()
  if (error !== undefined) return html`<p class="d-none">These blocks can’t be drawn.</p>`
  return html`<${Blocks} blocks=${blocks} names=${names} offers=${offers} use=${undefined} />`
}
