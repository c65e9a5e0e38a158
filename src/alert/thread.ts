// Finds what is news for a card’s thread: all that is not among the marks of what it was told. Pure.
//
// A mark is the hash of an action, `now 2` or `now closed` for the state, or `end …` for last words.

import { hash } from 'node:crypto'
import type { Action, Alert } from '../monitor/schema.ts'
import { minuteMs } from '../work/durations.ts'
import { isClosed } from './render/state.ts'

/** Severity while the alert is open; 0 is the highest. */
type SeverityOrClosed = number | 'closed'

export interface Change {
  readonly from: SeverityOrClosed
  readonly alert: Alert
}

export interface LastWords {
  /** Id of one period in which the card was live, or couldn’t be read: so the end of each period is said once. */
  readonly id: string
  /** Raw. */
  readonly words: string
}

export interface Reply {
  /** Oldest first. */
  readonly actions: readonly Action[]
  readonly ending: LastWords | undefined
  /** Undefined if severity and state are as before. */
  readonly change: Change | undefined
}

/** Marks for a thread that begins with these actions. */
export function marksOf(alert: Alert, actions = alert.actions): readonly string[] {
  return [...actions.map(actionMark), `now ${standingOf(alert)}`]
}

/**
 * The news for the thread, if any, and the marks to store once the news is told.
 * @param alert - Undefined if it wasn’t read.
 */
export function newsFor(
  told: readonly string[],
  alert: Alert | undefined,
  ending: LastWords | undefined,
) {
  const from = standingTold(told)
  const now = alert ? standingOf(alert) : from
  const change = !alert || from === undefined || from === now ? undefined : { from, alert }
  const actions = untold(alert?.actions ?? [], told)
  const last = ending && !told.includes(`end ${ending.id}`) ? ending : undefined
  const reply: Reply = { actions, ending: last, change }
  // Marks to drop: the old state; and if the alert is open again, the `end` mark, as the card may end again.
  const isOver = (mark: string) =>
    mark.startsWith('now ') || (from === 'closed' && now !== from && mark.startsWith('end '))
  return {
    reply: actions.length > 0 || last || isVisible(change) ? reply : undefined,
    marks: [
      ...told.filter((mark) => !isOver(mark)),
      ...actions.map(actionMark),
      ...(last === undefined ? [] : [`end ${last.id}`]),
      ...(now === undefined ? [] : [`now ${now}`]),
    ],
  }
}

/**
 * True of a change that needs words of its own. A closing at the same severity needs none: its action, or the card’s last
 * words, tell it.
 */
export function isVisible(change: Change | undefined): change is Change {
  return change !== undefined && change.from !== change.alert.lastSeverity
}

/** True if the alert got worse or opened again: a channel that follows its container hears so outside the thread, too. */
export function isWorse({ change }: Reply): boolean {
  if (!change || isClosed(change.alert)) return false

  return change.from === 'closed' || change.alert.lastSeverity < change.from
}

/**
 * News lately told aloud: people who watch are mentioned, and a channel that follows the container hears of a worse alert
 * outside the thread, too.
 */
export interface Aloud {
  /** Times of that news, in milliseconds since 1970; the newest few, oldest first. */
  readonly at: readonly number[]
  /** The gravest severity told; 0 is the highest. */
  readonly worst: number
  readonly isFlapping?: boolean
}

const calmMs = 30 * minuteMs
/** So many times within `calmMs` are flapping. */
const flaps = 3

/**
 * Decides whether a reply is told aloud, which mentions those who watch: it is if the alert got worse, opened again or
 * closed. A flapping alert is called so once, then told in its thread alone until it has been quiet for `calmMs`; but
 * something graver than all before is told aloud even then.
 */
export function loudnessOf(reply: Reply, aloud: Aloud | undefined, now: number) {
  const { alert } = reply.change ?? {}
  const isUp = isWorse(reply)
  if (!alert || !(isUp || isClosed(alert))) return { isAloud: false, aloud, flapping: undefined }

  const none: Aloud = { at: [], worst: Number.POSITIVE_INFINITY }
  const last = !aloud || now - (aloud.at.at(-1) ?? 0) >= calmMs ? none : aloud
  const { at: before, worst, isFlapping = false } = last
  const severity = isUp ? alert.lastSeverity : Number.POSITIVE_INFINITY
  // A closing is not counted: it ends what was counted before.
  const at = isUp ? [...before, now].slice(-flaps) : before
  const ms = now - (at[0] ?? now)
  const isGraver = severity < worst
  const isCalled = at.length === flaps && ms < calmMs && !isFlapping && !isGraver
  const minutes = Math.max(1, Math.round(ms / minuteMs))

  return {
    isAloud: !isFlapping || isGraver,
    flapping: isCalled ? { times: flaps, minutes } : undefined,
    aloud: {
      at,
      worst: Math.min(worst, severity),
      isFlapping: isFlapping || isCalled,
    },
  }
}

/** True if the thread was told of actions that this reading lacks: somebody has read the alert since. */
export function knowsMore(told: readonly string[], { actions }: Alert): boolean {
  const marks = new Set(actions.map(actionMark))
  return told.some((mark) => !/^(now|end) /.test(mark) && !marks.has(mark))
}

/** The service gives actions no id, so a hash of all they hold stands for one. */
function actionMark({ kind, timestamp, data }: Action) {
  const fields = Object.entries(data ?? {}).sort(([one], [other]) => (one < other ? -1 : 1))
  return hash('sha256', JSON.stringify([kind, timestamp, fields]), 'base64url').slice(0, 16)
}

function standingOf(alert: Alert): SeverityOrClosed {
  return isClosed(alert) ? 'closed' : alert.lastSeverity
}

export function standingTold(told: readonly string[]): SeverityOrClosed | undefined {
  const mark = told.find((one) => one.startsWith('now '))?.slice('now '.length)
  return mark === undefined || mark === 'closed' ? mark : Number(mark)
}

/** Actions that the thread was not told. Equal actions count as often as they occur. */
function untold(actions: readonly Action[], told: readonly string[]) {
  const left = Map.groupBy(told, (mark) => mark)
  return actions.filter((action) => left.get(actionMark(action))?.pop() === undefined)
}
