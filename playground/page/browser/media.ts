// The room that the window has.
import { useEffect, useState } from 'preact/hooks'

/** Kept up to date while the window changes. */
function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const look = () => setMatches(media.matches)
    look()
    media.addEventListener('change', look)
    return () => media.removeEventListener('change', look)
  }, [query])
  return matches
}

/** The same widths stand in shell.css. */
export function useRoom() {
  return {
    /** A phone: the sidebar is behind a button. */
    isNarrow: useMedia('(width < 760px)'),
    /** What opens at the right covers the channel. */
    isCovering: useMedia('(width < 960px)'),
    /** Thread and drawer stand side by side. */
    isWide: useMedia('(width >= 1600px)'),
    /** Focus in a text field brings up a keyboard that takes half of the screen. */
    isTouch: useMedia('(pointer: coarse)'),
  }
}
