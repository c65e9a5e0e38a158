// Actions of an alert in words: who did what, and the rest of their data behind it. Pure.
import { type Action, type Data, leftOut } from '../../monitor/schema.ts'

/** `what` happened, and the rest of the action's data behind it. Raw text. */
export interface ActionWords {
  readonly what: string
  readonly details: string
}

function user(id: unknown): string | undefined {
  return typeof id === 'number' || typeof id === 'string' ? `user ${id}` : undefined
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
  const by = user(data.userId)
  const owner = data.ownerId
  const used = ['userId', 'ownerId']
  if (owner === null) return sentence(data, by ? `${by} unassigned it` : 'Unassigned', used)
  if (by !== undefined && data.userId === owner) return sentence(data, `${by} took it`, used)
  const to = user(owner)
  if (to === undefined) return sentence(data, by ? `${by} assigned it` : 'Assigned', ['userId'])
  return sentence(data, by ? `${by} assigned it to ${to}` : `Assigned to ${to}`, used)
}

/** How an action reads. Kinds that the contract does not name go by their own name. */
export function describe({ kind, data }: Action): ActionWords {
  const fields = data ?? {}
  const by = user(fields.userId)
  switch (kind) {
    case 'Assign':
      return assign(fields)
    case 'Comment':
      return sentence(fields, by ? `${by} commented` : 'Comment', by ? ['userId'] : [])
    case 'Close':
      return sentence(fields, by ? `${by} closed it` : 'Closed', by ? ['userId'] : [])
    case 'AutoClose':
      return sentence(fields, 'Closed automatically', [])
    case 'IndirectClose':
      return sentence(fields, 'Closed along with another', [])
    case 'IntegrationCall':
      return { what: 'Integration called', details: rest(fields, []) }
    default:
      return { what: kind, details: rest(fields, []) }
  }
}

const closings: ReadonlySet<string> = new Set(['Close', 'AutoClose', 'IndirectClose'])

/** By whom or what an alert was closed, in words; undefined when no action says so. */
export function closing(actions: readonly Action[]): string | undefined {
  const last = actions.findLast(({ kind }) => closings.has(kind))
  return last && describe(last).what
}
