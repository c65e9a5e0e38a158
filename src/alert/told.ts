// Told actions: which of an alert's actions the thread of a card was told. Pure.
//
// A card keeps marks of four kinds, each a string:
//
//     q4Zr…             one action was told (`actionMark`)
//     before 1700 2     all that happened before second 1700 was told, and the first 2 actions of that second: the bound
//     end 1700          an ending was told
//     now 2             how the alert stood when it was last told: its severity, or `now closed`; one of these at most
//
// Up to some thousand, each action has its mark. Of more, the older ones are behind the bound. An action that the service
// puts in among those afterwards is therefore not told in the thread; Show earlier has it.

import { hash } from 'node:crypto'
import type { Action } from '../monitor/schema.ts'
import type { Ending, Reply, Standing } from './cards.ts'

/** Marks of a card, some 40 kB. Of more, only the newest half is kept. */
export const mostTold = 2_000
/** Actions in one reply. Where more come at once, the thread is told their number, and Show earlier has them all. */
export const mostInReply = mostTold / 2
/** Marks of actions that are not in the service's answer: not any more, or not yet in an older one. */
const mostGone = mostTold / 4
/** Marks of endings: one for each time that the card was live. */
const mostEndings = 100

/** Actions behind it were told, and have no mark: those before second `time`, and so many of that second. */
interface Bound {
  readonly time: number
  readonly ofThatSecond: number
}

const noBound: Bound = { time: Number.NEGATIVE_INFINITY, ofThatSecond: 0 }

function boundIn(told: readonly string[]): Bound {
  const [, time, ofThatSecond] = told.map((one) => /^before (-?\d+) (\d+)$/.exec(one)).find(Boolean) ?? []
  return time === undefined ? noBound : { time: Number(time), ofThatSecond: Number(ofThatSecond) }
}

const isBound = (mark: string) => mark.startsWith('before ')
const isOfEnding = (mark: string) => mark.startsWith('end ')
const isOfAction = (mark: string) => !mark.includes(' ')
const isOfStanding = (mark: string) => mark.startsWith('now ')

/** How the alert stood when the thread was last told. */
export function standingTold(told: readonly string[]): Standing | undefined {
  const mark = told.find(isOfStanding)?.slice('now '.length)
  return mark === undefined || mark === 'closed' ? mark : Number(mark)
}

/** The same marks, of an alert that stands so. @param standing - Undefined takes the mark away. */
export function withStanding(told: readonly string[], standing: Standing | undefined): readonly string[] {
  const others = told.filter((mark) => !isOfStanding(mark))
  return standing === undefined ? others : [...others, `now ${standing}`]
}

/** The bound that has the first `count` actions behind it. @param count - At least 1. */
function boundBehind(actions: readonly Action[], count: number): string {
  const time = actions[count - 1]?.timestamp ?? 0
  const older = actions.findIndex(({ timestamp }) => timestamp === time)
  return `before ${time} ${count - older}`
}

/** How many of these, oldest first, are behind the bound. */
function countBehind(actions: readonly Action[], { time, ofThatSecond }: Bound): number {
  const older = actions.findLastIndex(({ timestamp }) => timestamp < time) + 1
  const until = actions.findLastIndex(({ timestamp }) => timestamp <= time) + 1
  return Math.min(until, older + ofThatSecond)
}

/** Marks of a thread that begins with all of these actions. @param actions - Oldest first. */
export function allTold(actions: readonly Action[]): readonly string[] {
  if (actions.length <= mostTold) return actions.map(actionMark)
  const firstMarked = actions.length - mostInReply
  return [boundBehind(actions, firstMarked), ...actions.slice(firstMarked).map(actionMark)]
}

/** The mark of an ending: its thread was told how the card ceased to be live, or that the alert cannot be read. */
export function endingMark({ id }: Ending): string {
  return `end ${id}`
}

/** Marks that a reply adds. */
export function marksOf({ actions, ending }: Pick<Reply, 'actions' | 'ending'>): readonly string[] {
  const marks = actions.map(actionMark)
  return ending === undefined ? marks : [...marks, endingMark(ending)]
}

