// Single lines of doctor, for what a world cannot be brought to.
import { createSecretKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Check, runChecks } from '../../src/doctor/check.ts'
import { serviceCheck, storageCheck } from '../../src/doctor/service.ts'
import { channelCheck, fromSlackCheck, slackTokenCheck } from '../../src/doctor/slack.ts'
import { createLog } from '../../src/log/log.ts'
import type { Monitor } from '../../src/monitor/client.ts'
import { silence } from '../../src/monitor/failures.ts'
import { SlackError } from '../../src/slack/client.ts'

describe('the service', () => {
  const found = (probe: Awaited<ReturnType<Monitor['probe']>>) =>
    serviceCheck({ probe: async () => probe }).run()

  it('that is silent says why and what to do', async () => {
    const failure = silence(Object.assign(new Error('secret'), { code: 'ENOTFOUND' }))
    expect(await found({ kind: 'silent', ...failure })).toMatchObject([
      {
        state: 'red',
        found: 'Bellhop can’t reach it (ENOTFOUND).',
        mend: expect.stringContaining('DNS'),
      },
    ])
  })

  it.each([
    [503, 'red', 'It answers 503, where the service would ask for a token (401).'],
    [200, 'red', 'It answers 200, where the service would ask for a token (401).'],
    [401, 'green', 'It answers in 3 ms.'],
  ])('that answers %i is %s', async (status, state, words) => {
    expect(await found({ kind: 'answered', status, tookMs: 3 })).toMatchObject([
      { state, found: expect.stringContaining(words) },
    ])
  })
})

it('a database that the next start brings up to date is well', async () => {
  const looked = { engine: 'SQLite 3', isUpToDate: false, keyChecks: [] }
  expect(
    await storageCheck(
      async () => looked,
      [{ id: 'k1', key: createSecretKey(Buffer.alloc(32)) }],
    ).run(),
  ).toMatchObject([
    { state: 'green', found: 'SQLite 3: The next start makes Bellhop’s tables, or updates them.' },
  ])
})

describe('what Slack fails to say', () => {
  const findings = (check: Check) => runChecks([check], createLog({ level: 'silent' }))
  const socketCheck = (offersSocket: () => Promise<void>) =>
    fromSlackCheck(offersSocket, { kind: 'socket', appToken: 'xapp-1' })
  const limited = async () => {
    throw new SlackError('auth.test', { waitSeconds: 7 })
  }

  it.each([
    ['of the token', slackTokenCheck(limited, true)],
    ['of a socket', socketCheck(limited)],
    ['of a channel', channelCheck(limited, 'C1')],
  ])('%s is told as such, not as a fault of Bellhop', async (_, check) => {
    expect(await findings(check)).toMatchObject([
      {
        state: 'red',
        found: 'Slack gave no usable answer (auth.test: wait 7 s).',
        mend: expect.stringContaining('Try again in a minute.'),
      },
    ])
  })

  it.each([
    ['invalid_auth', 'Slack offers no socket (invalid_auth).', 'Create an app-level token'],
    [
      'internal_error',
      'Slack gave no usable answer (apps.connections.open: internal_error).',
      'Try again in a minute.',
    ],
  ])('of a socket says what helps: %s', async (word, words, mend) => {
    const refuses = () => Promise.reject(new SlackError('apps.connections.open', { word }))
    expect(await findings(socketCheck(refuses))).toMatchObject([
      { state: 'red', found: words, mend: expect.stringContaining(mend) },
    ])
  })
})
