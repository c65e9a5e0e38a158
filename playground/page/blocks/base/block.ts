// Types of what the renderer of a block or of an element is handed.
import type { Json } from '../../../slack/model/json.ts'
import type { Suggestions, Values } from '../../state/state.ts'
import type { Names, Offers, Use } from './use.ts'

/** What all blocks of one message or view share. */
export interface Given {
  readonly names: Names
  /** In a view. */
  readonly offers?: Offers
  /** Undefined where nothing can be pressed: a picture of blocks. */
  readonly use: Use | undefined
  /** What stands in the inputs of a view. */
  readonly values?: Values
  /** What menus that ask the bot show for what is typed, by block and action id. */
  readonly suggested?: Suggestions
  /** Sentences under inputs, by block id. */
  readonly errors?: Readonly<Record<string, string>>
}

export interface BlockProps {
  readonly block: Json
  readonly given: Given
}

/** What an input block says about the element in it. */
export interface Field {
  readonly inputId: string
  readonly labelId: string
  readonly describedBy: string | undefined
  readonly isInvalid: boolean
  readonly isRequired: boolean
  /** The bot hears of every change, so a text is sent when it is complete: on Enter, or when it is left. */
  readonly sendsWhenComplete: boolean
}

export interface ElementProps extends BlockProps {
  readonly element: Json
  /** Undefined outside of an input block. */
  readonly field?: Field
}
