// Hooks: where the keyboard's focus goes as a view opens, and when what had it goes away.
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Json } from '../../../slack/model/json.ts'

/** To be spread over the element. A dialog that opens later finds it by `autofocus`. */
export function useFocusOnLoad(element: Json, isOff: boolean) {
  const ref = useRef<HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement>(null)
  const isAsked = element.focus_on_load === true && !isOff
  useEffect(() => {
    if (isAsked) ref.current?.focus()
  }, [isAsked])
  return { ref, autofocus: isAsked }
}

/** Whoever was on one of its controls that is gone with this drawing is on its neighbour then. */
export function useFocusInRow(row: RefObject<HTMLElement | null>): void {
  const controls = () => [
    ...(row.current?.querySelectorAll<HTMLElement>('button, a[href], select, input') ?? []),
  ]
  const { activeElement } = document
  const held = activeElement instanceof HTMLElement ? activeElement : undefined
  const at = held ? controls().indexOf(held) : -1
  useLayoutEffect(() => {
    if (at < 0 || held?.isConnected) return
    const left = controls()
    left[Math.min(at, left.length - 1)]?.focus()
  })
}
