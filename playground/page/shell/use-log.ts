// A hook for what of “What happened” is shown, and how much of it nobody has looked at that Slack refused.
import { useEffect, useState } from 'preact/hooks'
import type { Happening } from '../state/state.ts'

/**
 * @param isOpen - Whether the list is looked at.
 * @returns `shown`: without what was cleared away; `refusals`: since the list was open last.
 */
export function useLog(happenings: readonly Happening[], isOpen: boolean) {
  const newest = happenings.at(-1)?.id ?? 0
  const [clearedTo, setClearedTo] = useState(0)
  const [seenTo, setSeenTo] = useState(0)
  useEffect(() => {
    if (isOpen) setSeenTo(newest)
  }, [isOpen, newest])

  // A playground that was started anew counts from one again.
  const after = (id: number) => happenings.filter((one) => one.id > (id > newest ? 0 : id))
  const refused = (isOpen ? [] : after(seenTo))
    .flatMap(({ steps }) => steps)
    .filter(({ refusals }) => refusals.length > 0)
  return { shown: after(clearedTo), refusals: refused.length, clear: () => setClearedTo(newest) }
}
