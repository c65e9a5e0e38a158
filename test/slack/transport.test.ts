// Calls to Slack: each is told of once, whatever becomes of its answer.
import { createServer, type ServerResponse } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { readBody } from '../../src/http/http.ts'
import { connectToSlack, SlackClient } from '../../src/slack/client.ts'
import { keepLog } from '../keep-log.ts'

type Answer = (response: ServerResponse) => unknown

async function open(answer: Answer) {
  const server = createServer((_, response) => answer(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const apiUrl = `http://127.0.0.1:${port}/api/`
  const { log, lines } = keepLog()
  const connection = connectToSlack({ apiUrl, proxy: undefined, log })
  const client = new SlackClient('xoxb-1', connection)
  onTestFinished(async () => {
    await connection.destroy()
    server.close()
  })
  return { lines, client, ask: () => client.auth.test() }
}

const cut: Answer = (response) => {
  response.writeHead(200, { 'content-length': '100' }).write('{"ok":true,')
  setImmediate(() => response.destroy())
}

it.each<[string, Answer, string]>([
  ['that does what is asked', (response) => response.end('{"ok":true}'), 'ok'],
  ['that refuses', (response) => response.end('{"ok":false,"error":"no"}'), 'refused'],
  ['that asks to wait', (response) => response.writeHead(429, { 'retry-after': '1' }).end(), '429'],
  ['that asks to wait and not how long', (response) => response.writeHead(429).end(), '429'],
  ['that is none', (response) => response.end('<html>Sign in to the network</html>'), '200'],
  ['with a fault', (response) => response.writeHead(503).end(), '503'],
  ['that leads elsewhere', (response) => response.writeHead(302).end(), '302'],
  ['that hangs up', (response) => response.destroy(), 'none'],
  ['that is cut off in its answer', cut, 'none'],
])('a call to a Slack %s is told of once', async (_, answer, status) => {
  const { lines, ask } = await open(answer)
  await ask().catch(() => undefined)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ method: 'auth.test', status }])
})

it('as many calls are under way at once as there are to make', async () => {
  const many = 150
  const asked: ServerResponse[] = []
  const { ask } = await open((response) => {
    asked.push(response)
    if (asked.length === many) for (const one of asked) one.end('{"ok":true}')
  })
  expect(await Promise.all(Array.from({ length: many }, ask))).toHaveLength(many)
})

it('arguments go as a form: blocks in it as JSON, half a character as one that can be sent', async () => {
  const { client } = await open(async (response) => {
    const body = await readBody(response.req, 1_000)
    response.end(
      JSON.stringify({ ok: true, sent: Object.fromEntries(new URLSearchParams(String(body))) }),
    )
  })
  const blocks = [{ type: 'divider' } as const]
  const posted = await client.chat.postMessage({
    channel: 'C1',
    text: 'a & b\ud83d',
    unfurl_links: false,
    blocks,
  })
  const sent = {
    channel: 'C1',
    text: 'a & b\ufffd',
    unfurl_links: 'false',
    blocks: JSON.stringify(blocks),
  }
  expect(posted).toMatchObject({ sent })
})
