// How a page of ours is answered: kept by nobody, framed by nobody, and with no script in it.
import type { ServerResponse } from 'node:http'
import { pagePolicy } from './html.ts'

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
  if (!response.req.complete) response.setHeader('connection', 'close')
  const secure = publicUrl.startsWith('https:') ? onlySecure : {}
  response.writeHead(status, { ...always, ...secure, ...headers }).end(body)
}

/** @param body - A page that says to wait a minute. */
export function tooOften(body: string): PageAnswer {
  return { status: 429, body, headers: { 'retry-after': '60' } }
}
