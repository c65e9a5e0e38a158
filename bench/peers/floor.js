// The floor: node:http, one HMAC and undici, without any framework.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { Pool } from 'undici'
import {
  alertUrl,
  card,
  help,
  history,
  MONITOR_API_URL,
  port,
  SLACK_API_URL,
  SLACK_BOT_TOKEN,
  SLACK_SIGNING_SECRET,
  tokens,
} from './shared.js'

const api = new URL(SLACK_API_URL)
const slack = new Pool(api.origin)
const service = new Pool(new URL(MONITOR_API_URL).origin)

function isSigned({ headers }, body) {
  const timestamp = headers['x-slack-request-timestamp']
  const given = Buffer.from(headers['x-slack-signature'] ?? '')
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false
  const hash = createHmac('sha256', SLACK_SIGNING_SECRET).update(`v0:${timestamp}:`).update(body)
  const expected = Buffer.from(`v0=${hash.digest('hex')}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

async function post(message) {
  const { body } = await slack.request({
    path: `${api.pathname}chat.postMessage`,
    method: 'POST',
    headers: {
      authorization: `Bearer ${SLACK_BOT_TOKEN}`,
      'content-type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify(message),
  })
  const answer = await body.json()
  if (!answer.ok) throw new Error(`Slack answered ${answer.error}`)
  return answer
}

async function show(command, key) {
  const { pathname, search } = new URL(alertUrl(key))
  const { statusCode, body } = await service.request({
    path: pathname + search,
    method: 'GET',
    headers: { authorization: `Bearer ${tokens.get(command.get('user_id'))}` },
  })
  if (statusCode !== 200) throw new Error(`the service answered ${statusCode}`)
  const alert = await body.json()
  const { channel, ts } = await post({
    channel: command.get('channel_id'),
    ...card(alert, command.get('user_name')),
  })
  await post({ channel, thread_ts: ts, ...history(alert) })
}

async function take(body, response) {
  const form = new URLSearchParams(body.toString())
  const payload = form.get('payload')
  if (payload !== null) {
    const isKnown = JSON.parse(payload).actions[0].action_id === 'alert.more'
    return response.writeHead(isKnown ? 200 : 404).end()
  }
  const key = form.get('text')
  if (key === 'help') return response.writeHead(200, { 'content-type': 'text/plain' }).end(help)
  response.writeHead(200).end()
  await show(form, key)
}

const server = createServer((request, response) => {
  if (request.url === '/healthz') return response.writeHead(200).end('ok')
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    if (isSigned(request, body)) return take(body, response)
    response.writeHead(401).end()
  })
})
server.listen(port, '127.0.0.1', () => console.log(`listening ${server.address().port}`))
