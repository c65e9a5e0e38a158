// Single lines of doctor, for what a world cannot be brought to.
import { describe, expect, it } from 'vitest'
import { type Check, runChecks } from '../../src/doctor/check.ts'
import { serviceCheck } from '../../src/doctor/service.ts'
import { hereCheck, slackTokenCheck, socketOfferCheck } from '../../src/doctor/slack.ts'
import { storageCheck } from '../../src/doctor/storage.ts'
import { createLog } from '../../src/log/log.ts'
import type { Probe } from '../../src/monitor/client.ts'
import { SlackError } from '../../src/slack/client.ts'

describe('the service', () => {
  const found = (probe: Probe) => serviceCheck({ probe: async () => probe }).run()

  it.each([
    ['timed-out', 'firewalls'],
    ['not-http', 'scheme, host and port'],
    ['ENOTFOUND', 'DNS'],
    ['EAI_AGAIN', 'DNS'],
    ['ECONNREFUSED', 'Nothing is listening there.'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'MONITOR_CA_FILE'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'is for another host'],
    ['CERT_HAS_EXPIRED', 'has expired'],
    ['EHOSTUNREACH', 'network'],
  ])('that is silent says why and what to do: %s', async (reason, mend) => {
    expect(await found({ kind: 'silent', reason })).toMatchObject([
      { state: 'red', found: `Bellhop can’t reach it (${reason}).`, mend: expect.stringContaining(mend) },
    ])
  })

  it.each([
    [429, 3, 'red', 'busy or something is wrong'],
    [503, 3, 'red', 'busy or something is wrong'],
    [200, 3, 'red', 'Something answers 200, where the service would ask for a token (401).'],
    [401, 1_600, 'amber', 'It answers slowly: it took 1.6 s.'],
    [401, 3, 'green', 'It answers in 3 ms.'],
  ])('that answers %i after %i ms is %s', async (status, tookMs, state, words) => {
    expect(await found({ kind: 'answered', status, tookMs })).toMatchObject([
      { state, found: expect.stringContaining(words) },
    ])
  })
})

it('a database that the next start brings up to date is well', async () => {
  const looked = { engine: 'SQLite 3', isNew: false, pending: ['0002-watches'], keyChecks: [] }
  expect(await storageCheck(async () => looked, undefined).run()).toMatchObject([
    { state: 'green', found: 'SQLite 3: The next start updates Bellhop’s tables.' },
  ])
})

describe('what Slack fails to say', () => {
  const findings = (check: Check) => runChecks([check], createLog({ level: 'silent' }))
  const limited = async () => {
    throw new SlackError('auth.test', { waitSeconds: 7 })
  }

  it.each([
    ['of the token', slackTokenCheck(limited, true)],
    ['of a socket', socketOfferCheck(limited)],
    ['of a channel', hereCheck(limited, 'C1')],
  ])('%s is told as such, not as a fault of Bellhop', async (_, check) => {
    expect(await findings(check)).toMatchObject([
      {
        state: 'amber',
        found: 'Slack gave no usable answer (it asked Bellhop to wait 7 s).',
        mend: expect.stringContaining('Try again in a minute.'),
      },
    ])
  })

  it.each([
    ['invalid_auth', 'Slack offers no socket (invalid_auth).', 'Create an app-level token'],
    ['internal_error', 'Slack gave no usable answer (internal_error).', 'Try again in a minute.'],
  ])('of a socket says what helps: %s', async (word, words, mend) => {
    const refuses = () => Promise.reject(new SlackError('apps.connections.open', { word }))
    expect(await findings(socketOfferCheck(refuses))).toMatchObject([
      { state: 'red', found: words, mend: expect.stringContaining(mend) },
    ])
  })
})
