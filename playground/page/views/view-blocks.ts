// The blocks of a view, with what its person has typed and what is wrong with it.
import { html } from 'htm/preact'
import type { Use } from '../blocks/base/use.ts'
import { Blocks } from '../blocks/blocks.ts'
import { usePage } from '../shell/context/page-context.ts'
import type { ViewState } from '../state/state.ts'

interface ViewBlocksProps {
  readonly view: ViewState
  readonly use: Use
}

export function ViewBlocks({ view: { blocks, values, suggested, errors }, use }: ViewBlocksProps) {
  const { state, offers } = usePage()
  const given = { names: state.names, offers, use, values, suggested, errors }
  return html`<${Blocks} blocks=${blocks} ...${given} />`
}
