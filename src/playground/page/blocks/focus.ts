// Hook: the one element of a view that is ready for typing when it opens.
import { useEffect, useRef } from 'preact/hooks'
import type { Json } from '../../slack/json.ts'

/** To be spread over the element. A dialog that opens later finds it by `autofocus`. */
export function useFocusOnLoad(element: Json, isOff: boolean) {
  const ref = useRef<HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement>(null)
  const isAsked = element.focus_on_load === true && !isOff
  useEffect(() => {
    if (isAsked) ref.current?.focus()
  }, [isAsked])
  return { ref, autofocus: isAsked }
}
