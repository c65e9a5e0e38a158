// Actions of an alert in words: who did what, and the rest of their data behind it. Pure.
import type { Action, Data } from '../../monitor/schema.ts'
import { type Names, personNamed } from '../../names/names.ts'

/** `what` happened, and the rest of the action's data behind it. Raw text. */
export interface ActionWords {
  readonly what: string
  readonly details: string
}

/** Stands for whoever it was where no name is known: a number is nobody’s name. */
const somebody = 'Somebody'

/** Who did it; undefined where the service doesn’t say. Raw. */
function actorOf({ userId }: Data, names: Names): string | undefined {
  if (!isSomebody(userId)) return undefined
  return personNamed(names, userId) ?? somebody
}

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
    .map(([name, raw]) => `${name}: ${value(raw)}`)
    .join(' · ')
}

function sentence(data: Data, what: string, used: readonly string[]): ActionWords {
  const said = typeof data.message === 'string' && data.message !== '' ? `“${data.message}”` : ''
  const others = rest(data, [...used, ...(typeof data.message === 'string' ? ['message'] : [])])
  return { what, details: [said, others].filter((part) => part !== '').join(' · ') }
}

function assign(data: Data, names: Names): ActionWords {
  const by = actorOf(data, names)
  const owner = data.ownerId
  const used = ['userId', 'ownerId']
  if (owner === null) return sentence(data, by === undefined ? 'Unassigned' : `${by} unassigned it`, used)
  if (by !== undefined && data.userId === owner) return sentence(data, `${by} took it`, used)
  const what = by === undefined ? 'Assigned' : `${by} assigned it`
  const name = personNamed(names, owner)
  if (name !== undefined) return sentence(data, `${what} to ${name}`, used)
  return sentence(data, what, isSomebody(owner) ? used : ['userId'])
}

/** Somebody with a name is quoted: “Alice Archer: “Old logs.”” */
function comment(data: Data, names: Names): ActionWords {
  const by = actorOf(data, names)
  if (by === undefined) return sentence(data, 'Comment', [])
  const isQuote = by !== somebody && typeof data.message === 'string' && data.message !== ''
  return sentence(data, isQuote ? by : `${by} commented`, ['userId'])
}

function close(data: Data, names: Names): ActionWords {
  const by = actorOf(data, names)
  return by === undefined ? sentence(data, 'Closed', []) : sentence(data, `${by} closed it`, ['userId'])
}

/** A call names what was called first, without a name for that. */
function integration({ integration: called, ...others }: Data): string {
  const isNamed = typeof called === 'string' && called !== ''
  const facts = rest(isNamed ? others : { ...others, integration: called }, [])
  return [...(isNamed ? [called] : []), ...(facts === '' ? [] : [facts])].join(' · ')
}

/** How an action reads. Kinds that the contract does not name go by their own name. */
export function describe({ kind, data }: Action, names: Names): ActionWords {
  const fields = data ?? {}
  switch (kind) {
    case 'Assign':
      return assign(fields, names)
    case 'Comment':
      return comment(fields, names)
    case 'Close':
      return close(fields, names)
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

/** How an alert was closed, and what was said. Raw. */
export interface Closing {
  /** “Closed”, “Closed by Alice Archer”, “Closed automatically”. */
  readonly how: string
  /** Empty when nothing was said. */
  readonly words: string
}

/** Of an alert that is closed; also when no action says so. */
export function closingOf(actions: readonly Action[], names: Names): Closing {
  const last = actions.findLast(({ kind }) => closings.has(kind))
  if (last === undefined) return { how: 'Closed', words: '' }
  const { message, userId } = last.data ?? {}
  const by = personNamed(names, userId)
  const byWhom = by === undefined ? 'Closed' : `Closed by ${by}`
  return {
    how: last.kind === 'Close' ? byWhom : describe(last, names).what,
    words: typeof message === 'string' ? message.trim() : '',
  }
}
