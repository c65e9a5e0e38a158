// People at the service: whom a write is about, as a list has shown them, and whether two are the same person. Pure.
import { isSameAddress } from '../monitor/schema.ts'

/** Somebody on a container, as a list showed them. */
export interface There {
  readonly userId: number
  /** Raw. */
  readonly name: string
  readonly permissions: readonly string[]
  readonly member: boolean
  /** The way in which they sign in, as the service spells it; missing if the list doesn’t say it. */
  readonly authProvider?: string | undefined
}

export interface Whom {
  /** Raw; empty if monitoring doesn’t show the address. */
  readonly email: string
  /** Id in Slack, if they were named by a mention: an address may change. */
  readonly slackId?: string | undefined
  /** The person as a list showed them last. A change or a removal is not sent if they are no longer like that. */
  readonly there?: There | undefined
}

/** Everything by which a person can be known. */
export interface Known {
  readonly email?: string | undefined
  readonly userId?: number | undefined
  readonly authProvider?: string | undefined
}

/**
 * True for one and the same person. Numbers, once a list has shown both, decide. Addresses count only while either number
 * is unknown, as addresses can be hidden or changed, or belong to two people, who then have different sign-in providers.
 */
export function isSamePerson(one: Known, other: Known): boolean {
  if (one.userId !== undefined && other.userId !== undefined) return one.userId === other.userId
  if (!one.email || !other.email || !isSameAddress(one.email, other.email)) return false
  const [way, otherWay] = [one.authProvider?.toLowerCase(), other.authProvider?.toLowerCase()]
  return way === undefined || otherWay === undefined || way === otherWay
}

/** Everything by which the person of a write can be known. @param authProvider - As typed. Default: as a list shows it. */
export function knownBy(
  { email, there }: { readonly email: string; readonly there?: Partial<There> | undefined },
  authProvider?: string,
): Known {
  return { email, userId: there?.userId, authProvider: authProvider ?? there?.authProvider }
}
