// A menu beside its button: where it stands, and the arrow keys in it.

const gap = 4

/** Under the button, or above it where there is no room below; always within the window. */
export function placeUnder(menu: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = menu
  const hasRoom = at.bottom + gap + height <= window.innerHeight
  const top = hasRoom ? at.bottom + gap : Math.max(gap, at.top - gap - height)
  const left = Math.min(at.left, window.innerWidth - width - gap)
  menu.style.top = `${top}px`
  menu.style.left = `${Math.max(gap, left)}px`
}

/** Moves to another entry. @returns Whether the key was one that does. */
export function stepFocus(menu: HTMLElement, key: string): boolean {
  const items = [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')]
  const { activeElement } = document
  const at = activeElement instanceof HTMLElement ? items.indexOf(activeElement) : -1
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: -1,
  }
  const to = steps[key]
  if (to === undefined) return false
  items.at(to % items.length)?.focus()
  return true
}
