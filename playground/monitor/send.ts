// Sends a reply, true or spoiled, over HTTP.
import type { ServerResponse } from 'node:http'
import type { Reply } from './operations.ts'
import type { Flaw } from './trouble.ts'

export function send(
  res: ServerResponse,
  { status, body }: Reply,
  headers: Readonly<Record<string, string>> = {},
) {
  if (body === undefined) {
    res.writeHead(status, headers).end()
    return
  }
  const { type, text } = render(body)
  res
    .writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text), ...headers })
    .end(text)
}

/** Half of the answer, then nothing more. */
export function sendHalf(res: ServerResponse, { status, body }: Reply): void {
  if (body === undefined) {
    // Nothing to halve in a 204, so its head is.
    res.socket?.end(`HTTP/1.1 ${status} No Con`)
    return
  }
  const { type, text } = render(body)
  res.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) })
  res.write(text.slice(0, text.length / 2), () => res.destroy())
}

export function sendEndlessly(
  res: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
): void {
  const chunk = `${' '.repeat(64 * 1024 - 1)}\n`
  const more = () => {
    while (!res.destroyed && res.write(chunk)) {} // until the reader is slower
  }
  res
    .on('drain', more)
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .write('{"ks":"')
  more()
}

/** An alert outside the contract. */
export function spoil({ body }: Reply, flaw: Flaw): Reply {
  if (flaw === 'not-json') return { status: 200, body: '<html>Everything is fine.</html>' }
  const alert: Record<string, unknown> = typeof body === 'object' ? { ...body } : {}
  if (flaw === 'wrong-type') alert.severity = 'high'
  if (flaw === 'missing-field') delete alert.lastMessage
  return { status: 200, body: alert }
}

function render(body: unknown): { type: string; text: string } {
  if (typeof body === 'string') return { type: 'text/plain; charset=utf-8', text: body }
  return { type: 'application/json', text: JSON.stringify(body) }
}
