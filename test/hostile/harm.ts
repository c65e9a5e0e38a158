// Harm that must not come of hostile requests: each is named in words, and none is what a test wants to hear.
import { type Json, record } from '../../playground/slack/model/json.ts'
import { flags } from '../../src/grant/roles.ts'
import type { HostileWorld } from './hostile-world.ts'

/** Of the operator's presets, as they stand without settings. */
const viewer = ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG']

type Asked = HostileWorld['service']['requests'][number]

const addresses: readonly RegExp[] = [
  /^GET \/alert\/[^/]+$/,
  /^PUT \/alert\/[^/]+\/(?:assign|message|close)$/,
  /^GET \/asset\/\d{1,15}\/alerts$/,
  /^GET \/container\/(?:id|[1-9]\d{0,14}(?:\/(?:users|alerts|permissions))?)$/,
  /^POST \/container\/[1-9]\d{0,14}\/user$/,
]

/** Requests to the service that leave the addresses it has. */
export function strayPaths(requests: readonly Asked[]): readonly string[] {
  const paths = requests.map(({ method, path }) => `${method} ${path}`)
  return paths.filter(
    (path) =>
      !addresses.some((address) => address.test(path)) || /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path),
  )
}

/** Grants that nobody has typed: of an address, container or flag that stands in none of the requests together. */
export function untyped(requests: readonly Asked[], sent: () => Iterable<Json>): readonly string[] {
  const grants = new Map(
    requests
      .filter(({ method }) => method === 'POST')
      .map(
        ({ path, body }) => [JSON.stringify([path, body]), { path, body: record(body) }] as const,
      ),
  )
  const texts: string[] = []
  for (const payload of grants.size === 0 ? [] : sent()) {
    const text = JSON.stringify(payload)
    if (text.includes('@')) texts.push(text)
  }
  return [...grants].flatMap(([what, { path, body }]) => {
    const { email, permissions, authProvider, member, ...more } = body
    const container = path.split('/')[2] ?? ''
    const isTyped = texts.some(
      (text) =>
        text.includes(JSON.stringify(email).slice(1, -1)) &&
        text.includes(container) &&
        hasFlags(text, permissions) &&
        (authProvider === undefined ||
          text.toLowerCase().includes(String(authProvider).toLowerCase())) &&
        (member === undefined || text.includes('member')),
    )
    return isTyped && Object.keys(more).length === 0 ? [] : [what]
  })
}

/** Writes about alerts that nobody has typed: of a key, or with a word, that stands in none of the requests together. */
export function unasked(requests: readonly Asked[], sent: () => Iterable<Json>): readonly string[] {
  const writes = requests.filter(({ method }) => method === 'PUT')
  const words = new Map(
    writes.map(({ path, body }) => [JSON.stringify([path, body]), wordsOf(path, body)]),
  )
  const left = new Set([...words.values()].flat())
  for (const payload of words.size === 0 ? [] : sent()) {
    const text = JSON.stringify(payload)
    for (const word of left) if (text.includes(word)) left.delete(word)
  }
  return [...words]
    .filter(([, these]) => these.some((word) => left.has(word)))
    .map(([write]) => write)
}

/** The key, and what the body says, without what Slack or JSON may write in another way. */
function wordsOf(path: string, body: Asked['body']): readonly string[] {
  const { message = '' } = record(body)
  return `${decodeURIComponent(path.split('/')[2] ?? '')} ${message}`.match(/[a-z0-9]{2,}/gi) ?? []
}

function hasFlags(text: string, permissions: unknown): boolean {
  if (!Array.isArray(permissions)) return false
  const words = text.toUpperCase().replaceAll('-', '_')
  return permissions.every(
    (flag) =>
      flags.includes(flag) &&
      (words.includes(flag) || (words.includes('VIEWER') && viewer.includes(flag))),
  )
}

/** What Slack says of ids that are nobody's: that is no fault of the bot. */
const refusals =
  /^[\w.]+: (?:\w*(?:not_found|trigger_id|_url)|not_in_channel|not_slack|invalid_arguments|cannot_reply_to_message)$/

/** Lines that say that something went wrong in the bot itself. */
export function faults(log: ReturnType<HostileWorld['log']>): readonly string[] {
  return log
    .filter(({ level, err }) => level === 'error' && !refusals.test(err?.message ?? ''))
    .map((line) => JSON.stringify(line))
}
