// Marks of what the thread of a card was told: one for each of the alert's newest actions, `end …` for an ending, and
// `now …` for how the alert stood. Pure.
import { hash } from 'node:crypto'
import type { Action } from '../monitor/schema.ts'
import type { Ending, Reply, Standing } from './cards.ts'

/** Of an alert with more actions, only the newest count: Show earlier has the older ones. */
const mostTold = 2_000
/** Some more, as actions may vanish from the service's answer, and older ones count again then. */
const mostMarks = mostTold + 500
const mostEndings = 100

/** The service gives actions no id, so an action is known by all it holds. */
export function actionMark({ kind, timestamp, data }: Action): string {
  const fields = Object.entries(data ?? {}).sort(([one], [other]) => (one < other ? -1 : 1))
  return hash('sha256', JSON.stringify([kind, timestamp, fields]), 'base64url').slice(0, 16)
}

export function endingMark({ id }: Ending): string {
  return `end ${id}`
}

/** How the alert stood when the thread was last told. */
export function standingTold(told: readonly string[]): Standing | undefined {
  const mark = told.find((one) => one.startsWith('now '))?.slice('now '.length)
  return mark === undefined || mark === 'closed' ? mark : Number(mark)
}

/** The same marks, of an alert that stands so. */
export function withStanding(told: readonly string[], standing: Standing | undefined): readonly string[] {
  const others = told.filter((mark) => !mark.startsWith('now '))
  return standing === undefined ? others : [...others, `now ${standing}`]
}

/** Marks of a thread that begins with all of these actions. */
export function allTold(actions: readonly Action[]): readonly string[] {
  return actions.slice(-mostMarks).map(actionMark)
}

/** Marks of a thread that has got this reply as well. Once an alert is open again, it may end again. */
export function toldWith(
  before: readonly string[],
  { actions, ending, change }: Pick<Reply, 'actions' | 'ending' | 'change'>,
): readonly string[] {
  const ofActions = before.filter((mark) => !mark.includes(' '))
  const ofEndings = change?.from === 'closed' ? [] : before.filter((mark) => mark.startsWith('end '))
  return withStanding(
    [
      ...[...ofActions, ...actions.map(actionMark)].slice(-mostMarks),
      ...[...ofEndings, ...(ending === undefined ? [] : [endingMark(ending)])].slice(-mostEndings),
    ],
    change?.to ?? standingTold(before),
  )
}

/** Those that are not told, in their order. Equal actions count as often as they occur. */
export function untold(actions: readonly Action[], told: readonly string[]): readonly Action[] {
  const left = Map.groupBy(told, (mark) => mark)
  return actions.slice(-mostTold).filter((action) => left.get(actionMark(action))?.pop() === undefined)
}
