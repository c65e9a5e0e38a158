// The parts that answers of the stand-in service are made of: refusals, chosen fields, bodies.
import type { z } from 'zod'
import { type Asked, parseJson, type Reply } from './wire/exchange.ts'

// The shape of error bodies is not shown in the contract, so nobody may rely on one: they differ on purpose.
export const refusals = {
  invalid: { status: 400, body: { error_msg: 'invalid request' } },
  noToken: { status: 401, body: 'Unauthorized' },
  forbidden: { status: 403, body: { status: 403, reason: ['insufficient permissions'] } },
  notFound: { status: 404, body: 'not found' },
  wrongMethod: { status: 405, body: null },
  tooManyAlerts: { status: 409, body: { error_msg: 'too many open alerts' } },
} as const

export const done: Reply = { status: 204, body: undefined }

/** @returns Undefined when the parameter is absent. An empty list names the field '', which is unknown. */
export function select<Name extends string>(
  { query }: Asked,
  parameter: 'fields' | 'actions',
  allowed: readonly Name[],
): readonly Name[] | undefined | 'unknown' {
  const list = new URLSearchParams(query).get(parameter)
  if (list === null) return undefined
  const names = list.split(',')
  const known = allowed.filter((name) => names.includes(name))
  return names.every((name) => known.some((field) => field === name)) ? known : 'unknown'
}

export function pick<Name extends string>(
  from: Readonly<Record<Name, unknown>>,
  names: readonly Name[],
) {
  return Object.fromEntries(names.map((name) => [name, from[name]]))
}

/** The body of a write, which takes no query. @returns Undefined when it is not as it has to be. */
export function bodyOf<Schema extends z.ZodType>(
  asked: Asked,
  schema: Schema,
): z.output<Schema> | undefined {
  if (asked.query !== '' || !/^application\/json\s*(;|$)/i.test(asked.contentType ?? ''))
    return undefined
  return schema.safeParse(parseJson(asked.text)).data
}

export function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
