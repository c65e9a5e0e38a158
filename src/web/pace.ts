// How often one address may come. Bounded, however many addresses there are.

/** Counts a visit; false when there were too many within a minute. */
export type Pace = (address: string) => boolean

const minuteMs = 60_000
const mostAddresses = 10_000

/** @param now - Milliseconds since 1970. */
export function createPace(perMinute: number, now: () => number): Pace {
  const visits = new Map<string, { readonly since: number; count: number }>()
  return (address) => {
    const at = now()
    const known = visits.get(address)
    if (known !== undefined && Math.abs(at - known.since) < minuteMs) return ++known.count <= perMinute
    visits.delete(address)
    visits.set(address, { since: at, count: 1 })
    const [oldest] = visits.keys()
    if (visits.size > mostAddresses && oldest !== undefined) visits.delete(oldest)
    return true
  }
}
