// Reads what a browser's form sends, and no more of it than a form of ours can be.
import type { IncomingMessage } from 'node:http'
import type { BodyBudget } from '../http/body-budget.ts'
import { readBody } from '../http/read-body.ts'

export type FormBody =
  | { readonly kind: 'form'; readonly fields: URLSearchParams }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'other-type' }

/** Rejects when the connection breaks. What is not read has to be answered with an end of the connection. */
export async function readForm(
  request: IncomingMessage,
  mostBytes: number,
  bodies: BodyBudget,
): Promise<FormBody> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';', 1)
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') return { kind: 'other-type' }
  const body = await readBody(request, mostBytes, bodies)
  if (body === undefined) return { kind: 'too-large' }
  return { kind: 'form', fields: new URLSearchParams(body.toString('utf8')) }
}
