// A lease on a document that falls due: one process has the lease, and another takes it over once it has run out. Pure.

export interface Leased {
  /** When it is looked after next, in milliseconds since 1970; null: only once somebody asks for it. */
  readonly dueAt: number | null
  /** The process that has the lease, and until when that process is taken to be alive. */
  readonly holder: string
  readonly heldUntil: number
}

export const unheld = { holder: '', heldUntil: 0 } as const

export function dueTime({ dueAt, heldUntil }: Leased): number | null {
  return dueAt === null ? null : Math.max(dueAt, heldUntil)
}

/**
 * The document, due at once. Its due time is a millisecond earlier than before, at least: by that, a look under way sees
 * that somebody wants another look, and doesn’t put it off.
 */
export function poked<One extends Leased>(one: One, now: number): One {
  return { ...one, dueAt: Math.min(now, (one.dueAt ?? now + 1) - 1) }
}

/** The document held by this process for so long from now, also where it holds it already; undefined while another does. */
export function takenBy<One extends Leased>(one: One, holder: string, forMs: number, now: number) {
  const isAnothers = one.heldUntil > now && one.holder !== holder
  return isAnothers ? undefined : { ...one, holder, heldUntil: now + forMs }
}

/**
 * The document given back, and due again after `inMs`; undefined where another process has taken it since.
 * @param taken - The document as it was taken. Where somebody has poked it since, its due time stays.
 * @param inMs - Undefined: the due time stays.
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
