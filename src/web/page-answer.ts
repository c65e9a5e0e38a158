// What pages of ours have in common: an answer that nobody keeps or frames, with no script in it, and a cookie's way back.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pagePolicy, plainPage } from './html.ts'

export interface PageAnswer {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

const always = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': pagePolicy,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
}
/** After these a browser has no reason to come back soon, and a stranger gets no connection to keep. */
const lastAnswers = new Set([404, 413, 415, 429])
const onlySecure = { 'strict-transport-security': 'max-age=31536000' }

/**
 * Answers once; what comes after that is dropped.
 * @param publicUrl - Where browsers reach the page.
 */
export function sendPage(
  response: ServerResponse,
  publicUrl: string,
  { status, body, headers = {} }: PageAnswer,
): void {
  if (response.headersSent || response.destroyed) return
  // What was not read of a request must not be taken for the next one.
  if (!response.req.complete || lastAnswers.has(status)) response.setHeader('connection', 'close')
  const secure = publicUrl.startsWith('https:') ? onlySecure : {}
  response.writeHead(status, { ...always, ...secure, ...headers }).end(body)
}

/** To whoever comes too often. */
export const tooOften: PageAnswer = {
  status: 429,
  body: plainPage('Too many requests', 'Wait a minute, then load this page again.'),
  headers: { 'retry-after': '60' },
}

/** What the browser keeps under this name. */
export function cookieIn({ headers }: IncomingMessage, name: string): string | undefined {
  const cookies = (headers.cookie ?? '').split(';').map((one) => one.trim())
  return cookies.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1)
}
