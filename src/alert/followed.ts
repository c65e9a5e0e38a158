// What cards of a followed channel have their follow know: whom they call, what could not be said, which are gone. Pure.
import { hash } from 'node:crypto'
import type { OpenAlert } from '../monitor/schema.ts'

/** Whoever is on call, as a follow was told. */
export interface Call {
  /** Of a person or a user group in Slack: `U…`, `W…`, `S…`. */
  readonly mention: string
  /** As Slack calls them, raw: “@oncall”. It mentions nobody. */
  readonly name: string
  /** Alerts that are less grave call nobody; 0 is the highest severity. */
  readonly from: number
  /** When they were last called, in milliseconds since 1970, and for what at the gravest. */
  readonly at?: number | undefined
  readonly worst?: number | undefined
}

/** Something that its channel still has to hear. */
export interface Unsaid {
  /** In milliseconds since 1970. */
  readonly since: number
  /** Slack's word for why not, where it refuses it for good; undefined where it may pass. */
  readonly word: string | undefined
  /** So many new alerts wait. */
  readonly alerts: number
  /** Its carrier knows. */
  readonly isTold?: boolean
}

export interface Following {
  /** Its alerts, by key, as the last list had them. */
  readonly seen: Readonly<Record<string, { readonly look: string }>>
  readonly call?: Call | undefined
  readonly unsaid?: Unsaid | undefined
  /** Alerts whose card somebody deleted, by key, with the severity that it showed; null where it was closed. */
  readonly forgotten?: Readonly<Record<string, number | null>> | undefined
}

/** Equal for alerts that look the same in a list of open ones. */
export function lookInList({ lastSeverity, lastMessage, ownerId, timestamp }: OpenAlert): string {
  const shown = JSON.stringify([lastSeverity, lastMessage, ownerId, timestamp])
  return hash('sha256', shown, 'base64url').slice(0, 12)
}

/** Whoever was called just now need not be called again, but for what is graver than all that they were called for. */
const calledForMs = 5 * 60_000

/** The same after this call; undefined where nobody is to be called now. @param severity - Of what is told. */
export function called(call: Call | undefined, severity: number, now: number): Call | undefined {
  if (call === undefined || severity > call.from) return undefined
  const { at = 0, worst = Number.POSITIVE_INFINITY } = call
  const isLately = now - at < calledForMs
  if (isLately && severity >= worst) return undefined
  return { ...call, at: now, worst: isLately ? Math.min(worst, severity) : severity }
}
