// A lease on a document that is looked after at a time: one process has it, and another takes it over once its time has
// passed. Pure.

export interface Leased {
  /** Milliseconds since 1970; null: only when somebody says so. */
  readonly dueAt: number | null
  /** The process that has it, and until when it is taken to be alive. */
  readonly holder: string
  readonly heldUntil: number
}

export const unheld = { holder: '', heldUntil: 0 } as const

export function dueTime({ dueAt, heldUntil }: Leased): number | null {
  return dueAt === null ? null : Math.max(dueAt, heldUntil)
}

/**
 * Due at once. The time is earlier than before by a millisecond at least: a look that is under way sees by the difference
 * that somebody wants another, and doesn’t put it off.
 */
export function poked<One extends Leased>(one: One, now: number): One {
  return { ...one, dueAt: Math.min(now, (one.dueAt ?? now + 1) - 1) }
}

/** Undefined while another process has it; one that has it already keeps it for longer. */
export function takenBy<One extends Leased>(one: One, holder: string, forMs: number, now: number) {
  const isAnothers = one.heldUntil > now && one.holder !== holder
  return isAnothers ? undefined : { ...one, holder, heldUntil: now + forMs }
}

/**
 * Given back, and due again after this time; undefined where another process has it since.
 * @param taken - As it was when it was taken: one that was poked since is due when that said.
 * @param inMs - Undefined leaves its time as it was.
 */
export function returnedBy<One extends Leased>(
  one: One,
  taken: One,
  inMs: number | 'never' | undefined,
  now: number,
): One | undefined {
  if (one.holder !== taken.holder) return undefined
  const isPoked = one.dueAt !== taken.dueAt
  if (inMs === undefined || isPoked) return { ...one, heldUntil: 0 }
  return { ...one, dueAt: inMs === 'never' ? null : now + inMs, heldUntil: 0 }
}