/**
 * Marks of a thread that has got this reply as well: it then was told all of `actions`, the alert's. Those that the reply
 * tells have marks of their own, so that these can be taken away when Slack refuses the reply.
 *
 * With actions a to h in seconds 1 to 8, and a `mostTold` of 4:
 *
 *     marks before        the alert has    the reply tells    marks after
 *     a b                 a b c d          c d                a b c d
 *     a b c d             a b c d e f      e f                before 4 1, e f
 *     before 4 1, e f     a … f g          g                  before 4 1, e f g
 *     before 4 1, e f g   a … f g h        h                  before 6 1, g h
 *     before 4 1, e f g   a … e g h        h                  before 5 1, f, g h    (f is gone: it may come back)
 */
export function toldWith(
  before: readonly string[],
  actions: readonly Action[],
  reply: Pick<Reply, 'actions' | 'ending' | 'more' | 'change'>,
): readonly string[] {
  const standing = reply.change?.to ?? standingTold(before)
  // Once it is open again, it may end again.
  const others = before.filter((mark) => !isOfStanding(mark) && !(isReopened(reply) && isOfEnding(mark)))
  return withStanding(actionsToldWith(others, actions, reply), standing)
}

function isReopened({ change }: Pick<Reply, 'change'>): boolean {
  return change?.from === 'closed'
}

function actionsToldWith(
  before: readonly string[],
  actions: readonly Action[],
  reply: Pick<Reply, 'actions' | 'ending' | 'more'>,
): readonly string[] {
  const all = [...before, ...marksOf(reply)]
  // No actions are given when the alert cannot be read: nothing says then which marks a bound could stand for.
  if (actions.length === 0) return all
  if (all.length <= mostTold && !reply.more) return all
  // Places in `actions`: of the first that is not behind the bound, of the first that the reply tells, and of the first
  // that has a mark from now on. The bound only ever moves forward.
  const firstBefore = countBehind(actions, boundIn(before))
  const [first] = reply.actions
  const firstInReply = first === undefined ? actions.length : actions.indexOf(first)
  const firstMarked = Math.max(firstBefore, Math.min(actions.length - mostInReply, firstInReply))
  const bound = firstMarked > firstBefore ? [boundBehind(actions, firstMarked)] : before.filter(isBound)
  const isGone = notAmong(actions.slice(firstBefore).map(actionMark))
  return [
    ...bound,
    ...all.filter(isOfEnding).slice(-mostEndings),
    ...all.filter((mark) => isOfAction(mark) && isGone(mark)).slice(-mostGone),
    ...actions.slice(firstMarked).map(actionMark),
  ]
}

/** Those of `actions` that are not in `told`, in their order. Equal actions count as often as they occur. */
export function untold(actions: readonly Action[], told: readonly string[]): readonly Action[] {
  const isUntold = notAmong(told)
  return actions.slice(countBehind(actions, boundIn(told))).filter((action) => isUntold(actionMark(action)))
}

/** A question for one mark after another: is it none of these? Each of these answers for one that is equal. */
function notAmong(marks: readonly string[]): (mark: string) => boolean {
  const counts = new Map<string, number>()
  for (const one of marks) counts.set(one, (counts.get(one) ?? 0) + 1)
  return (key) => {
    const count = counts.get(key) ?? 0
    counts.set(key, count - 1)
    return count <= 0
  }
}

// Marks of actions: how an action that the service gives again is known as the same.

/** The service gives actions no id, so an action is known by all it holds. */
export function actionMark({ kind, timestamp, data }: Action): string {
  return hash('sha256', inOrder([kind, timestamp, data]), 'base64url').slice(0, 16)
}

/** JSON with names sorted: the order in which the service writes them makes no other action. */
function inOrder(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(inOrder).join(',')}]`
  // Numbers come first, by their value, in any object: so they did in the marks that are kept.
  const names = Object.keys(value)
  const words = names.findIndex((name) => !isIndex(name))
  const sorted = words === -1 ? names : [...names.slice(0, words), ...names.slice(words).sort()]
  const pairs = sorted.map((name) => `${JSON.stringify(name)}:${inOrder(Reflect.get(value, name))}`)
  return `{${pairs.join(',')}}`
}

/** As JavaScript has it, which writes these names first. */
function isIndex(name: string): boolean {
  const number = Number(name) >>> 0
  return String(number) === name && number !== 2 ** 32 - 1
}
