// A follow’s memory for its cards: whom they call, what could not be said, which are gone. Pure.

import { hash } from 'node:crypto'
import type { OpenAlert } from '../monitor/schema.ts'
import { minuteMs } from '../work/durations.ts'
import type { Tally } from './tally.ts'

/** The person or group on call, as a follow was told. */
export interface Call {
  /** Slack’s id of a person or user group: `U…`, `W…`, `S…`. */
  readonly mention: string
  /** Slack’s name, raw: “@oncall”. It mentions nobody. */
  readonly name: string
  /** Less grave alerts call nobody; 0 is the highest severity. */
  readonly from: number
  /** The last call, in milliseconds since 1970; `worst`: the gravest it was for. */
  readonly at?: number | undefined
  readonly worst?: number | undefined
  /** Set while they aren’t in the channel, or in Slack: a call has found that out, or channel and carrier were told as well. */
  readonly away?: 'seen' | 'told' | undefined
}

/** News that the channel still has to hear. */
export interface Unsaid {
  /** In milliseconds since 1970. */
  readonly since: number
  /** Slack’s word for a refusal that stays; undefined where it may pass. */
  readonly word: string | undefined
  /** How many new alerts wait. */
  readonly alerts: number
  /** The follow’s carrier knows. */
  readonly isTold?: boolean
}

export interface Following {
  /** Alerts by key, as the last list had them. */
  readonly seen: Readonly<Record<string, { readonly fingerprint: string }>>
  readonly call?: Call | undefined
  readonly unsaid?: Unsaid | undefined
  /** Severity that each deleted card showed, by the alert’s key; null where it was closed. */
  readonly forgotten?: Readonly<Record<string, number | null>> | undefined
  /** Counts of what it saw and told. Missing until its next look where an earlier version began it. */
  readonly tally?: Tally | undefined
}

/** Equal for alerts that a list of open ones shows alike. */
export function fingerprintInList({
  lastSeverity,
  lastMessage,
  ownerId,
  timestamp,
}: OpenAlert): string {
  const shown = JSON.stringify([lastSeverity, lastMessage, ownerId, timestamp])
  return hash('sha256', shown, 'base64url').slice(0, 12)
}

/** @param made - The call that a look has made, which began earlier: what people have set since stays. */
export function afterCall(call: Call | undefined, made: Call | undefined): Call | undefined {
  return made && call?.mention === made.mention ? { ...made, from: call.from } : call
}

/** How long a call lasts: within it, only something graver calls again. */
const calledForMs = 5 * minuteMs

/** The call that is due for what is told now, as it is to be stored; undefined where nobody is to be called. */
export function callDue(call: Call | undefined, severity: number, now: number): Call | undefined {
  if (!call || severity > call.from) return undefined

  const { at = 0, worst = Number.POSITIVE_INFINITY } = call
  const isLately = now - at < calledForMs
  if (isLately && severity >= worst) return undefined

  return { ...call, at: now, worst: isLately ? Math.min(worst, severity) : severity }
}
