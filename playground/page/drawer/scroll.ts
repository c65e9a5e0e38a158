// A log that stays at its end while it grows, unless somebody scrolled up.
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Pixels from the end that still count as the end. */
const NEAR = 24

/**
 * @param content - What is shown; scrolls when it is another one.
 * @returns `ref`: for the element that scrolls; `look`: to be called when it was scrolled, or when something in it was
 * opened by hand.
 */
export function useEnd(content: unknown) {
  const ref = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  useLayoutEffect(() => {
    const element = ref.current
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight
  }, [content])
  return {
    ref,
    look: () => {
      const element = ref.current
      if (!element) return
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR
    },
  }
}
