// A card's thread: marks of what it was told, a list, and the news that is not in it. Pure.
import { hash } from 'node:crypto'
import type { Action, Alert } from '../monitor/schema.ts'
import { cut } from '../slack/text/mrkdwn.ts'

/** How an alert stands, as a thread is told: its severity while it is open; 0 is the highest. */
export type Standing = number | 'closed'

/** What became of an alert since its thread was last told. */
export interface Change {
  readonly from: Standing
  readonly to: Standing
  /** Now. */
  readonly severity: number
  /** Now, shortened; raw. */
  readonly message: string
}

/** Last words of a reply. */
export interface Ending {
  /** Said once: tells one time of being live, or of not being read, from the next. */
  readonly id: string
  /** Raw. */
  readonly words: string
}

/** What a reply tells. */
export interface Reply {
  /** Oldest first. */
  readonly actions: readonly Action[]
  /** How the card ceased to be live, or that the alert cannot be read, when it says so. */
  readonly ending: Ending | undefined
  /** How the alert stands since. Undefined when that is as before. */
  readonly change: Change | undefined
}

const longestMessage = 200

/** Marks of a thread that begins with all of these actions. */
export function marksOf(alert: Alert, actions = alert.actions): readonly string[] {
  return [...actions.map(actionMark), `now ${standingOf(alert)}`]
}

/** What the thread does not know yet; undefined when it has it all. @param alert - Undefined when it could not be read. */
export function newsFor(
  told: readonly string[],
  alert: Alert | undefined,
  ending: Ending | undefined,
): Reply | undefined {
  const change = changeOf(told, alert)
  const actions = untold(alert?.actions ?? [], told)
  const isTold = ending === undefined || told.includes(`end ${ending.id}`)
  if (actions.length === 0 && isTold && !isVisible(change)) return undefined
  return { actions, ending: isTold ? undefined : ending, change }
}

/** Marks of a thread that has got this reply as well. Once an alert is open again, it may end again. */
export function toldWith(
  before: readonly string[],
  reply: Pick<Reply, 'actions' | 'ending' | 'change'> | undefined,
  alert: Alert | undefined,
): readonly string[] {
  const { actions = [], ending, change } = reply ?? {}
  const isKept = (mark: string) =>
    !mark.startsWith('now ') && !(change?.from === 'closed' && mark.startsWith('end '))
  const standing = alert === undefined ? standingTold(before) : standingOf(alert)
  return [
    ...before.filter(isKept),
    ...actions.map(actionMark),
    ...(ending === undefined ? [] : [`end ${ending.id}`]),
    ...(standing === undefined ? [] : [`now ${standing}`]),
  ]
}

/** Whether there is anything to say of it: that an alert was closed is said by its action, or by the card’s last words. */
export function isVisible(change: Change | undefined): change is Change {
  if (change === undefined) return false
  return change.from === 'closed' || change.from !== change.severity
}

/** True where those who watch are mentioned: it got worse, opened again or closed. */
export function isMentioned({ change }: Reply): boolean {
  if (change === undefined) return false
  const { from, to } = change
  return from === 'closed' || to === 'closed' || to < from
}

/** True where a channel that follows the container hears of it at its foot: it got worse, or is open again. */
export function isWorse({ change }: Reply): boolean {
  if (change === undefined || change.to === 'closed') return false
  return change.from === 'closed' || change.to < change.from
}

/** The service gives actions no id, so an action is known by all it holds. */
function actionMark({ kind, timestamp, data }: Action): string {
  const fields = Object.entries(data ?? {}).sort(([one], [other]) => (one < other ? -1 : 1))
  return hash('sha256', JSON.stringify([kind, timestamp, fields]), 'base64url').slice(0, 16)
}

function standingOf({ closedTimestamp, lastSeverity }: Alert): Standing {
  return closedTimestamp === null ? lastSeverity : 'closed'
}

/** How the alert stood when the thread was last told. */
function standingTold(told: readonly string[]): Standing | undefined {
  const mark = told.find((one) => one.startsWith('now '))?.slice('now '.length)
  return mark === undefined || mark === 'closed' ? mark : Number(mark)
}

/** Those that are not told, in their order. Equal actions count as often as they occur. */
function untold(actions: readonly Action[], told: readonly string[]): readonly Action[] {
  const left = Map.groupBy(told, (mark) => mark)
  return actions.filter((action) => left.get(actionMark(action))?.pop() === undefined)
}

/** Undefined when the alert stands as its thread was told. */
function changeOf(told: readonly string[], alert: Alert | undefined): Change | undefined {
  const from = standingTold(told)
  if (alert === undefined || from === undefined) return undefined
  const to = standingOf(alert)
  const message = cut(alert.lastMessage.replaceAll(/\s+/g, ' ').trim(), longestMessage)
  return from === to ? undefined : { from, to, severity: alert.lastSeverity, message }
}
