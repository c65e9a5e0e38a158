// Parts that every control with a value has in common: what stands in it, where changes go, what it is called.
import { type Json, list, record, text } from '../../../slack/model/json.ts'
import { initialValue, valueKey } from '../../../slack/model/view-state.ts'
import type { Chosen, ControlId } from '../../state/acts.ts'
import type { ElementProps } from '../base/block.ts'
import { useAsking } from './asking.ts'
import { useDraft } from './draft.ts'

export function controlId({ block, element }: ElementProps): ControlId {
  return { blockId: text(block.block_id) ?? '', actionId: text(element.action_id) ?? '' }
}

/** What stands in it: an option by its value, several as a list, `''` for nothing. */
function heldIn({ block, element, given }: ElementProps): Json {
  const held = given.values?.[text(block.block_id) ?? '']?.[text(element.action_id) ?? '']
  return held ?? initialValue(element, undefined)
}

function heldWord(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return text(value) ?? text(record(value).value) ?? ''
}

/** ARIA for the control itself, which is named by the label of its input block. */
function naming({ field }: ElementProps) {
  return {
    'aria-labelledby': field?.labelId,
    'aria-describedby': field?.describedBy,
    'aria-invalid': field?.isInvalid ? 'true' : undefined,
  }
}

function useControl(props: ElementProps) {
  const { given } = props
  const { ask, dialog } = useAsking(props)
  const id = controlId(props)
  const send = (value: Chosen) => void given.use?.fill?.(id, value)
  return { ask, dialog, send, isOff: given.use === undefined, names: naming(props) }
}

/** A control that holds one value. `set` asks first where there is a confirmation. */
export function useOne(props: ElementProps) {
  const held = heldIn(props)
  const { ask, send, ...rest } = useControl(props)
  const [value, edit] = useDraft(heldWord(held[valueKey(text(held.type) ?? '')]))
  const set = (chosen: string) =>
    ask(() => {
      edit(chosen)
      send(chosen === '' ? null : chosen)
    })
  return { ...rest, value, set, edit, send }
}

/** A control that holds several values, in the order of their choosing. */
export function useSeveral(props: ElementProps) {
  const held = heldIn(props)
  const { ask, send, ...rest } = useControl(props)
  const [values, edit] = useDraft<readonly string[]>(
    list(held[valueKey(text(held.type) ?? '')]).map(heldWord),
  )
  const set = (chosen: readonly string[]) =>
    ask(() => {
      edit(chosen)
      send(chosen)
    })
  return { ...rest, values, set }
}
