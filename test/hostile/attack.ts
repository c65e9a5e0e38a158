// Sends very many signed requests over a few kept connections, and counts how they were answered.
import { Pool } from 'undici'
import type { Json } from '../../playground/slack/model/json.ts'
import { signedHeaders } from '../signed-request.ts'
import type { Kind } from './recorded.ts'

/** As Slack writes a request of this kind down. */
export function written(
  kind: Kind,
  payload: Json,
): { readonly type: string; readonly body: string } {
  const json = JSON.stringify(payload)
  if (kind.startsWith('event')) return { type: 'application/json', body: json }
  const fields = kind === 'slash_commands' ? payload : { payload: json }
  const said = Object.entries(fields).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  return { type: 'application/x-www-form-urlencoded', body: String(new URLSearchParams(said)) }
}

/** @returns How many answers had which status. */
export async function attack(
  url: string,
  secret: string,
  requests: Iterable<{ readonly type: string; readonly body: string }>,
): Promise<Readonly<Record<number, number>>> {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections: 24 })
  const counts: Record<number, number> = {}
  const left = requests[Symbol.iterator]()

  async function sendOn(): Promise<void> {
    for (let next = left.next(); !next.done; next = left.next()) {
      const { type, body } = next.value
      const timestamp = String(Math.floor(Date.now() / 1000))
      const headers = { 'content-type': type, ...signedHeaders(body, secret, timestamp) }
      const answer = await pool.request({ path: pathname, method: 'POST', headers, body })
      await answer.body.dump()
      counts[answer.statusCode] = (counts[answer.statusCode] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: 24 }, sendOn))
  await pool.close()
  return counts
}
