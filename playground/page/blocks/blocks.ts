// Block Kit as Slack shows it: one renderer per kind of block.
import { html } from 'htm/preact'
import type { ComponentType } from 'preact'
import { type Json, text } from '../../slack/model/json.ts'
import { Actions } from './actions.ts'
import type { BlockProps, Given } from './base/block.ts'
import { Context } from './context.ts'
import { Header } from './header.ts'
import { Input } from './input.ts'
import { RichText } from './rich-text.ts'
import { Section } from './section.ts'

export interface BlocksProps extends Given {
  readonly blocks: readonly Json[]
  /** They are a message's: Slack gives them new ids whenever it is updated, and whoever is in one stays there. */
  readonly isMessage?: boolean
}

const kinds: Readonly<Record<string, ComponentType<BlockProps>>> = {
  section: Section,
  header: Header,
  divider: () => html`<hr class="b-divider" />`,
  context: Context,
  actions: Actions,
  input: Input,
  rich_text: RichText,
}

export function Blocks({ blocks, isMessage = false, ...given }: BlocksProps) {
  return html`<div class="b-blocks">
    ${blocks.map((block, index) => {
      const kind = text(block.type) ?? ''
      const Kind = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
      const nth = blocks.slice(0, index).filter(({ type }) => type === block.type).length
      const key = isMessage ? `${kind} ${nth}` : (text(block.block_id) ?? String(index))
      if (Kind) return html`<${Kind} key=${key} block=${block} given=${given} />`
      return html`<p key=${key} class="b-unknown">Slack would not show this block: ${kind || 'no type'}</p>`
    })}
  </div>`
}
