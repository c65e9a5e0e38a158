// Actions of an alert in words: who did what, and the rest of their data behind it. Pure.
import { type Action, type Data, leftOut } from '../../monitor/schema.ts'

/** `what` happened, and the rest of the action's data behind it. Raw text. */
export interface ActionWords {
  readonly what: string
  readonly details: string
}

/** Stands for whoever it was: the service tells a number, which is nobody’s name. */
const somebody = 'Somebody'

/** True where the service says who: a number, or a name of its own. */
function isSomebody(id: unknown): boolean {
  return typeof id === 'number' || typeof id === 'string'
}

function value(raw: unknown): string {
  return typeof raw === 'string' ? raw : JSON.stringify(raw)
}

/** What sentences did not use, as “name: value”. */
function rest(data: Data, used: readonly string[]): string {
  return Object.entries(data)
    .filter(([name, raw]) => !used.includes(name) && raw !== null && raw !== undefined)
    .map(([name, raw]) => (name === leftOut ? `and ${value(raw)} more` : `${name}: ${value(raw)}`))
    .join(' · ')
}

function sentence(data: Data, what: string, used: readonly string[]): ActionWords {
  const said = typeof data.message === 'string' && data.message !== '' ? `“${data.message}”` : ''
  const others = rest(data, [...used, ...(typeof data.message === 'string' ? ['message'] : [])])
  return { what, details: [said, others].filter((part) => part !== '').join(' · ') }
}

function assign(data: Data): ActionWords {
  const isBySomebody = isSomebody(data.userId)
  const owner = data.ownerId
  const used = ['userId', 'ownerId']
  if (owner === null) return sentence(data, isBySomebody ? `${somebody} unassigned it` : 'Unassigned', used)
  if (isBySomebody && data.userId === owner) return sentence(data, `${somebody} took it`, used)
  const what = isBySomebody ? `${somebody} assigned it` : 'Assigned'
  return sentence(data, what, isSomebody(owner) ? used : ['userId'])
}

/** A call names what was called first, without a name for that. */
function integration({ integration: called, ...others }: Data): string {
  const isNamed = typeof called === 'string' && called !== ''
  const facts = rest(isNamed ? others : { ...others, integration: called }, [])
  return [...(isNamed ? [called] : []), ...(facts === '' ? [] : [facts])].join(' · ')
}

/** How an action reads. Kinds that the contract does not name go by their own name. */
export function describe({ kind, data }: Action): ActionWords {
  const fields = data ?? {}
  const isBySomebody = isSomebody(fields.userId)
  const used = isBySomebody ? ['userId'] : []
  switch (kind) {
    case 'Assign':
      return assign(fields)
    case 'Comment':
      return sentence(fields, isBySomebody ? `${somebody} commented` : 'Comment', used)
    case 'Close':
      return sentence(fields, isBySomebody ? `${somebody} closed it` : 'Closed', used)
    case 'AutoClose':
      return sentence(fields, 'Closed automatically', [])
    case 'IndirectClose':
      return sentence(fields, 'Closed along with another alert', [])
    case 'IntegrationCall':
      return { what: 'Integration', details: integration(fields) }
    default:
      return { what: kind, details: rest(fields, []) }
  }
}

const closings: ReadonlySet<string> = new Set(['Close', 'AutoClose', 'IndirectClose'])

function lastClosing(actions: readonly Action[]): Action | undefined {
  return actions.findLast(({ kind }) => closings.has(kind))
}

/** By whom or what an alert was closed, in words; undefined when no action says so. */
export function closing(actions: readonly Action[]): string | undefined {
  const last = lastClosing(actions)
  return last && describe(last).what
}

/** How an alert was closed, and what was said. Raw. */
export interface Closing {
  /** “Closed”, “Closed automatically”. Who it was is not known. */
  readonly how: string
  /** Empty when nothing was said. */
  readonly words: string
}

/** Of an alert that is closed; also when no action says so. */
export function closingOf(actions: readonly Action[]): Closing {
  const last = lastClosing(actions)
  if (last === undefined) return { how: 'Closed', words: '' }
  const { message } = last.data ?? {}
  return {
    how: last.kind === 'Close' ? 'Closed' : describe(last).what,
    words: typeof message === 'string' ? message.trim() : '',
  }
}
