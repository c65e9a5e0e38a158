// The place of a menu, and what closes it from outside.
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'

type Held = RefObject<HTMLElement | null>

const GAP = 4
const EDGE = 8

/** Below the button, or above it where there is no room; left edges in line, as far as the window allows. */
function putBeside(button: HTMLElement, menu: HTMLElement): void {
  const { top, bottom, left } = button.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  const isBelow = bottom + GAP + menu.offsetHeight < clientHeight - EDGE
  const y = isBelow ? bottom + GAP : Math.max(EDGE, top - GAP - menu.offsetHeight)
  menu.style.top = `${y}px`
  menu.style.left = `${Math.max(EDGE, Math.min(left, clientWidth - EDGE - menu.offsetWidth))}px`
}

/**
 * Keeps the menu beside its button: live cards move while one looks at them. Something else that is pressed closes it,
 * and so does a button that is scrolled away.
 */
export function usePlace(button: Held, menu: Held, close: () => void): void {
  useLayoutEffect(() => {
    const place = () => {
      if (button.current && menu.current) putBeside(button.current, menu.current)
    }
    place()
    document.addEventListener('scroll', place, true)
    addEventListener('resize', place)
    return () => {
      document.removeEventListener('scroll', place, true)
      removeEventListener('resize', place)
    }
  })
  useEffect(() => {
    const onPress = ({ target }: Event) => {
      const isInside = [button, menu].some(
        ({ current }) => target instanceof Node && current?.contains(target) === true,
      )
      if (!isInside) close()
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  })
  useEffect(() => {
    const observer = new IntersectionObserver(([seen]) => {
      if (seen?.isIntersecting === false) close()
    })
    if (button.current) observer.observe(button.current)
    return () => observer.disconnect()
  }, [])
}
