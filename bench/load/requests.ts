// Requests as Slack sends them, signed and ready to be written to a socket; and those of a bot that is none.
import { createHmac, randomUUID } from 'node:crypto'
import { moreAction, renderCard } from '../../src/alert/render/card.ts'
import { alertSchema, parseAs } from '../../src/monitor/schema.ts'
import {
  type BenchPerson,
  botToken,
  botUserId,
  channelId,
  signingSecret,
  teamId,
} from '../stand-ins/names.ts'
import { alertText } from '../stand-ins/service.ts'

let triggers = 0

/** Each its own: the bot does the same request but once. */
function nextTrigger(): string {
  triggers += 1
  return `7000000000000.${triggers}.${triggers.toString(16).padStart(32, '0')}`
}

function signed(body: string): string {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const hash = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex')
  return [
    'POST /slack/events HTTP/1.1',
    'Host: bellhop.example.com',
    'User-Agent: Slackbot 1.0 (+https://api.slack.com/robots)',
    'Accept: application/json,*/*',
    'Accept-Encoding: gzip,deflate',
    `X-Slack-Request-Timestamp: ${timestamp}`,
    `X-Slack-Signature: v0=${hash}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

/** `/alert <text>`. Good for five minutes. */
export function commandRequest(
  text: string,
  { userId, name }: BenchPerson,
  responseUrl: string,
): string {
  const form = new URLSearchParams({
    token: 'bench-verification-token',
    team_id: teamId,
    team_domain: 'bench',
    channel_id: channelId,
    channel_name: 'on-call',
    user_id: userId,
    user_name: name,
    command: '/alert',
    text,
    api_app_id: 'A0BENCH01',
    is_enterprise_install: 'false',
    response_url: responseUrl,
    trigger_id: nextTrigger(),
  })
  return signed(form.toString())
}

const card = renderCard(
  {
    severityNames: ['EMERGENCY', 'ALERT', 'CRITICAL'],
    alertUrl: 'https://monitoring.example.com/alert/{ks}',
    hasAllOperations: true,
    watch: { intervalMs: 30_000 },
  },
  {
    id: randomUUID(),
    alert: parseAs(alertSchema, alertText('bench-0')),
    askerName: 'person001',
    asOf: 1_700_000_000,
    isPrivate: false,
    channelId: undefined,
  },
)

/** The card that is pressed, as Slack shows it to the bot. */
const message = {
  type: 'message',
  user: botUserId,
  bot_id: 'B0BENCH01',
  app_id: 'A0BENCH01',
  team: teamId,
  ts: '1700000000.000001',
  ...card,
}

/** Stand in the body for what is different in each. */
const marks = {
  user: 'MARKUSER',
  name: 'MARKNAME',
  trigger: 'MARKTRIGGER',
  url: 'MARKURL',
} as const

/** Made once: writing out a whole card costs more than signing it. */
const pressBody = new URLSearchParams({
  payload: JSON.stringify({
    type: 'block_actions',
    user: { id: marks.user, username: marks.name, name: marks.name, team_id: teamId },
    api_app_id: 'A0BENCH01',
    token: 'bench-verification-token',
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: channelId,
      is_ephemeral: false,
    },
    trigger_id: marks.trigger,
    team: { id: teamId, domain: 'bench' },
    enterprise: null,
    is_enterprise_install: false,
    channel: { id: channelId, name: 'on-call' },
    message,
    state: { values: {} },
    response_url: marks.url,
    actions: [
      {
        type: 'overflow',
        action_id: moreAction,
        block_id: 'b1',
        selected_option: {
          text: { type: 'plain_text', text: 'Open in monitoring', emoji: true },
          value: `open ${randomUUID()} -`,
        },
        action_ts: '1700000000.123456',
      },
    ],
  }),
}).toString()

/** *Open in monitoring* in a card's menu, which a bot has only to ack. Good for five minutes. */
export function pressRequest({ userId, name }: BenchPerson, responseUrl: string): string {
  const body = pressBody
    .replace(marks.user, userId)
    .replaceAll(marks.name, name)
    .replace(marks.trigger, nextTrigger())
    .replace(marks.url, encodeURIComponent(responseUrl))
  return signed(body)
}

/** The alert, as a bot reads it. */
export function alertRequest(key: string, token: string): string {
  return [
    `GET /alert/${key}?actions=kind,timestamp,data HTTP/1.1`,
    'Host: monitoring.example.com',
    `Authorization: Bearer ${token}`,
    '',
    '',
  ].join('\r\n')
}

/** A message of a card's size, as latin1 like everything that is written to a socket. */
const cardBody = Buffer.from(JSON.stringify({ channel: channelId, ...card })).toString('latin1')

/** @param threadTs - The card's, for the reply in its thread. */
export function postRequest(key: string, threadTs: string | undefined): string {
  const thread = threadTs === undefined ? '' : `"thread_ts":"${threadTs}",`
  const body = `{${thread}${cardBody.slice(1).replaceAll('bench-0', key)}`
  return [
    'POST /api/chat.postMessage HTTP/1.1',
    'Host: slack.com',
    `Authorization: Bearer ${botToken}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}
