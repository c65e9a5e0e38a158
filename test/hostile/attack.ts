// Sends very many signed requests over a few kept connections, and counts how they were answered.
import { Pool } from 'undici'
import { isRecord, type Json } from '../../playground/slack/model/json.ts'
import { signedHeaders } from '../signed-request.ts'
import type { Kind } from './recorded.ts'

export interface Sent {
  readonly body: string
  readonly headers: Record<string, string>
}

/** In bytes: what is larger is refused. */
const largest = 512 * 1024

const form = 'application/x-www-form-urlencoded'

/** As Slack writes a request of this kind down. Every third object says something twice. */
export function written(
  kind: Kind,
  payload: Json,
  index: number,
): { readonly type: string; readonly body: string } {
  if (kind === 'slash_commands' || kind === 'ssl_check') {
    const fields = Object.entries(payload).flatMap(([name, value]): [string, string][] => {
      const said = typeof value === 'string' ? value.toWellFormed() : textOf(value)
      return index % 3 === 0 && name.length % 4 === index % 4
        ? [
            [name, said],
            [name, 'again'],
          ]
        : [[name, said]]
    })
    return { type: form, body: String(new URLSearchParams(fields)) }
  }
  const json = textOf(payload)
  const twice = index % 3 === 0 ? json.replace('{', `{"type":"again","user":null,`) : json
  if (kind.startsWith('event') || kind === 'url_verification')
    return { type: 'application/json', body: twice }
  return { type: form, body: String(new URLSearchParams({ payload: twice })) }
}

function textOf(value: unknown): string {
  return isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : String(value)
}

/** @returns How many answers had which status. */
export async function attack(
  url: string,
  secret: string,
  requests: Iterable<{ readonly type: string; readonly body: string }>,
  after: (index: number) => void = () => undefined,
): Promise<Readonly<Record<number, number>>> {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections: 24 })
  const counts: Record<number, number> = {}
  const left = requests[Symbol.iterator]()
  let index = 0

  async function statusOf(request: { path: string; headers: Record<string, string>; body: string }) {
    try {
      const answer = await pool.request({ ...request, method: 'POST' })
      await answer.body.dump()
      return answer.statusCode
    } catch (error) {
      // Refused before all of it was sent: the answer may be lost with the connection.
      const isCut = isRecord(error) && (error.code === 'EPIPE' || error.code === 'ECONNRESET')
      if (isCut && Buffer.byteLength(request.body) > largest) return 413
      throw error
    }
  }

  async function sendOn(): Promise<void> {
    for (let next = left.next(); !next.done; next = left.next()) {
      const { type, body } = next.value
      const timestamp = String(Math.floor(Date.now() / 1000))
      const headers = { 'content-type': type, ...signedHeaders(body, secret, timestamp) }
      const status = await statusOf({ path: pathname, headers, body })
      counts[status] = (counts[status] ?? 0) + 1
      index += 1
      after(index)
    }
  }
  await Promise.all(Array.from({ length: 24 }, sendOn))
  await pool.close()
  return counts
}
