// Rules of making access last longer: who may, and how long each flag may last. Pure.
import type { End } from '../ends/states.ts'
import type { House } from '../house.ts'
import { type Ends, isAccess, type Write } from '../send/outcome.ts'
import { isFlag } from './roles.ts'

type Config = House['config']

/** An end that these flags allow: as wanted, or at the longest that the strictest of them may last. */
export function endsWithin(
  config: Config,
  flags: readonly string[],
  ends: Ends | undefined,
  now: number,
): Ends | undefined {
  const limits = flags.flatMap((flag) => (isFlag(flag) ? (config.timedFlags[flag] ?? []) : []))
  if (limits.length === 0) return ends

  const mostMs = Math.min(...limits)
  const isWithin = ends !== undefined && ('forMs' in ends ? ends.forMs : ends.at - now) <= mostMs

  return isWithin ? ends : { forMs: mostMs }
}

/**
 * A write as today’s settings allow it: for no longer than its flags may last. It keeps for good only flags for which
 * `mayLastForGood` is true.
 */
export function byTodaysRules(config: Config, write: Write, now: number): Write {
  if (!isAccess(write) || (write.kind !== 'add-user' && write.kind !== 'change')) return write

  return {
    ...write,
    ends: endsWithin(config, write.permissions, write.ends, now),
    takesOver: write.takesOver?.filter((flag) => mayLastForGood(config, flag)),
  }
}

export function mayLastForGood({ timedFlags, approval }: Config, flag: string): boolean {
  const isApproved = approval.flags.some((one) => one === flag)
  return !(isFlag(flag) && timedFlags[flag] !== undefined) && !isApproved
}

/**
 * True for whoever gave it. But where it would need approval today, only if another had asked for it: then two people are
 * behind it.
 */
export function canExtend(
  { approval }: Config,
  { giverId, askerId, flags }: End,
  userId: string,
): boolean {
  const isToApprove = approval.flags.some((flag) => flags.includes(flag))
  const areTwo = giverId !== askerId

  return userId === giverId && (!isToApprove || areTwo)
}

/**
 * Flags that may not last that long, counted from when each was given.
 * @param endsAt - Milliseconds since 1970; undefined: for good.
 */
export function tooLong(
  { timedFlags }: Config,
  { flags, since }: End,
  endsAt = Number.POSITIVE_INFINITY,
): readonly string[] {
  return flags.filter((flag) => {
    const mostMs = isFlag(flag) ? timedFlags[flag] : undefined
    return mostMs !== undefined && endsAt - (since[flag] ?? 0) > mostMs
  })
}
