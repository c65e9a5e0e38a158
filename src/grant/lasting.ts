// Rules of making access last longer: who may, and how long each flag may last. Pure.
import type { House } from '../house.ts'
import { type Ends, isAccess, type Write } from '../send/outcome.ts'
import { isFlag } from './roles.ts'

type Config = House['config']

/** Access for a time, as far as these rules need it. */
interface Lasting {
  readonly giverId: string
  readonly askerId: string
  readonly flags: readonly string[]
  /** When each was given, in milliseconds since 1970. */
  readonly since: Readonly<Record<string, number>>
}

/** The shortest time that one of these flags may last, in milliseconds; undefined where each may last for good. */
function limitMs(
  { timedFlags }: Pick<Config, 'timedFlags'>,
  flags: readonly string[],
): number | undefined {
  const limits = flags.flatMap((flag) => (isFlag(flag) ? (timedFlags[flag] ?? []) : []))
  return limits.length === 0 ? undefined : Math.min(...limits)
}

/** An end that these flags allow: as wanted, or at the longest that the strictest of them may last. */
export function endsWithin(
  config: Config,
  flags: readonly string[],
  ends: Ends | undefined,
  now: number,
): Ends | undefined {
  const mostMs = limitMs(config, flags)
  if (mostMs === undefined) return ends
  const isWithin = ends !== undefined && ('forMs' in ends ? ends.forMs : ends.at - now) <= mostMs

  return isWithin ? ends : { forMs: mostMs }
}

/**
 * A write as today’s settings allow it: for no longer than its flags may last, and without keeping for good what nobody
 * may have for good, or without a colleague.
 */
export function byTodaysRules(config: Config, write: Write, now: number): Write {
  if (!isAccess(write) || (write.kind !== 'add-user' && write.kind !== 'change')) return write

  return {
    ...write,
    ends: endsWithin(config, write.permissions, write.ends, now),
    keeps: write.keeps?.filter((flag) => mayLastForGood(config, flag)),
  }
}

export function mayLastForGood({ timedFlags, approval }: Config, flag: string): boolean {
  const isApproved = approval.flags.some((one) => one === flag)
  return !(isFlag(flag) && timedFlags[flag] !== undefined) && !isApproved
}

/**
 * True for whoever gave it, unless a colleague would have to approve it today: a giver who asked for it themself is no
 * second person. Everybody else asks.
 */
export function canExtend(
  { approval }: Pick<Config, 'approval'>,
  { giverId, askerId, flags }: Lasting,
  userId: string,
): boolean {
  const isToApprove = approval.flags.some((flag) => flags.includes(flag))
  return userId === giverId && !(isToApprove && giverId === askerId)
}

/**
 * Flags that may not last that long, counted from when each was given.
 * @param endsAt - Milliseconds since 1970; undefined: for good.
 */
export function tooLong(
  { timedFlags }: Pick<Config, 'timedFlags'>,
  { flags, since }: Lasting,
  endsAt = Number.POSITIVE_INFINITY,
): readonly string[] {
  return flags.filter((flag) => {
    const mostMs = isFlag(flag) ? timedFlags[flag] : undefined
    return mostMs !== undefined && endsAt - (since[flag] ?? 0) > mostMs
  })
}
