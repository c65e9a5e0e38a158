// “What happened” while an alert is watched: the bot reads it by itself all the time, and only what comes of that is told.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MonitorService, startMonitor } from '../../../playground/monitor/start-monitor.ts'
import { Happenings } from '../../../playground/server/happenings/happenings.ts'
import { createMask } from '../../../playground/server/happenings/mask.ts'
import type { Channel } from '../../../playground/slack/model/model.ts'
import type { Person } from '../../../playground/slack/person/person.ts'
import { allOver, lines } from '../page-server-world.ts'
import { type BareBot, startBareBot } from '../slack-bot.ts'

let now: number
let bot: BareBot
let service: MonitorService
let happenings: Happenings
let alice: Person
let bob: Person
let general: Channel
/** A live card that alice watches. */
let card: { readonly channel: string; readonly ts: string }

const live = (ks: string) => [
  {
    type: 'actions',
    elements: [{ type: 'button', action_id: 'watch.stop', text: plain('Stop watching'), value: 'card' }],
  },
  { type: 'context', elements: [plain(ks)] },
]

function plain(text: string) {
  return { type: 'plain_text', text }
}

beforeEach(async () => {
  now = 1_700_000_000_000
  const clock = () => now
  const botScopes = ['commands', 'chat:write', 'app_mentions:read', 'links:read']
  bot = await startBareBot({ clock, ackMs: 100, botScopes, unfurlDomains: ['alerts.example.com'] })
  service = await startMonitor({ clock })
  alice = bot.slack.addPerson({ name: 'alice' })
  bob = bot.slack.addPerson({ name: 'bob' })
  general = bot.slack.addChannel({ name: 'general', botIsMember: true })
  for (const { name } of [alice, bob]) service.addToken({ token: name, name, flags: ['API', 'READ'] })
  for (const ks of ['disk full', 'other']) service.addAlert({ ks })
  happenings = new Happenings({ slack: bot.slack, service, mask: createMask([]) })

  await types(alice, '/alert "disk full" watch')
  const posted = await bot.call('chat.postMessage', {
    channel: general.id,
    text: 'card',
    blocks: live('disk full'),
  })
  card = { channel: general.id, ts: String(posted.ts) }
  await allOver(happenings)
})

afterEach(async () => {
  await Promise.all([bot.stop(), service.stop()])
})

async function types(person: Person, line: string): Promise<void> {
  await happenings.during(`${person.name} typed ${line}`, () => person.types(line, general))
}

/** The bot reads an alert with somebody's token. */
async function reads(ks: string, whose: Person = alice): Promise<void> {
  now += 100
  await fetch(`${service.url}/alert/${encodeURIComponent(ks)}`, {
    headers: { authorization: `Bearer ${whose.name}` },
  })
}

async function updates(): Promise<void> {
  await bot.call('chat.update', { ...card, text: 'card', blocks: live('disk full') })
}

async function replies(): Promise<void> {
  await bot.call('chat.postMessage', { channel: card.channel, thread_ts: card.ts, text: 'New' })
}

/** Everything so far, in one line a heading and a request. */
function told(): string[] {
  return happenings.list().flatMap(({ what, steps }) => [what, ...lines(steps)])
}

/** What is told after the card was posted. */
function news(): string[] {
  return told().slice(asked.length)
}

const asked = [
  'alice typed /alert "disk full" watch',
  'slack → bot /alert ack',
  'bot → slack chat.postMessage ok',
]

describe('reads of a watched alert', () => {
  it('that lead to nothing are not told, however many, and keep nothing under way', async () => {
    for (let times = 0; times < 5; times += 1) await reads('disk full')

    expect(told()).toEqual(asked)
    expect(happenings.list().every(({ isUnderWay }) => !isUnderWay)).toBe(true)
  })

  it('are told with what they led to', async () => {
    for (let times = 0; times < 3; times += 1) await reads('disk full')
    await updates()
    await replies()
    await reads('disk full')
    await reads('disk full')
    await replies()

    expect(news()).toEqual([
      'Bellhop checked disk full',
      'bot → service GET /alert/disk%20full 200',
      'bot → slack chat.update ok',
      'bot → slack chat.postMessage ok',
      'Bellhop checked disk full',
      'bot → service GET /alert/disk%20full 200',
      'bot → slack chat.postMessage ok',
    ])
  })
})

describe('what people do meanwhile', () => {
  it('has its own read of the alert, and no more than that', async () => {
    await types(alice, '/alert "disk full"')
    await reads('disk full')
    await reads('disk full')

    expect(news()).toEqual([
      'alice typed /alert "disk full"',
      'slack → bot /alert ack',
      'bot → service GET /alert/disk%20full 200',
    ])
  })
})
