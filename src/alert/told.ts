// Told actions: which of an alert's actions the thread of a card knows. Pure.
//
// Up to some thousand, each is known by its actionMark. Of more, the older ones are known by their time alone: whatever
// happened before that counts as told. An action that the service puts in among those afterwards is therefore not told
// in the thread; Show earlier has it.
import type { Action } from '../monitor/schema.ts'
import { actionMark } from './action-mark.ts'
import type { Ending, Reply } from './cards.ts'

/** Fingerprints of a card, some 40 kB. Of more, only the newest half is kept. */
export const mostTold = 2_000
/** Actions in one reply. Where more come at once, the thread is told their number, and Show earlier has them all. */
export const mostInReply = mostTold / 2
/** Fingerprints of actions that the service does not give any more, or did not give yet. */
const mostGone = mostTold / 4
/** Marks of endings: one for each time that the card was live. */
const mostEndings = 100

/** Where the fingerprints begin: what happened before `time`, and so many actions of that second, are told. */
interface Bound {
  readonly time: number
  readonly ofThatSecond: number
}

const none: Bound = { time: Number.NEGATIVE_INFINITY, ofThatSecond: 0 }

function boundIn(told: readonly string[]): Bound {
  const [, time, ofThatSecond] = told.map((one) => /^before (-?\d+) (\d+)$/.exec(one)).find(Boolean) ?? []
  return time === undefined ? none : { time: Number(time), ofThatSecond: Number(ofThatSecond) }
}

const isEnding = (mark: string) => mark.startsWith('end ')
const isFingerprint = (mark: string) => !mark.includes(' ')

/** Of those before `from`, which is not 0. */
function boundAt(actions: readonly Action[], from: number): string {
  const time = actions[from - 1]?.timestamp ?? 0
  const older = actions.findIndex(({ timestamp }) => timestamp === time)
  return `before ${time} ${from - older}`
}

/** How many of these, oldest first, are on the far side. */
function countBefore(actions: readonly Action[], { time, ofThatSecond }: Bound): number {
  const older = actions.findLastIndex(({ timestamp }) => timestamp < time) + 1
  const until = actions.findLastIndex(({ timestamp }) => timestamp <= time) + 1
  return Math.min(until, older + ofThatSecond)
}

/** What a thread is told that begins with all of them. @param actions - Oldest first. */
export function allTold(actions: readonly Action[]): readonly string[] {
  if (actions.length <= mostTold) return actions.map(actionMark)
  const from = actions.length - mostInReply
  return [boundAt(actions, from), ...actions.slice(from).map(actionMark)]
}

/** For the thread that a card's life ended. */
export function endingMark({ id }: Ending): string {
  return `end ${id}`
}

/** What a reply adds to what is told. */
export function marksOf({ actions, ending }: Pick<Reply, 'actions' | 'ending'>): readonly string[] {
  const marks = actions.map(actionMark)
  return ending === undefined ? marks : [...marks, endingMark(ending)]
}

/**
 * What is told once this reply is: all of `actions`, the alert's. What the reply itself tells keeps its fingerprints, so
 * that it can be given back.
 */
export function toldWith(
  before: readonly string[],
  actions: readonly Action[],
  reply: Pick<Reply, 'actions' | 'ending' | 'more'>,
): readonly string[] {
  const all = [...before, ...marksOf(reply)]
  // Without the alert nobody knows which of them could go: it is told that it cannot be read.
  if (actions.length === 0) return all
  if (all.length <= mostTold && !reply.more) return all
  const former = countBefore(actions, boundIn(before))
  const [first] = reply.actions
  const inReply = first === undefined ? actions.length : actions.indexOf(first)
  const from = Math.max(former, Math.min(actions.length - mostInReply, inReply))
  const bound = from > former ? [boundAt(actions, from)] : before.filter((mark) => mark.startsWith('before '))
  const isGone = notAmong(actions.slice(former).map(actionMark))
  return [
    ...bound,
    ...all.filter(isEnding).slice(-mostEndings),
    ...all.filter((mark) => isFingerprint(mark) && isGone(mark)).slice(-mostGone),
    ...actions.slice(from).map(actionMark),
  ]
}

/** Those of `actions` that are not in `told`, in their order. Equal actions count as often as they occur. */
export function untold(actions: readonly Action[], told: readonly string[]): readonly Action[] {
  const isUntold = notAmong(told)
  return actions.slice(countBefore(actions, boundIn(told))).filter((action) => isUntold(actionMark(action)))
}

/** Whether it is none of these; each stands for one that is asked for. */
function notAmong(marks: readonly string[]): (mark: string) => boolean {
  const counts = new Map<string, number>()
  for (const one of marks) counts.set(one, (counts.get(one) ?? 0) + 1)
  return (key) => {
    const count = counts.get(key) ?? 0
    counts.set(key, count - 1)
    return count <= 0
  }
}
