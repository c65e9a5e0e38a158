// Rules of making access last longer: who may, and how long each flag may last. Pure.
import type { House } from '../house.ts'
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
