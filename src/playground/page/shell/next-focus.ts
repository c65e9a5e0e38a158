// Moves the keyboard's focus to what is there after the next drawing.
import { useCallback, useEffect, useState } from 'preact/hooks'

export type Find = () => HTMLElement | null | undefined

export function useNextFocus(): (find: Find) => void {
  const [wish, setWish] = useState<{ readonly find: Find }>()
  useEffect(() => wish?.find()?.focus(), [wish])
  return useCallback((find: Find) => setWish({ find }), [])
}
