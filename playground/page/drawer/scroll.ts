// A log that stays at its end while it grows, unless somebody scrolled up.
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Pixels from the end that still count as the end. */
const NEAR = 24

export interface End {
  /** For the element that scrolls. */
  readonly ref: RefObject<HTMLDivElement | null>
  /** To be called when it was scrolled, or when something in it was opened by hand. */
  look(): void
}

/** @param content - What is shown; scrolls when it is another one. */
export function useEnd(content: unknown): End {
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
