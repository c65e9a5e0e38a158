// A follow’s memory for its cards: whom they call, what could not be said, which are gone. Pure.

import { hash } from 'node:crypto'
import type { OpenAlert } from '../monitor/schema.ts'
import { minuteMs } from '../work/durations.ts'

/** A person or group whom a follow calls, as it was told. */
export interface Callee {
  /** Slack’s id of a person or user group: `U…`, `W…`, `S…`. */
  readonly mention: string
  /** Slack’s name, raw: “@oncall”. It mentions nobody. */
  readonly name: string
  /** Set while they aren’t in the channel, or in Slack. `untold`: a call has found it out; `told`: channel and carrier know. */
  readonly away?: 'untold' | 'told' | undefined
}

/** Whom a follow calls first, for what, and when it last did. */
export interface Call extends Callee {
  /** Less grave alerts call nobody; 0 is the highest severity. */
  readonly from: number
  /** The last mention, in milliseconds since 1970; `worst`: the gravest it was for. */
  readonly at?: number | undefined
  readonly worst?: number | undefined
  /** Whom the third mention goes to, where nobody has answered two. */
  readonly third?: Callee | undefined
}

/** A call that nobody is known to have answered: it is made again. */
export interface OpenCall {
  /** The first mention, in milliseconds since 1970. */
  readonly at: number
  /** Alerts that it was made for, and others told within five minutes of it. */
  readonly keys: readonly string[]
  /** How often it was made: 1 to 3. */
  readonly times: number
}

/** News that the channel still has to hear. */
export interface Unsaid {
  /** In milliseconds since 1970. */
  readonly since: number
  /** Slack’s word for a refusal that stays; undefined where it may pass. */
  readonly word: string | undefined
  /** How many new alerts wait. */
  readonly alerts: number
  /** The carrier, with whose token the follow reads, has been told. */
  readonly isTold?: boolean
}

export interface Following {
  /** Alerts by key, as the follow’s last list had them. */
  readonly seen: Readonly<Record<string, { readonly fingerprint: string }>>
  readonly call?: Call | undefined
  readonly openCalls?: readonly OpenCall[] | undefined
  readonly unsaid?: Unsaid | undefined
  /** Severity that each deleted card showed, by the alert’s key; null where it was closed. */
  readonly forgotten?: Readonly<Record<string, number | null>> | undefined
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

/** The call to store after a look. @param made - The call that the look has made: what people have set meanwhile stays. */
export function afterCall(call: Call | undefined, made: Call | undefined): Call | undefined {
  if (made === undefined || call?.mention !== made.mention) return call

  const third = call.third?.mention === made.third?.mention ? made.third : call.third
  return { ...made, from: call.from, third }
}

/** How long a mention lasts: within it, only something graver calls again. */
export const calledForMs = 5 * minuteMs

/** All whom a follow may call. */
export function calleesOf(call: Call | undefined): readonly Callee[] {
  return [call, call?.third].filter((callee) => callee !== undefined)
}

/** The call, once channel and carrier know that this person isn’t there. */
export function withTold(call: Call, mention: string): Call {
  const third =
    call.third?.mention === mention ? { ...call.third, away: 'told' as const } : call.third
  return call.mention === mention ? { ...call, away: 'told', third } : { ...call, third }
}

/** The call that is due for what is told now, as it is to be stored; undefined where nobody is to be called. */
export function callDue(call: Call | undefined, severity: number, now: number): Call | undefined {
  if (!call || severity > call.from) return undefined

  const { at = 0, worst = Number.POSITIVE_INFINITY } = call
  const isLately = now - at < calledForMs
  if (isLately && severity >= worst) return undefined

  return { ...call, at: now, worst: isLately ? Math.min(worst, severity) : severity }
}

/** When a call that nobody answers is made again, and at last given up: after the first mention. */
const againAfterMs = [10 * minuteMs, 30 * minuteMs, 40 * minuteMs] as const
/** A call is made so often. */
export const mostTimes = 3

/** When an open call is looked at next, in milliseconds since 1970. */
export function againAt({ at, times }: OpenCall): number {
  return at + (againAfterMs[times - 1] ?? 0)
}

/**
 * Open calls after these alerts were told, which call somebody. What is told within five minutes of a call belongs to it, as
 * nobody is mentioned again so soon. An alert that got worse begins anew.
 */
export function withCalled(
  open: readonly OpenCall[] = [],
  keys: readonly string[],
  at: number,
): readonly OpenCall[] {
  const called = new Set(keys)
  const others = open
    .map((one) => ({ ...one, keys: one.keys.filter((ks) => !called.has(ks)) }))
    .filter((one) => one.keys.length > 0)

  const last = others.at(-1)
  const isLately = last !== undefined && at - last.at < calledForMs
  if (!isLately) return [...others, { at, keys, times: 1 }]
  return others.with(-1, { ...last, keys: [...last.keys, ...keys] })
}
