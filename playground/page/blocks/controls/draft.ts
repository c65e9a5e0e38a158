// Hook: what a person is writing, against what comes back from the server.
import { useReducer, useRef } from 'preact/hooks'

interface Own<Value> {
  /** The held value as it was last seen. */
  seen: string
  draft: { readonly value: Value } | undefined
  /** What was written and may still come back, oldest first. */
  readonly edits: string[]
}

/**
 * The person's own draft wins while its echoes come back, late ones too. A held value that they did not write
 * is the bot's, or comes from another window, and replaces the draft.
 *
 * @returns What to show, and how to change it.
 */
export function useDraft<Value>(held: Value): readonly [Value, (value: Value) => void] {
  const now = JSON.stringify(held)
  const { current: own } = useRef<Own<Value>>({ seen: now, draft: undefined, edits: [] })
  const [, redraw] = useReducer((count: number, _: undefined) => count + 1, 0)
  if (own.seen !== now) {
    own.seen = now
    const at = own.edits.indexOf(now)
    if (at < 0) own.draft = undefined
    own.edits.splice(0, at < 0 ? own.edits.length : at)
  }
  const edit = (value: Value) => {
    own.draft = { value }
    own.edits.push(JSON.stringify(value))
    redraw(undefined)
  }
  return [own.draft ? own.draft.value : held, edit]
}
