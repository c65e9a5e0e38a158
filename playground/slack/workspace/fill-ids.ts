// Slack gives every block a block_id and every interactive element an action_id when the app did not.
import { isRecord, type Json } from '../model/json.ts'
import type { Stamps } from '../model/stamps.ts'

const INTERACTIVE =
  /^(button|overflow|checkboxes|radio_buttons|datepicker|timepicker|datetimepicker|file_input|number_input|.*_select|.*_text_input)$/

export function fillIds(blocks: readonly Json[], stamps: Stamps): Json[] {
  return blocks.map((block) => {
    const filled: Record<string, unknown> = { ...block }
    filled.block_id ??= stamps.id('b').slice(0, 5)
    if (Array.isArray(block.elements) && (block.type === 'actions' || block.type === 'context')) {
      filled.elements = block.elements.map((element: unknown) => fillElement(element, stamps))
    }
    if (block.element !== undefined) filled.element = fillElement(block.element, stamps)
    if (block.accessory !== undefined) filled.accessory = fillElement(block.accessory, stamps)
    return filled
  })
}

function fillElement(element: unknown, stamps: Stamps): unknown {
  if (!isRecord(element) || typeof element.type !== 'string') return element
  const isInteractive = INTERACTIVE.test(element.type)
  return isInteractive
    ? { ...element, action_id: element.action_id ?? stamps.id('a').slice(0, 5) }
    : element
}
