// A list of messages that stays at its end while it grows, unless somebody scrolled up.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Pixels from the end that still count as the end. */
const NEAR = 80

/**
 * @param last - The newest message; undefined when there is none.
 * @param sends - How often its person has sent something: whoever does wants to see what comes of it.
 */
export function useFollow(last: { readonly ts: string } | undefined, sends: number) {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const isNear = useRef(true)
  const lastSeen = useRef('')
  const [hasNew, setHasNew] = useState(false)

  const toEnd = () => {
    isNear.current = true
    setHasNew(false)
    const element = scroller.current
    if (element) element.scrollTop = element.scrollHeight
  }

  // Whatever makes it grow counts: a message, a card that became longer, a smaller window.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      const element = scroller.current
      if (element && isNear.current) element.scrollTop = element.scrollHeight
    })
    for (const { current } of [scroller, content]) if (current) observer.observe(current)
    return () => observer.disconnect()
  }, [])

  useLayoutEffect(() => {
    const isNewer = last !== undefined && last.ts > lastSeen.current
    lastSeen.current = last?.ts ?? lastSeen.current
    if (!isNewer) return
    if (isNear.current) toEnd()
    else setHasNew(true)
  }, [last?.ts])

  useLayoutEffect(toEnd, [sends])

  const onScroll = () => {
    const element = scroller.current
    if (!element) return
    isNear.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR
    if (isNear.current) setHasNew(false)
  }

  return { scroller, content, onScroll, hasNew, toEnd }
}
