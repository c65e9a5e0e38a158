// Rules of access for a time: how long each flag may last, and who may make it last longer. Pure.
import type { End } from '../ends/states.ts'
import type { House } from '../house.ts'
import { type Ends, isAccess, type Write } from '../send/outcome.ts'
import { isFlag } from './roles.ts'

type Config = House['config']

/** How long access with these flags may last: `ends`, as wanted, or the shortest limit of its flags if that is less. */
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
 * A write as today’s settings allow it. Its access lasts no longer than the limits of its flags. `takesOver` (flags that
 * the person already has for a time, and whose end the write replaces) keeps only flags that may last for good today.
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
 * True if somebody may make access for a time last longer without asking a colleague. Only the person who gave the
 * access may. If a flag needs approval today, somebody else must also have asked for the access: then two people agreed
 * to it.
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
 * Flags of an end whose longest time, counted from when each was given, is over before `endsAt`.
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
