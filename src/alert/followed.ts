// A follow’s memory: whom it calls, what its channel still has to hear, which of its cards are gone. (A follow is a channel
// that gets a container’s new alerts.) Pure.

import { hash } from 'node:crypto'
import type { OpenAlert } from '../monitor/schema.ts'
import { minuteMs } from '../work/durations.ts'
import type { Tally } from './tally.ts'

/** A person or group whom a follow calls, as somebody has set it up. */
export interface Callee {
  /** Slack’s id of a person or user group: `U…`, `W…`, `S…`. */
  readonly mention: string
  /** Slack’s name, raw: “@oncall”. The name alone mentions nobody. */
  readonly name: string
  /**
   * Set while the person isn’t in the channel, or in Slack. `untold`: a call has found that out. `told`: the channel knows,
   * and so does the carrier, with whose token the follow reads.
   */
  readonly away?: 'untold' | 'told' | undefined
}

/** A follow’s call: whom it mentions first, from which severity on, and when it last did. */
export interface Call extends Callee {
  /** Alerts less grave than this severity call nobody; 0 is the highest. */
  readonly from: number
  /** Time of the last mention, in milliseconds since 1970; `worst` is the gravest severity among its alerts. */
  readonly at?: number | undefined
  readonly worst?: number | undefined
  /** Whom the third mention goes to, if nobody has answered the first two; default: the same person. */
  readonly third?: Callee | undefined
}

/** A call that is made again: as far as the follow knows, nobody has answered it. */
export interface OpenCall {
  /** Time just before its first alerts were told, in milliseconds since 1970. */
  readonly at: number
  /** Keys of the alerts that the call was made for, and of others told within five minutes after it. */
  readonly keys: readonly string[]
  /** How often somebody was mentioned, or would have been if they weren’t away: 0 to 3. */
  readonly times: number
}

/** News that the channel still has to hear. */
export interface Unsaid {
  /** Time since which the news waits, in milliseconds since 1970. */
  readonly since: number
  /** Slack’s word for a refusal that stays; undefined if the next try may succeed. */
  readonly word: string | undefined
  /** How many new alerts wait. */
  readonly alerts: number
  /** True once the carrier, with whose token the follow reads, has been told of the refusal. */
  readonly isTold?: boolean
}

export interface Following {
  /** Alerts by key, as the follow’s last list had them. */
  readonly seen: Readonly<Record<string, { readonly fingerprint: string }>>
  /** Whom the follow calls; undefined for nobody. */
  readonly call?: Call | undefined
  readonly openCalls?: readonly OpenCall[] | undefined
  readonly unsaid?: Unsaid | undefined
  /** Severity that each deleted card showed, by the alert’s key; null if the card showed the alert closed. */
  readonly forgotten?: Readonly<Record<string, number | null>> | undefined
  /** Counts of what the follow saw and told. */
  readonly tally: Tally
}

/** A fingerprint: equal for alerts that a list of open alerts shows alike. */
export function fingerprintInList({
  lastSeverity,
  lastMessage,
  ownerId,
  timestamp,
}: OpenAlert): string {
  const shown = JSON.stringify([lastSeverity, lastMessage, ownerId, timestamp])
  return hash('sha256', shown, 'base64url').slice(0, 12)
}

/**
 * The call to store after somebody was called. A setting that people have changed meanwhile stays.
 * @param call - The call as it is stored now.
 * @param made - The call with the new mention; undefined if nobody was called.
 */
export function afterCall(call: Call | undefined, made: Call | undefined): Call | undefined {
  if (made === undefined || call?.mention !== made.mention) return call

  const third = call.third?.mention === made.third?.mention ? made.third : call.third
  return { ...made, from: call.from, third }
}

/** All whom a follow may call. */
export function calleesOf(call: Call | undefined): readonly Callee[] {
  return [call, call?.third].filter((callee) => callee !== undefined)
}

/** The call to store once the channel and the carrier know that this person isn’t there. */
export function withTold(call: Call, mention: string): Call {
  const told = <One extends Callee>(one: One): One =>
    one.mention === mention ? { ...one, away: 'told' } : one
  return { ...told(call), third: call.third && told(call.third) }
}

/** The call to store if an alert of this severity calls now, with the time of the mention; undefined if it calls nobody. */
export function callDue(call: Call | undefined, severity: number, now: number): Call | undefined {
  if (!call || severity > call.from) return undefined

  const { at = 0, worst = Number.POSITIVE_INFINITY } = call
  const isLately = now - at < calledForMs
  if (isLately && severity >= worst) return undefined

  return { ...call, at: now, worst: isLately ? Math.min(worst, severity) : severity }
}

/** For so long after a mention, only a graver alert calls again. */
export const calledForMs = 5 * minuteMs

/**
 * How long after its beginning an open call is due again, by how often somebody was mentioned for it. Never: another call’s
 * mention, less than five minutes before, has put it off. Once: the second mention. Twice: the third. Three times: the call
 * is given up.
 */
const againAfterMs = [calledForMs, 10 * minuteMs, 30 * minuteMs, 40 * minuteMs] as const
/** How often a call is made at most. */
export const mostTimes = 3

/** The next time at which an open call is made again, or given up, in milliseconds since 1970. */
export function againAt({ at, times }: OpenCall): number {
  return at + (againAfterMs[times] ?? 0)
}

/**
 * The open calls to store before alerts are told that call somebody. Alerts told within five minutes of a call belong to
 * that call, as nobody is mentioned again so soon. An alert of an earlier call that got worse leaves that call.
 * @param keys - Keys of the alerts that call somebody.
 * @param isMentioned - False if nobody is mentioned now, as another call was repeated less than five minutes ago.
 */
export function withCalled(
  open: readonly OpenCall[] = [],
  keys: readonly string[],
  at: number,
  isMentioned: boolean,
): readonly OpenCall[] {
  const called = new Set(keys)
  const others = open
    .map((one) => ({ ...one, keys: one.keys.filter((ks) => !called.has(ks)) }))
    .filter((one) => one.keys.length > 0)

  const last = others.at(-1)
  const isLately = last !== undefined && at - last.at < calledForMs
  if (!isLately) return [...others, { at, keys, times: isMentioned ? 1 : 0 }]
  return others.with(-1, { ...last, keys: [...last.keys, ...keys] })
}
