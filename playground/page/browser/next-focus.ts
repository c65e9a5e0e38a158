// Moves the keyboard's focus to what is there after the next drawing.
import { useCallback, useLayoutEffect, useState } from 'preact/hooks'

export type Find = () => HTMLElement | null | undefined

export function useNextFocus(): (find: Find) => void {
  const [wish, setWish] = useState<{ readonly find: Find }>()
  // At once: whoever walks on with the keyboard must not be fetched back.
  useLayoutEffect(() => wish?.find()?.focus(), [wish])
  return useCallback((find: Find) => setWish({ find }), [])
}
