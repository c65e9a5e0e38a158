// Owners of requests: whose doing each was, with a bot that does as the test says and a clock that the test turns.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MonitorService, startMonitor } from '../../../playground/monitor/start-monitor.ts'
import { Happenings } from '../../../playground/server/happenings/happenings.ts'
import { createMask } from '../../../playground/server/happenings/mask.ts'
import type { Channel } from '../../../playground/slack/model/model.ts'
import type { Person } from '../../../playground/slack/person/person.ts'
import type { SeenMessage } from '../../../playground/slack/person/seen.ts'
import { allOver, lines } from '../page-server-world.ts'
import { type BareBot, object, startBareBot } from '../slack-bot.ts'

/** What Slack tells the bot of. */
const told = {
  botScopes: ['commands', 'chat:write', 'app_mentions:read', 'im:history', 'links:read', 'links:write'],
  unfurlDomains: ['alerts.example.com'],
}

let now: number
let bot: BareBot
let service: MonitorService
let happenings: Happenings
let alice: Person
let bob: Person
let general: Channel

beforeEach(async () => {
  now = 1_700_000_000_000
  const clock = () => now
  bot = await startBareBot({ clock, ackMs: 100, ...told })
  service = await startMonitor({ clock })
  alice = bot.slack.addPerson({ name: 'alice' })
  bob = bot.slack.addPerson({ name: 'bob' })
  general = bot.slack.addChannel({ name: 'general', botIsMember: true })
  happenings = new Happenings({ slack: bot.slack, service, mask: createMask([]) })
})

afterEach(async () => {
  await Promise.all([bot.stop(), service.stop()])
})

/** Types it; the fields that the bot was sent. */
async function types(person: Person, line: string): Promise<Readonly<Record<string, unknown>>> {
  await happenings.during(`${person.name} typed ${line}`, () => person.types(line, general))
  return bot.heard.at(-1)?.fields ?? {}
}

/** Writes it, into a thread when a message is given. */
async function writes(person: Person, line: string, where: Channel | SeenMessage): Promise<void> {
  await happenings.whenHeard(`${person.name} wrote ${line}`, () => person.writes(line, where))
}

/** What happened under this heading, in one line a request. */
function of(what: string): string[] {
  return lines(happenings.list().find((one) => one.what === what)?.steps ?? [])
}

describe('what people write', () => {
  it('is told when the bot hears of it, and only then', async () => {
    await writes(alice, 'Good morning', general)
    await writes(alice, 'alert x', alice.dm)

    expect(happenings.list().map(({ what }) => what)).toEqual(['alice wrote alert x'])
    expect(of('alice wrote alert x')).toEqual(['slack → bot event message.im ack'])
  })
})

describe('the bot by itself', () => {
  it('is whoever writes long after, unless it names what it answers', async () => {
    const { response_url: url } = await types(alice, '/alert x')
    await allOver(happenings)
    now += 61_000

    await bot.respond(url, { text: 'at last' })
    await allOver(happenings)
    now += 61_000
    await bot.call('chat.postMessage', { channel: alice.dm.id, text: 'by the way' })

    expect(of('alice typed /alert x')).toEqual(['slack → bot /alert ack', 'bot → slack response_url ok'])
    expect(of('Bellhop on its own')).toEqual(['bot → slack chat.postMessage ok'])
  })
})

describe('while somebody else did something since', () => {
  it('what names the command belongs to it', async () => {
    const { trigger_id, response_url: url } = await types(alice, '/alert x')
    await types(bob, '/alert y')

    const opened = await bot.call('views.open', { trigger_id, view: modal })
    await bot.call('views.update', { view_id: object(opened.view).id, view: modal })
    await bot.respond(url, { text: 'done' })

    expect(of('alice typed /alert x').slice(1)).toEqual([
      'bot → slack views.open ok',
      'bot → slack views.update ok',
      'bot → slack response_url ok',
    ])
  })

  it('an answer in a thread belongs to whoever wrote there last', async () => {
    const { ts } = await bot.call('chat.postMessage', { channel: general.id, text: 'card' })
    const card = alice.messages(general).at(-1)
    if (!card) throw new Error('No card')
    await writes(alice, '@bellhop x', card)
    await types(bob, '/alert y')

    await bot.call('chat.postMessage', { channel: general.id, text: 'answer', thread_ts: ts })

    expect(of('alice wrote @bellhop x')).toEqual([
      'slack → bot event app_mention ack',
      'bot → slack chat.postMessage ok',
    ])
  })

  it('the service is asked for whoever’s token comes along', async () => {
    service.addToken({ token: 'a', name: 'alice', flags: [] })
    await types(alice, '/alert x')
    await types(bob, '/alert y')

    await fetch(`${service.url}/alert/x`, { headers: { authorization: 'Bearer a' } })

    expect(of('alice typed /alert x')).toContain('bot → service GET /alert/x 403')
  })
})

const label = (text: string) => ({ type: 'plain_text', text })
const modal = {
  ...{ type: 'modal', callback_id: 'x.form', title: label('Form') },
  submit: label('Go'),
  blocks: [{ type: 'section', text: label('Hello') }],
}
