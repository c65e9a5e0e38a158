// blocks.validate: the same judge as when something is sent.
// Source: docs.slack.dev/reference/methods/blocks.validate.
import { blockErrors } from '../check/blocks.ts'
import { viewErrors } from '../check/view.ts'
import { isRecord, type Json, record } from '../model/json.ts'
import { type Method, refuse, refuseWith, structured } from './method.ts'

const kinds = ['blocks', 'view', 'message'] as const

export const validate: Method = {
  name: 'blocks.validate',
  token: 'bot',
  scopes: [],
  required: [],
  optional: [...kinds],
  answer: (args) => {
    const given = kinds.filter((kind) => args[kind] !== undefined)
    const [kind] = given
    if (kind === undefined || given.length > 1) {
      return refuseWith('invalid_arguments', ['must provide exactly one of `blocks`, `view`, or `message`'])
    }
    const value = structured(args[kind])
    const errors = errorsOf(kind, value)
    return errors.length === 0 ? { ok: true } : refuse(`invalid_${kind}`, { errors: errors.map(pointed) })
  },
}

function errorsOf(kind: (typeof kinds)[number], value: unknown): string[] {
  if (kind === 'view') return viewErrors(value, record(value).type === 'home' ? 'home' : 'modal')
  const blocks = kind === 'message' && isRecord(value) ? value.blocks : value
  return blockErrors(blocks)
}

/** Pointers begin at what was given. */
function pointed(error: string): Json {
  const [, message = error, pointer = ''] = /^(.*) \[json-pointer:(.*)\]$/s.exec(error) ?? []
  return { code: 'failed_constraint', message, pointer: pointer.replace(/^\/view(?=\/|$)/, '') }
}
