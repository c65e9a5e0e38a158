// Sends a reply, true or spoiled, over HTTP.
import type { ServerResponse } from 'node:http'
import type { Reply } from './exchange.ts'

export type Flaw = 'not-json' | 'wrong-type' | 'missing-field'

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
    .writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(text),
      ...headers,
    })
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

/** An answer outside the contract: one alert, or everything in a list. */
export function spoil({ body }: Reply, flaw: Flaw): Reply {
  if (flaw === 'not-json') return { status: 200, body: '<html>Everything is fine.</html>' }
  return {
    status: 200,
    body: Array.isArray(body) ? body.map((one) => spoilOne(one, flaw)) : spoilOne(body, flaw),
  }
}

function spoilOne(body: unknown, flaw: Flaw): unknown {
  const one: Record<string, unknown> = typeof body === 'object' ? { ...body } : {}
  // What is no alert has an id instead.
  const [severity, message] = 'id' in one ? ['id', 'name'] : ['severity', 'lastMessage']
  if (flaw === 'wrong-type') one[severity] = 'high'
  if (flaw === 'missing-field') delete one[message]
  return one
}

function render(body: unknown): { type: string; text: string } {
  if (typeof body === 'string') return { type: 'text/plain; charset=utf-8', text: body }
  return { type: 'application/json', text: JSON.stringify(body) }
}
