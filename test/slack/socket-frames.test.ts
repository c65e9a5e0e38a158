// Frames on a socket, whatever they are: the bot lives on, and answers the next command.
import { afterAll, describe, expect, it } from 'vitest'
import { openWorld } from '../world.ts'

const diskFull = { ks: '5HkX', message: 'Disk full', severity: 2, timestamp: 1_700_000_000 } as const
const secret = 'secret-3f5a77'

const envelope = (more: object) => JSON.stringify({ envelope_id: 'e1', ...more })

const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`

const frames: readonly (readonly [what: string, frame: string | Buffer])[] = [
  ['null', 'null'],
  ['a list', '[]'],
  ['a number', '5'],
  ['a word', `"${secret}"`],
  ['nothing', ''],
  ['an empty object', '{}'],
  ['JSON that breaks off', `{"${secret}`],
  ['bytes', Buffer.from(secret)],
  ['without a payload', '{"type":"close"}'],
  ['of an error', '{"type":"error","error":{"msg":"Socket URL has expired","code":1}}'],
  ['an interaction without a payload', envelope({ type: 'interactive' })],
  ['a command without a payload', envelope({ type: 'slash_commands' })],
  ['an event without a payload', envelope({ type: 'events_api' })],
  ['an event whose payload is null', envelope({ type: 'events_api', payload: null })],
  ['an event whose payload is a word', envelope({ type: 'events_api', payload: secret })],
  ['an event without an event', envelope({ type: 'events_api', payload: { type: 'event_callback' } })],
  ['an event that is null', envelope({ type: 'events_api', payload: { event: null } })],
  ['an event nested very deep', `{"envelope_id":"e1","type":"events_api","payload":{"event":${deep}}}`],
  // Names that Slack's client gives to what happens to its socket.
  ...['close', 'disconnected', 'connected', 'error', 'ws_message', 'slack_event'].map(
    (type) => [`an event ${type}`, envelope({ type: 'events_api', payload: { event: { type } } })] as const,
  ),
]

describe('a frame that Bellhop does not expect', async () => {
  // One connection for all of them.
  const env = { RATE_PER_MINUTE: '0' }
  const { alice, service, slack, log } = await openWorld({ transport: 'socket', env, until: afterAll })
  service.addAlert(diskFull)

  it.each(frames)('is let pass: %s', async (what, frame) => {
    const channel = slack.addChannel({ name: what, members: [alice], botIsMember: true })
    const before = slack.socket.connections

    slack.socket.say(frame)
    await alice.types('/alert 5HkX', channel)

    await alice.sees('Disk full', channel)
    expect(slack.socket.connections).toBe(before)
    expect(log.filter((line) => JSON.parse(line).level === 'error')).toEqual([])
    expect(log.join('')).not.toContain(secret)
  })

  it('is acked when it is an event, so that Slack does not send it again and again', async () => {
    const answered = await slack.socket.send('events_api', { type: 'event_callback', event: secret }, 1_000)

    expect(answered.outcome).toBe('acked')
  })

  it('is not acked when somebody waits for it, so that Slack tells them', async () => {
    const { slack } = await openWorld({ transport: 'socket' })

    const answered = await slack.socket.send('slash_commands', { command: '/alert', text: secret }, 200)

    expect(answered.outcome).toBe('timeout')
  })
})

describe('events that Slack holds back', () => {
  it.each(['socket', 'http'] as const)('are acked and warned of, by %s', async (transport) => {
    const { slack, log } = await openWorld({ transport })

    const delivery = await slack.holdsBackEvents()

    expect(delivery).toMatchObject({ outcome: 'acked', status: 200 })
    const warnings = log.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn')
    expect(warnings).toMatchObject([{ workspaceId: slack.teamId, msg: expect.stringContaining('held back') }])
  })
})
