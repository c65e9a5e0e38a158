// Hook: a button with a popover that the browser opens and closes, and that is put beside it.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** @param put - Places it: in the top layer nothing is laid out next to the button. Live cards move, and the button along. */
export function usePopover(put: (button: HTMLElement, popover: HTMLElement) => void) {
  const button = useRef<HTMLButtonElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    const place = () => {
      if (button.current && popover.current) put(button.current, popover.current)
    }
    place()
    document.addEventListener('scroll', place, true)
    addEventListener('resize', place)
    return () => {
      document.removeEventListener('scroll', place, true)
      removeEventListener('resize', place)
    }
  })
  const onToggle = ({ newState }: ToggleEvent) => setIsOpen(newState === 'open')
  return { button, popover, isOpen, onToggle }
}
