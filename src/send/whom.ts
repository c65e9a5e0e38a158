// People at the service: whom a write is about, as they were shown, and whether two are one and the same. Pure.
import { isSameAddress } from '../monitor/schema.ts'

/** Somebody on a container, as a list showed them. */
export interface There {
  readonly userId: number
  /** Raw. */
  readonly name: string
  readonly permissions: readonly string[]
  readonly member: boolean
  /** The way in which they sign in, as the service spells it, where it says so. */
  readonly authProvider?: string | undefined
}

export interface Whom {
  /** Raw; empty where monitoring doesn’t show it. */
  readonly email: string
  /** Id in Slack, where they were named by it: an address may change. */
  readonly slackId?: string | undefined
  /** As they were shown last. A change or a removal is not sent where they are no longer so. */
  readonly there?: There | undefined
}

/** All by which somebody can be known. */
export interface Known {
  readonly email?: string | undefined
  readonly userId?: number | undefined
  readonly authProvider?: string | undefined
}

/**
 * True for one and the same person. Numbers, once a list has shown both, decide. Addresses count only while a number is
 * unknown, as they can be hidden, changed, or there twice: people with one address sign in differently.
 */
export function isSamePerson(one: Known, other: Known): boolean {
  if (one.userId !== undefined && other.userId !== undefined) return one.userId === other.userId
  if (!one.email || !other.email || !isSameAddress(one.email, other.email)) return false
  const [way, otherWay] = [one.authProvider?.toLowerCase(), other.authProvider?.toLowerCase()]
  return way === undefined || otherWay === undefined || way === otherWay
}

/** All by which somebody whom a write is about can be known. @param authProvider - As it was typed. */
export function knownBy(
  { email, there }: { readonly email: string; readonly there?: Partial<There> | undefined },
  authProvider?: string,
): Known {
  return { email, userId: there?.userId, authProvider: authProvider ?? there?.authProvider }
}
