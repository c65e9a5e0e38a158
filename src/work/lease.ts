// Leases: a process holds a document while it looks after it, and others leave it alone until the lease has run out. Pure.

export interface Leased {
  /** When the document is looked after next, in milliseconds since 1970; null: only once somebody asks (`poked`). */
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
 * The document, due now; if it is due already, a millisecond earlier. So its due time always changes, by which a look under
 * way sees that somebody wants another look (`returnedBy`).
 */
export function poked<One extends Leased>(one: One, now: number): One {
  return { ...one, dueAt: Math.min(now, (one.dueAt ?? now + 1) - 1) }
}

/**
 * The document, held by `holder` for `forMs` from now, even if `holder` held it already; undefined while another process
 * holds it.
 */
export function takenBy<One extends Leased>(one: One, holder: string, forMs: number, now: number) {
  const isAnothers = one.heldUntil > now && one.holder !== holder
  return isAnothers ? undefined : { ...one, holder, heldUntil: now + forMs }
}

/**
 * The document given back, and due again after `inMs`; undefined if another process has taken it since.
 * @param taken - The document as this process took it. If somebody has poked it since, its due time stays.
 * @param inMs - `never`: due only once somebody pokes it. Undefined: the due time stays.
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
