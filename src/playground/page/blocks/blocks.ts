// Block Kit as Slack shows it: one renderer per kind of block.
import { html } from 'htm/preact'
import type { Json } from '../../slack/json.ts'
import type { Values } from '../state.ts'
import type { Names, Offers, Use } from './use.ts'

export interface BlocksProps {
  readonly blocks: readonly Json[]
  readonly names: Names
  readonly offers: Offers
  /** Undefined where nothing can be pressed: a picture of blocks. */
  readonly use: Use | undefined
  /** What stands in the inputs of a view. */
  readonly values?: Values
  /** Sentences under inputs, by block id. */
  readonly errors?: Readonly<Record<string, string>>
}

export function Blocks({ blocks }: BlocksProps) {
  return html`<pre>${JSON.stringify(blocks, null, 1)}</pre>`
}
