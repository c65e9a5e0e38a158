// Leases: what one process has to itself for as long as it renews it, and work that goes on under one.
/**
 * Lifetime of a lease: a process that is silent for longer is taken for dead. Long enough for one request to another
 * service (8 s in all, from connecting to its answer) and for committing what became of it (4 s). A living process that
 * needs longer, because the database was locked or away, may be judged by others meanwhile; what it knows counts then.
 */
export const leaseMs = 12_000
/** Two renewals may fail before a lease runs out. */
const renewMs = 4_000

/** Renews a lease while `work` goes on. A renewal that fails is not the work's trouble: the next one is in time. */
export async function renewing<T>(renew: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => void renew().catch(() => undefined), renewMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
