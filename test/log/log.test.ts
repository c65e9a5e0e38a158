// The log: one JSON line an event, and no secret in any, wherever it was hidden.
import { LogLevel } from '@slack/bolt'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redact } from '../../src/log/line.ts'
import { slackLogger } from '../../src/slack/client/web-client.ts'
import { keepLog } from '../keep-log.ts'

const botToken = 'xoxb-1234-5678-AbCdEf'
const appToken = 'xapp-1-A0-123-abcdef0123'
const responseUrl = 'https://hooks.slack.com/commands/T1/123/AbCdEf'
const localResponseUrl = 'http://127.0.0.1:4000/commands/T1/123/AbCdEf'
const opaque = 'monitor-token-4711'

/** Names of settings, headers and fields, in every spelling that programs use. */
const secretName = fc
  .tuple(
    fc.constantFrom([], ['x'], ['monitor'], ['slack', 'bot'], ['my', 'oauth2']),
    fc.constantFrom(['api', 'token'], ['api', 'key'], ['access', 'token'], ['client', 'secret'], ['token']),
    fc.constantFrom('camel', 'pascal', 'kebab', 'snake', 'upper', 'header', 'together'),
  )
  .map(([before, last, spelling]) => {
    const words = [...before, ...last]
    const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)
    switch (spelling) {
      case 'camel':
        return words.map((word, index) => (index === 0 ? word : capital(word))).join('')
      case 'pascal':
        return words.map(capital).join('')
      case 'kebab':
        return words.join('-')
      case 'snake':
        return words.join('_')
      case 'upper':
        return words.join('_').toUpperCase()
      case 'header':
        return words.map(capital).join('-')
      default:
        return words.join('')
    }
  })

/** As services make them. */
const secretValue = fc.oneof(
  fc.uuid().map((one) => one.replaceAll('-', '')),
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
  fc.stringMatching(/^[a-z]{4,8}-token-\d[0-9a-f]{5}$/),
)

const tokenInPath = fc.oneof(
  fc.uuid().map((one) => `${one.replaceAll('-', '')}a1`),
  fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes) => Buffer.from(bytes).toString('base64url'))
    .filter((one) => /[a-z]/.test(one) && /[A-Z]/.test(one)),
)

const pieces = fc
  .array(
    fc.constantFrom(
      ...['token', 'x-api-key', 'cookie', ':', '=', ' ', ',', '"', "'", '\\', '\n', '{', '}', '[', ']'],
      ...['abc123def', '/connect/', 'x'.repeat(40), `/${'aB3'.repeat(12)}`],
    ),
    { maxLength: 12 },
  )
  .map((some) => some.join(''))

/** As such a name and its secret come into a line. */
function writings(name: string, secret: string): readonly string[] {
  return [
    `${name}: ${secret}`,
    `${name}:${secret}`,
    `${name}=${secret}`,
    `${name} = ${secret}`,
    `${name}: '${secret}'`,
    `${name}: "${secret}"`,
    `'${name}': '${secret}'`,
    `{ ${name}: '${secret}', more: 1 }`,
    `{"${name}":"${secret}"}`,
    `{"${name}" : "${secret}"}`,
    `sent ${name}: ${secret}, and more`,
    `GET /x HTTP/1.1\r\nhost: m.example.com\r\n${name}: ${secret}\r\naccept: */*`,
    `https://m.example.com/x?${name}=${secret}&y=1`,
    JSON.stringify({ body: JSON.stringify({ [name]: secret }) }),
    JSON.stringify(['host', 'm.example.com', name, secret]),
  ]
}

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
      fc.property(
        fc.jsonValue(),
        fc.oneof(fc.string(), pieces),
        fc.oneof(fc.string(), pieces),
        (value, text, name) => {
          const { lines, log } = keepLog()
          log.info({ value, [`a ${name}token`]: text, token: text, text, list: [name, text] }, text)
          expect(() => JSON.parse(lines[0] ?? '')).not.toThrow()
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('has no token of letters and underscores alone', () => {
    const token = 'AbcdefghijklmnopqrS_AbcdefghijklmnopqrStuvw'
    expect(redact(`apiToken: ${token}`)).toBe('apiToken: [redacted]')
    expect(redact('token: not_allowed_token_type')).toBe('token: not_allowed_token_type')
  })

  it('has no secret, however its name is spelled and wherever it stands', () => {
    fc.assert(
      fc.property(secretName, secretValue, (name, secret) => {
        const { lines, log } = keepLog()
        for (const written of writings(name, secret)) {
          log.warn({ text: written, deep: { [name]: secret, list: [written] } }, written)
          expect(redact(written), written).not.toContain(secret)
        }
        log.warn({ headers: { [name]: [secret] }, body: JSON.stringify({ [name]: secret }, null, 2) }, 'x')
        for (const line of lines) {
          expect(line).not.toContain(secret)
          expect(() => JSON.parse(line)).not.toThrow()
        }
      }),
    )
  })

  it('has no token that stands in a path', () => {
    fc.assert(
      fc.property(
        tokenInPath,
        fc.constantFrom('', '/', '?x=1', '#top', '.', ' for', '",'),
        (token, after) => {
          for (const path of [
            '/connect/',
            '/api/alert/',
            '/slack/services/',
            'GET https://m.example.com/api/v1/',
          ])
            expect(redact(path + token + after)).not.toContain(token)
        },
      ),
    )
  })

  it.each([
    'Copy it from Basic Information; the token of dave@example.com is at https://slack.com/api/auth.test',
    'SLACK_BOT_TOKEN: Slack refuses it (invalid_auth). Copy the bot token again.',
    'token: not_allowed_token_type',
    'API token: 12 tokens were sealed anew',
    'ENCRYPTION_KEYS: entry 2 of 3 is not base64 of 32 bytes.',
    'Slack refused it: token_expired, secret: none, password: wrong',
    'GET /alert/5HkX took 12 ms (request 3fb2db90)',
    'alert disk-full-2, container 12, https://monitor.example.com/alert/disk-full-2?from=1700000000',
    'https://monitor.example.com/#/container/12/asset/345/alert/1700000000/cpu/usage',
    'approval 0190a3c2-7d1e-7c4b-9f00-aa55bb66cc77 of U05PNA2AHUA in C0123456789',
    '/approvals/0190a3c2-7d1e-7c4b-9f00-aa55bb66cc77',
    'at read (file:///srv/bellhop/src/slack/transport.ts:12:7)',
    'at file:///srv/releases/2026-11-22-bellhop-in-production-with-a-long-name/src/main.ts:3:1',
    'https://acme.slack.com/archives/C0123456789/p1767225600000100?thread_ts=1767225600.000100',
    '{"auditRecords":3,"auditHead":"3:9qjRj83OQzcjCGy3Uq7bAo0zuwSi9RKOtWBLJcCa9dE"}',
  ])('leaves ordinary words alone: %s', (plain) => {
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
