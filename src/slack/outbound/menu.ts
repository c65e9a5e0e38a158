// A menu behind three dots, or plain buttons where there is too little for one. Pure.
import type { Button, Overflow } from '@slack/types'
import { limits } from '../text/limits.ts'

/** A press on a button in place of a menu says what a choice in the menu would: same action, same value. */
export function menu(actionId: string, options: Overflow['options']): (Button | Overflow)[] {
  if (options.length >= limits.leastOverflowOptions) {
    return [{ type: 'overflow', action_id: actionId, options }]
  }
  return options.map((option) => ({ ...option, type: 'button', action_id: actionId, text: option.text }))
}
