// Types of what controls can do, whatever they stand in.
import type { Chosen, ControlId } from '../../state/acts.ts'

/** Handed to blocks by the message or view they stand in. Each resolves when the bot has acked. */
export interface Use {
  /** @param optionValue - The chosen entry of an overflow menu. */
  press(control: ControlId, optionValue?: string): Promise<void>
  /** Inputs of a form. */
  fill?(control: ControlId, value: Chosen): Promise<void>
  /** Somebody types into a menu of a form that asks the bot. */
  suggest?(control: ControlId, typed: string): Promise<void>
}

/** Names of people and channels, by id. */
export type Names = Readonly<Record<string, string>>

/** What menus of conversations offer. */
export type Offers = readonly {
  readonly id: string
  readonly name: string
  readonly kind: 'public' | 'private' | 'im'
}[]
