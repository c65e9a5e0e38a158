// Reasons that the service gives in the body of a refusal. Nobody has promised their shape, so what is odd is no reason.
import { z } from 'zod'
import { redact } from '../log/line.ts'

/** Longer bodies explain nothing to a person. */
export const longestBody = 4096

const words = z
  .union([z.string(), z.array(z.string()).nonempty()])
  .transform((said) => [said].flat().join(' '))
/** Where services are used to say why, in this order. */
const names = ['reason', 'error_msg', 'error', 'message', 'detail', 'description'] as const
const inField = z.union([words, z.object({ message: words }).transform(({ message }) => message)])
const field = inField.optional().catch(undefined)
const refusalSchema = z.object({
  reason: field,
  error_msg: field,
  error: field,
  message: field,
  detail: field,
  description: field,
} satisfies Record<(typeof names)[number], typeof field>)

const hidden = '[redacted]'
/** As the service makes them, whatever they stand beside. */
const anyToken = /[0-9a-f]{32,}/gi

/** Says no more than the status does. */
const empty =
  /^(?:(?:http|error|status|code|[45]\d\d|bad|invalid|request|forbidden|insufficient|permissions?|denied|access|unauthori[sz]ed|null|failed)(?:\W+|$))*$/i

/**
 * Reads why the service refused something: one line of raw text, for the owner of the token alone.
 * @param token - That the request carried. A service may repeat it.
 * @returns Undefined where the body says nothing that a person could use.
 */
export function reasonIn(body: string, token: string): string | undefined {
  const said = body.trimStart().startsWith('<') ? undefined : readBody(body)
  if (said === undefined) return undefined
  const line = said.replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ').trim()
  if (empty.test(line)) return undefined
  const withoutOwn = token === '' ? line : line.replaceAll(token, hidden)
  return redact(withoutOwn.replaceAll(anyToken, hidden))
}

function readBody(body: string): string | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    // Text; what begins like JSON is a part of it, or none.
    return /^\s*[[{]/.test(body) ? undefined : body
  }
  const text = words.safeParse(parsed)
  if (text.success) return text.data
  const refusal = refusalSchema.safeParse(parsed)
  if (!refusal.success) return undefined
  return names.map((name) => refusal.data[name]).find((said) => said !== undefined && !empty.test(said))
}
