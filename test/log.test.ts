// The log: one JSON line an event, and no secret in any, wherever it was hidden.
import { LogLevel } from '@slack/bolt'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redact } from '../src/log.ts'
import { slackLogger } from '../src/slack/logger.ts'
import { keepLog } from './keep-log.ts'

const botToken = 'xoxb-1234-5678-AbCdEf'
const appToken = 'xapp-1-A0-123-abcdef0123'
const responseUrl = 'https://hooks.slack.com/commands/T1/123/AbCdEf'
const localResponseUrl = 'http://127.0.0.1:4000/commands/T1/123/AbCdEf'
const opaque = 'monitor-token-4711'

describe('a log line', () => {
  it('is JSON with time, level and message, and the error with its causes', () => {
    const { lines, log } = keepLog()
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    log.error({ err: new Error('no answer', { cause }), reference: 'r1' }, 'a request failed')
    log.info('hello')

    const [error, info] = lines.map((line) => JSON.parse(line))
    expect(error).toMatchObject({ level: 'error', msg: 'a request failed', reference: 'r1' })
    expect(error.err).toMatchObject({ type: 'Error', message: 'no answer', cause: { code: 'ECONNREFUSED' } })
    expect(error.time).toMatch(/^\d{4}-\d\d-\d\dT/)
    expect(info).toMatchObject({ level: 'info', msg: 'hello' })
  })

  it('below the level is not written', () => {
    const { lines, log } = keepLog('info')
    log.debug('a detail')
    expect(lines).toEqual([])
  })

  it.each([
    ['named', { token: opaque }],
    [
      'named otherwise',
      { botToken: opaque, api_token: opaque, signingSecret: opaque, client_secret: opaque },
    ],
    ['named in upper case', { SLACK_SIGNING_SECRET: opaque, Authorization: opaque, ENCRYPTION_KEYS: opaque }],
    ['deep down', { a: { b: { c: { d: { e: [{ authorization: `Bearer ${opaque}` }] } } } } }],
    ['in a list', { token: [opaque, opaque], response_urls: [responseUrl] }],
    ['with a quote in it', { token: `"${opaque}\\"${opaque}` }],
    ['in JSON in JSON in a string', { body: JSON.stringify({ payload: JSON.stringify({ token: opaque }) }) }],
    ['in JSON in a string', { body: JSON.stringify({ token: opaque, other: 1 }) }],
    ['in a form', { body: `team=T1&token=${opaque}&x=1` }],
    ['in a header', { headers: `authorization: Bearer ${opaque}` }],
    ['in a sentence', { text: `calling with Bearer ${opaque} failed` }],
    [
      'of Slack in a sentence',
      { text: `${botToken} and ${appToken} at ${responseUrl} or ${localResponseUrl}.` },
    ],
    ['in the address of a page', { text: `at https://b.example.com/connect/${opaque.padEnd(43, 'x')}?a` }],
    ['in an error', { err: new Error(`${botToken} is bad`, { cause: new Error(`so is ${appToken}`) }) }],
    [
      'hung on an error',
      {
        err: Object.assign(new Error('x'), {
          config: { headers: { Cookie: opaque } },
          body: `password: ${opaque}`,
        }),
      },
    ],
  ])('has no secret that is %s', (_, fields) => {
    const { lines, log } = keepLog()
    log.warn(fields, 'look')
    const [line = ''] = lines
    for (const secret of [opaque, botToken, appToken, 'AbCdEf']) expect(line).not.toContain(secret)
    expect(JSON.parse(line)).toMatchObject({ level: 'warn', msg: 'look' })
  })

  it('stays JSON, whatever is in it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.string(), (value, text, name) => {
        const { lines, log } = keepLog()
        log.info({ value, [`a ${name}token`]: text, token: text }, text)
        expect(() => JSON.parse(lines[0] ?? '')).not.toThrow()
      }),
    )
  })

  it('leaves ordinary words alone', () => {
    const plain =
      'Copy it from Basic Information; the token of dave@example.com is at https://slack.com/api/auth.test'
    expect(redact(plain)).toBe(plain)
  })

  it('of a hundred thousand characters costs no more than they do in a hundred lines', () => {
    const [part, parts] = [1_000, 100]
    const long = ['a', 'a-', 'x"', '\\"', 'token=', 'https://', '"token":"\\'].map((one) =>
      one.repeat((part * parts) / one.length),
    )
    const apart = cpuOf(() => {
      for (const one of long)
        for (let from = 0; from < one.length; from += part) redact(one.slice(from, from + part))
    })
    const whole = cpuOf(() => {
      for (const one of long) redact(one)
    })
    // Where it went by the square, it would be a hundred times as much.
    expect(whole).toBeLessThan(20 * (apart + coarseUs))
  })
})

/** Some systems count no finer. */
const coarseUs = 10_000

/** What this thread works for it, in microseconds: what else the machine does makes no difference. */
function cpuOf(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}

describe('the logger of Slack’s SDKs', () => {
  it('never goes below info, and writes words and errors only', () => {
    const { lines, log } = keepLog()
    const logger = slackLogger(log)
    logger.setLevel(LogLevel.DEBUG)
    logger.debug('payload', { state: opaque })
    logger.info('started', { state: { values: opaque } }, 3)
    logger.error(new Error(`bad ${botToken}`))

    expect(logger.getLevel()).toBe(LogLevel.INFO)
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['started [not shown] 3', 'bad [redacted]'])
    expect(lines.join('')).not.toContain(opaque)
    expect(lines.join('')).not.toContain(botToken)
  })

  it('can be made quieter', () => {
    const { lines, log } = keepLog()
    const logger = slackLogger(log)
    logger.setLevel(LogLevel.ERROR)
    logger.warn('careful')
    logger.error('broken')
    expect(lines).toHaveLength(1)
  })
})
