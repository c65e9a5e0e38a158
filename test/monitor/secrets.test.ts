// Secrets in requests, and in what is told of them: no token in any error, and keys arrive as they are or not at all.
import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MonitorService } from '../../playground/monitor/start-monitor.ts'
import { anyCharacter } from '../any-text.ts'
import {
  connectTo,
  dave,
  expectFailure,
  failureOf,
  setup,
  startSocketServer,
  token,
} from './setup.ts'

/** Everything that an error holds, however deep and hidden. */
function everythingOf(error: unknown): string {
  const seen: string[] = []
  for (let one = error; one instanceof Error; one = one.cause) {
    seen.push(
      one.message,
      one.stack ?? '',
      inspect(one, { depth: 10, showHidden: true }),
      JSON.stringify(one),
    )
  }
  return seen.join('\n')
}

describe('no error holds the token', () => {
  const troubles: readonly [string, (service: MonitorService) => unknown][] = [
    ['the service is down', (service) => service.trouble.down()],
    ['the token is refused', (service) => service.revoke(token)],
    ['the alert does not exist', () => {}],
    ['the service repeats it in a text', (service) => service.trouble.answer(200, { body: token })],
    [
      'the service repeats it in a field',
      (service) => service.trouble.answer(200, { body: { ks: 1, [token]: token } }),
    ],
    [
      'the service repeats it in a refusal',
      (service) => service.trouble.answer(403, { body: token }),
    ],
    [
      'the service repeats it in a redirect',
      (service) => service.trouble.redirect(`http://x/?${token}`),
    ],
    ['the connection is cut', (service) => service.trouble.cut({ when: 'before-answer' })],
    ['the answer is cut', (service) => service.trouble.cut({ when: 'mid-body' })],
    ['the service is busy', (service) => service.trouble.answer(503)],
    ['the answer is too large', (service) => service.trouble.huge(10_000_000)],
    ['there is no answer in time', (service) => service.trouble.hang()],
  ]

  test.each(troubles)('when %s', async (_what, start) => {
    const { service, monitor } = await setup({ budgetMs: 400 })
    await start(service)

    const told = everythingOf(await failureOf(monitor.readAlert(token, 'k1')))

    expect(told).not.toContain(token)
  })

  test.each<[string, (sent: Buffer) => string]>([
    ['what answers is not HTTP and repeats the request', (sent) => `Eh? ${sent}`],
    ['a header repeats it', () => `HTTP/1.1 200 OK\r\n${token} ${token}\r\n\r\n`],
  ])('when %s', async (_what, answer) => {
    const host = await startSocketServer((socket) =>
      socket.once('data', (sent) => socket.end(answer(sent))),
    )

    const told = everythingOf(await failureOf(connectTo(`http://${host}`).readAlert(token, 'k1')))

    expect(told).not.toContain(token)
  })
})

describe('a token that cannot travel in a header', () => {
  test.each(['', 'with space', 'line\r\nx-other: 1', 'nul\0', 'ümlaut', '\ud800'])(
    '%j is refused unsent, and not repeated',
    async (bad) => {
      const { service, monitor } = await setup()

      await expectFailure(monitor.tryToken(bad), 'refused')
      const error = await failureOf(monitor.readAlert(bad, 'k1'))
      const result = await monitor.addUser(bad, 12, dave)

      expect(error.code).toBe('refused')
      if (bad.trim().length > 1) expect(everythingOf(error)).not.toContain(bad)
      expect(result).toEqual({ kind: 'not-done', code: 'refused' })
      expect(service.requests).toEqual([])
    },
  )
})

describe('an alert key', () => {
  test.each(['', '.', '..', '\ud800', 'a\udfffb'])(
    '%j is refused before it is sent',
    async (ks) => {
      const { service, monitor } = await setup()

      await expectFailure(monitor.readAlert(token, ks), 'bad-request')

      expect(service.requests).toEqual([])
    },
  )

  test('arrives as it is, or is refused before it is sent, whatever it holds', async () => {
    const { service, monitor } = await setup()
    service.trouble.answer(404)
    const odd = fc.constantFrom('.', '..', '%2e', '\r\n', '\ud83d', '\udd25', ...'/%?#\\\0 +')
    const key = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 40 }),
      fc
        .array(fc.oneof(odd, fc.string({ maxLength: 3 })), { maxLength: 8 })
        .map((parts) => parts.join('')),
    )

    await fc.assert(
      fc.asyncProperty(key, async (ks) => {
        const before = service.requests.length
        const { code } = await failureOf(monitor.readAlert(token, ks))
        const [request] = service.requests.slice(before)
        if (request === undefined) {
          expect(code).toBe('bad-request')
          return
        }
        const [, room, sent = '', ...rest] = request.path.split('/')
        expect([room, decodeURIComponent(sent), rest]).toEqual(['alert', ks, []])
        expect(request.query).toBe('actions=kind,timestamp,data')
      }),
      { numRuns: 400 },
    )
  })
})
