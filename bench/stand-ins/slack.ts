// A Slack that answers fast. It checks whose token it is, and where a message goes; the strict one is in the playground.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { readManifest } from '../../playground/server/manifest.ts'
import type { Books } from './books.ts'
import { createDelay } from './delays.ts'
import { listen } from './listen.ts'
import { botToken, botUserId, channelId, keyPattern, teamId } from './names.ts'

export type SlackStandIn = Awaited<ReturnType<typeof startSlackStandIn>>

const bot = { id: 'B0BENCH01', app_id: 'A0BENCH01', user_id: botUserId, name: 'bellhop' }
const view = { id: 'V0BENCH01', type: 'modal', hash: '1700000000.bench' }

/** What is asked besides messages, by method. */
const others: Readonly<Record<string, object>> = {
  'auth.test': {
    url: 'https://bench.slack.com/',
    team: 'Bench',
    team_id: teamId,
    user: 'bellhop',
    user_id: botUserId,
    bot_id: bot.id,
    is_enterprise_install: false,
  },
  'bots.info': { bot },
  'team.info': { team: { id: teamId, name: 'Bench', domain: 'bench' } },
  'users.info': { user: { id: 'U0BENCH001', team_id: teamId, name: 'person001', profile: {} } },
  'conversations.info': {
    channel: { id: channelId, name: 'bench', is_channel: true, is_member: true },
  },
  'chat.update': { channel: channelId, ts: '1700000000.000000', text: '' },
  'chat.postEphemeral': { message_ts: '1700000000.000000' },
  'views.open': { view },
  'views.update': { view },
  'views.publish': { view },
}

const answers = new Map(
  Object.entries(others).map(([method, fields]) => [
    method,
    JSON.stringify({ ok: true, ...fields }),
  ]),
)

/** As long as Slack's own for a small message. */
const posted = JSON.stringify({
  user: botUserId,
  type: 'message',
  bot_id: bot.id,
  app_id: bot.app_id,
  team: teamId,
  text: 'CRITICAL: Disk is filling up. Opened 2 h 14 min ago, last seen 3 min ago, assigned. Key bench-0.',
  bot_profile: {
    ...bot,
    icons: { image_36: 'https://a.slack-edge.com/80588/img/plugins/app/bot_36.png' },
  },
  blocks: [
    { type: 'section', block_id: 'b1', text: { type: 'mrkdwn', text: 'Disk is filling up' } },
  ],
})

/** One field of a form, as it was sent: ids and times need no decoding. */
function fieldOf(form: string, name: string): string | undefined {
  const start = form.startsWith(`${name}=`)
    ? name.length + 1
    : form.indexOf(`&${name}=`) + name.length + 2
  if (start === name.length + 1 && !form.startsWith(`${name}=`)) return undefined
  const end = form.indexOf('&', start)
  return form.slice(start, end === -1 ? undefined : end)
}

function fieldIn(body: string, isJson: boolean, name: string): string | undefined {
  return isJson ? new RegExp(`"${name}":"([^"]*)"`).exec(body)?.[1] : fieldOf(body, name)
}

export async function startSlackStandIn(books: Books) {
  const delay = createDelay()
  const scopes = readManifest().botScopes.join(',')
  let messages = 0

  function send(response: ServerResponse, text: string): void {
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'x-oauth-scopes': scopes,
    })
    response.end(text)
  }

  function post(request: IncomingMessage, body: string, response: ServerResponse): void {
    const isJson = request.headers['content-type']?.startsWith('application/json') === true
    const channel = fieldIn(body, isJson, 'channel')
    if (channel !== channelId) books.fail(`A message went to ${channel ?? 'no channel'}.`)
    if (!body.includes('blocks')) books.fail('A message had no blocks.')
    messages += 1
    const ts = `${1_700_000_000 + Math.floor(messages / 1e6)}.${String(messages % 1e6).padStart(6, '0')}`
    const threadTs = fieldIn(body, isJson, 'thread_ts')
    const done = books.posted({ key: keyPattern.exec(body)?.[0], ts, threadTs })
    delay.later(() => {
      send(response, `{"ok":true,"channel":"${channelId}","ts":"${ts}","message":${posted}}`)
      done()
    })
  }

  function take(request: IncomingMessage, body: string, response: ServerResponse): void {
    const path = request.url ?? ''
    const method = path.slice(path.lastIndexOf('/') + 1)
    if (path.startsWith('/commands/')) {
      delay.later(() => {
        response.writeHead(200, { 'content-length': 2 }).end('ok')
        // Who waits for seconds is told so; how long it took in the end is in the figures.
        if (body.includes('Still asking')) return
        books.fail(`Something was answered that nobody had asked: ${body.slice(0, 200)}`)
      })
      return
    }
    if (request.headers.authorization !== `Bearer ${botToken}`) {
      if (fieldOf(body, 'token') !== botToken)
        books.fail(`${method} came with another token than the bot's.`)
    }
    if (method === 'chat.postMessage') {
      post(request, body, response)
      return
    }
    const answer = answers.get(method)
    if (answer === undefined) books.fail(`Nobody has thought of ${method}.`)
    send(response, answer ?? '{"ok":false,"error":"unknown_method"}')
  }

  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('latin1')
    request.on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => take(request, body, response))
  })
  const { url, stop } = await listen(server)

  return {
    /** Ends with a slash. */
    apiUrl: `${url}/api/`,
    url,
    /** How long an answer takes, in milliseconds. */
    slow: delay.set,
    stop,
  }
}
