// The log: one JSON line an event, and no secret in any, wherever it was hidden.
import { LogLevel } from '@slack/bolt'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redact } from '../../src/log/log.ts'
import { slackLogger } from '../../src/slack/client.ts'
import { keepLog } from '../keep-log.ts'

const botToken = 'xoxb-1234-5678-AbCdEf'
const appToken = 'xapp-1-A0-123-abcdef0123'
const responseUrl = 'https://hooks.slack.com/commands/T1/123/AbCdEf'
const localResponseUrl = 'http://127.0.0.1:4000/commands/T1/123/AbCdEf'
const opaque = 'monitor-token-4711'
const serviceToken = '0123456789abcdef0123456789abcdef'

describe('a log line', () => {
  it('is JSON with time, level and message, and the error with its causes', () => {
    const { lines, log } = keepLog()
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    log.error({ err: new Error('no answer', { cause }), reference: 'r1' }, 'a request failed')
    log.info('hello')

    const [error, info] = lines.map((line) => JSON.parse(line))
    expect(error).toMatchObject({ level: 'error', msg: 'a request failed', reference: 'r1' })
    expect(error.err).toMatchObject({
      type: 'Error',
      message: 'no answer',
      cause: { code: 'ECONNREFUSED' },
    })
    expect(error.time).toMatch(/^\d{4}-\d\d-\d\dT/)
    expect(info).toMatchObject({ level: 'info', msg: 'hello' })
  })

  it.each([
    ['named', { token: opaque, authorization: opaque }],
    ['named one step down', { headers: { authorization: `Bearer ${opaque}`, cookie: opaque } }],
    ['named further down', { sent: { headers: [{ Cookie: opaque, secret: `"${opaque}\\` }] } }],
    ['named, with words behind it', { authorization: `Bearer x ${opaque}` }],
    ['in a header', { text: `authorization: Bearer ${opaque}` }],
    [
      'of Slack in a sentence',
      { text: `${botToken} and ${appToken} at ${responseUrl} or ${localResponseUrl}.` },
    ],
    [
      'in the address of a page',
      { text: `at https://b.example.com/connect/${opaque.padEnd(43, 'x')}?a` },
    ],
    ['as services make them', { text: `GET /alert?token=${serviceToken}` }],
    [
      'in an error',
      { err: new Error(`${botToken} is bad`, { cause: new Error(`so is ${appToken}`) }) },
    ],
    [
      'hung on an error',
      { err: Object.assign(new Error('x'), { config: { headers: { Cookie: opaque } } }) },
    ],
  ])('has no secret that is %s', (_, fields) => {
    const { lines, log } = keepLog()
    log.warn(fields, 'look')
    const [line = ''] = lines
    for (const secret of [opaque, botToken, appToken, serviceToken, 'AbCdEf'])
      expect(line).not.toContain(secret)
    expect(JSON.parse(line)).toMatchObject({ level: 'warn', msg: 'look' })
  })

  it('stays JSON, whatever is in it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        const { lines, log } = keepLog()
        log.info({ value, token: text, text: `${botToken}${text}`, list: [text] }, text)
        expect(() => JSON.parse(lines[0] ?? '')).not.toThrow()
      }),
    )
  })

  it.each([
    'Copy it from Basic Information; the token of dave@example.com is at https://slack.com/api/auth.test',
    'ENCRYPTION_KEYS: entry 2 of 3 is not base64 of 32 bytes.',
    'Slack refused it: token_expired, secret: none, password: wrong',
    'SLACK_BOT_TOKEN is not a bot token, which starts with xoxb-. Copy it from your app.',
    'One that starts with xoxe. expires: copy the app-level token (xapp-…).',
    'GET /alert/5HkX took 12 ms (request 3fb2db90)',
    'https://monitor.example.com/#/container/12/asset/345/alert/1700000000/cpu/usage',
    'https://acme.slack.com/archives/C0123456789/p1767225600000100?thread_ts=1767225600.000100',
    '{"auditRecords":3,"auditHead":"3:9qjRj83OQzcjCGy3Uq7bAo0zuwSi9RKOtWBLJcCa9dE"}',
  ])('leaves ordinary words alone: %s', (plain) => {
    expect(redact(plain)).toBe(plain)
  })
})

describe('the logger of Slack’s SDKs', () => {
  it('never goes below info, and writes words and errors only', () => {
    const { lines, log } = keepLog()
    const logger = slackLogger(log)
    logger.setLevel(LogLevel.DEBUG)
    logger.debug('payload', { state: opaque })
    logger.info('started', { state: { values: opaque } }, 3)
    logger.error(new Error(`bad ${botToken}`))

    expect(logger.getLevel()).toBe(LogLevel.INFO)
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'started [not shown] 3',
      'bad [redacted]',
    ])
    expect(lines.join('')).not.toContain(opaque)
    expect(lines.join('')).not.toContain(botToken)
  })
})
