// The ledger of a soak: what is given to whom for a time, and what they may keep. People write into it what they decide, before
// Bellhop hears of it; it knows nothing of what Bellhop stores.
import type { MonitorService } from '../../playground/monitor/start-monitor.ts'

/** Somebody at the service who gets access; in no other story. */
export interface Subject {
  /** As they were known first. */
  readonly email: string
  /** At the service. */
  readonly userId: number
  /** Where they get it. */
  readonly containerId: number
  /** What happens to them meanwhile. */
  readonly story: string
}

export interface Given extends Subject {
  readonly flags: readonly string[]
  /** As Bellhop calls these flags. */
  readonly name: string
  /** False for more of somebody who was there. */
  readonly isBrought: boolean
  /** From when the service took it. */
  readonly lastsMs: number
  /** Moved by whoever may make it last, at the latest until then. Milliseconds since 1970; infinite where it is for good. */
  mostUntil: number
}

/** Given for good by others, or at the service itself: nobody takes it back. */
export interface Kept extends Subject {
  readonly flags: readonly string[]
  readonly member: boolean
}

export const viewer = ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG'] as const
const handler = ['ALERT_ASSIGN', 'ALERT_CHANGE', 'RULE_EMAIL', 'RULE_PHONE'] as const
export const responder = [...viewer, ...handler] as const

export interface Ledger {
  readonly given: Given[]
  readonly kept: Kept[]
  /** Numbers of people whom others have taken off, or moved about, at the service. */
  readonly touched: Set<number>
}

interface Books {
  readonly ledger: Ledger
  readonly service: MonitorService
}

/** When nobody has decided any more that they have it; undefined where it was never sent. */
export function deadlineOf({ service }: Books, one: Given): number | undefined {
  const path = `/container/${one.containerId}/user`
  const sent = service.requests.findLast(({ method, path: asked, body }) => {
    const { email, permissions } = Object(body)
    if (one.isBrought) return method === 'POST' && asked === path && email === one.email
    const isAll =
      Array.isArray(permissions) && one.flags.every((flag) => permissions.includes(flag))
    return method === 'PUT' && asked === `${path}/${one.userId}` && isAll
  })
  return sent && Math.max(sent.at + one.lastsMs, one.mostUntil)
}

/** What they still have of it, and nobody gave them else; `seat`: being on the container at all. */
export function leftOf({ ledger, service }: Books, one: Given): readonly string[] {
  const seat = service.membersOf(one.containerId).find(({ id }) => id === one.userId)
  if (seat === undefined) return []
  const kept = ledger.kept.filter(({ userId }) => userId === one.userId)
  const isOthers = (flag: string) => kept.some(({ flags }) => flags.includes(flag))
  const flags = one.flags.filter((flag) => seat.permissions.includes(flag) && !isOthers(flag))
  const isAlone =
    kept.length === 0 && ledger.given.filter(({ userId }) => userId === one.userId).length === 1
  return flags.length === 0 && one.isBrought && isAlone ? ['a seat'] : flags
}

/** What was given for good, and is gone. */
export function lostOf(
  { service }: Books,
  { userId, containerId, flags, member }: Kept,
): readonly string[] {
  const seat = service.membersOf(containerId).find(({ id }) => id === userId)
  const lost = flags.filter((flag) => !seat?.permissions.includes(flag))
  return member && seat?.member !== true ? [...lost, 'membership'] : lost
}
