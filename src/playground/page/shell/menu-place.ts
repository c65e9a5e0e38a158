// Where a menu opens, and what closes it from outside.
import { useEffect } from 'preact/hooks'

interface Held {
  readonly current: HTMLElement | null
}

const GAP = 4
const EDGE = 8

/** Below the button, or above it where there is no room; right edges in line, as far as the window allows. */
export function putBeside(button: HTMLElement, menu: HTMLElement): void {
  const { top, bottom, left, right } = button.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  const isBelow = bottom + GAP + menu.offsetHeight < clientHeight - EDGE
  const y = isBelow ? bottom + GAP : Math.max(EDGE, top - GAP - menu.offsetHeight)
  const x = left + menu.offsetWidth < clientWidth / 2 ? left : right - menu.offsetWidth
  menu.style.top = `${y}px`
  menu.style.left = `${Math.max(EDGE, Math.min(x, clientWidth - EDGE - menu.offsetWidth))}px`
}

/** Closes what stands beside a button when something else is pressed, scrolled or resized. */
export function useDismiss(button: Held, menu: Held, close: () => void): void {
  useEffect(() => {
    const isInside = ({ target }: Event) =>
      target instanceof Node && (button.current?.contains(target) || menu.current?.contains(target))
    const onPress = (event: Event) => {
      if (!isInside(event)) close()
    }
    document.addEventListener('pointerdown', onPress)
    document.addEventListener('scroll', onPress, true)
    addEventListener('resize', close)
    return () => {
      document.removeEventListener('pointerdown', onPress)
      document.removeEventListener('scroll', onPress, true)
      removeEventListener('resize', close)
    }
  })
}
