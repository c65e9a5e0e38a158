// Names in words: a person by their number at the service, and a container beside its number. Pure.
import { nameInLine } from '../slack/workspace/people.ts'
import type { Names } from './names.ts'

/** Of a longer name nobody reads more: it is shortened to far less. */
const mostRead = 120

/** `''` where it can't be read. */
function short(name: string): string {
  return nameInLine(name.slice(0, mostRead))
}

/** Of somebody by their number at the service, short and on one line; undefined where none is known. Raw. */
export function personNamed({ people }: Pick<Names, 'people'>, id: unknown): string | undefined {
  if (typeof id !== 'number') return undefined
  const key = String(id)
  const name = Object.hasOwn(people, key) ? people[key] : undefined
  return name === undefined ? undefined : short(name) || undefined
}

/** “Customer 1 (12)”; undefined where no name is known that can be read. Raw. */
export function containerNamed(
  container: { readonly id: number; readonly name: string | undefined } | undefined,
): string | undefined {
  const name = short(container?.name ?? '')
  return container === undefined || name === '' ? undefined : `${name} (${container.id})`
}
