// A hook for what of “What happened” is shown, and how much of it nobody has looked at that Slack refused.
import { useEffect, useState } from 'preact/hooks'
import type { Happening } from '../state/state.ts'

export interface Log {
  /** Without what was cleared away. */
  readonly shown: readonly Happening[]
  /** Refusals since the list was open last. */
  readonly refusals: number
  clear(): void
}

/** @param isOpen - Whether the list is looked at. */
export function useLog(happenings: readonly Happening[], isOpen: boolean): Log {
  const newest = happenings.at(-1)?.id ?? 0
  const [clearedTo, setClearedTo] = useState(0)
  const [seenTo, setSeenTo] = useState(0)
  useEffect(() => {
    if (isOpen) setSeenTo(newest)
  }, [isOpen, newest])

  // A playground that was started anew counts from one again.
  const after = (id: number) => happenings.filter((one) => one.id > (id > newest ? 0 : id))
  const refused = (isOpen ? [] : after(seenTo)).flatMap(({ steps }) => steps).filter(isRefusedBySlack)
  return { shown: after(clearedTo), refusals: refused.length, clear: () => setClearedTo(newest) }
}

function isRefusedBySlack({ refusals }: Happening['steps'][number]): boolean {
  return refusals.length > 0
}
