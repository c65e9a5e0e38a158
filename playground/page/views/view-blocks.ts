// The blocks of a view, with what its person has typed and what is wrong with it.
import { html } from 'htm/preact'
import type { Use } from '../blocks/base/use.ts'
import { Blocks } from '../blocks/blocks.ts'
import type { PageState, ViewState } from '../state/state.ts'
import { offersOf } from './offers.ts'

interface ViewBlocksProps {
  readonly view: ViewState
  readonly state: PageState
  readonly use: Use
}

export function ViewBlocks({ view, state, use }: ViewBlocksProps) {
  return html`
    <${Blocks}
      blocks=${view.blocks}
      names=${state.names}
      offers=${offersOf(state)}
      use=${use}
      values=${view.values}
      suggested=${view.suggested}
      errors=${view.errors}
    />
  `
}
