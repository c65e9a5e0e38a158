// Single lines of doctor, for what a world cannot be brought to.
import { WebAPIRateLimitedError } from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import { channelCheck } from '../../src/doctor/checks/channel.ts'
import { serviceCheck } from '../../src/doctor/checks/service.ts'
import {
  scopeFindings,
  slackTokenCheck,
  socketOfferCheck,
  transportCheck,
} from '../../src/doctor/checks/slack.ts'
import { storageCheck } from '../../src/doctor/checks/storage.ts'
import { createDoctor } from '../../src/doctor/doctor.ts'
import type { Health } from '../../src/doctor/health.ts'
import { ConfigError } from '../../src/errors.ts'
import { createLog } from '../../src/log/log.ts'
import type { Probe } from '../../src/monitor/client.ts'
import { ResponseUrlError } from '../../src/slack/client/refusals.ts'
import type { InboundState } from '../../src/slack/inbound/inbound.ts'
import { allScopes } from './scopes.ts'

const now = 1_700_000_000_000

describe('the way from Slack', () => {
  const found = (transport: InboundState) =>
    transportCheck(
      () => transport,
      () => now,
    ).run()

  it('by Socket Mode may be lost meanwhile', async () => {
    expect(await found({ kind: 'socket', isConnected: false })).toMatchObject([
      { state: 'amber', found: expect.stringContaining('has dropped since') },
    ])
  })

  it.each([
    [undefined, 'untested', 'No event has arrived since Bellhop started'],
    [now - 5_000, 'green', 'within the last minute'],
    [now - 60_000, 'green', '1 minute ago'],
    [now - 119 * 60_000, 'green', '119 minutes ago'],
    [now - 26 * 3_600_000, 'green', '26 hours ago'],
    [now + 5_000, 'green', 'within the last minute'],
  ])('over HTTP says when an event came last (%s)', async (lastEventAt, state, words) => {
    const signatures = { refused: { headers: 0, clock: 0, secret: 0 }, lastRefusedAt: undefined }
    const [, events] = await found({ kind: 'http', lastEventAt, signatures })
    expect(events).toMatchObject({ name: 'Events', state, found: expect.stringContaining(words) })
  })
})

describe('the service', () => {
  const found = (probe: Probe) => serviceCheck({ probe: async () => probe }, () => now).run()

  it.each([
    ['timed-out', 'It didn’t answer in time.', 'firewall'],
    ['not-http', 'Something answers, but it doesn’t speak HTTP.', 'scheme and port'],
    ['ENOTFOUND', 'Its host name can’t be resolved.', 'DNS'],
    ['EAI_AGAIN', 'Its host name can’t be resolved.', 'DNS'],
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'Bellhop can’t reach it (DEPTH_ZERO_SELF_SIGNED_CERT).',
      'MONITOR_CA_FILE',
    ],
    [
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'Bellhop can’t reach it (ERR_TLS_CERT_ALTNAME_INVALID).',
      'is for another host',
    ],
    ['CERT_HAS_EXPIRED', 'Bellhop can’t reach it (CERT_HAS_EXPIRED).', 'has expired'],
    ['EHOSTUNREACH', 'Bellhop can’t reach it (EHOSTUNREACH).', 'network'],
  ])('that is silent says why and what to do: %s', async (reason, words, mend) => {
    expect(await found({ kind: 'silent', reason })).toEqual([
      { name: 'Monitoring service', state: 'red', found: words, mend: expect.stringContaining(mend) },
    ])
  })

  it.each([429, 500, 503])('that answers %i is busy or has a fault', async (status) => {
    const [line] = await found({ kind: 'answered', status, tookMs: 3, dateMs: now })
    expect(line).toMatchObject({ state: 'red', found: expect.stringContaining('busy or something is wrong') })
  })

  it('that tells no time leaves the clocks uncompared', async () => {
    const [, clock] = await found({ kind: 'answered', status: 401, tookMs: 3, dateMs: undefined })
    expect(clock).toMatchObject({ name: 'Clock', state: 'untested' })
  })

  it.each([
    [-31_000, 'amber', '31 seconds ahead of'],
    [31_000, 'amber', '31 seconds behind'],
    [-30_000, 'green', 'within 30 seconds'],
    [0, 'green', 'clock agrees'],
  ])('whose clock is %i ms from ours', async (apartMs, state, words) => {
    // What it cut off of the second is taken for half of one.
    const [, clock] = await found({ kind: 'answered', status: 401, tookMs: 3, dateMs: now + apartMs - 500 })
    expect(clock).toMatchObject({ state, found: expect.stringContaining(words) })
  })
})

describe('the database', () => {
  const health: Health = { engine: 'SQLite 3', isNew: false, pending: [], freeBytes: 2 ** 40, keyChecks: [] }
  const found = (changes: Partial<Health>, isRunning: boolean) =>
    storageCheck(async () => ({ ...health, ...changes }), isRunning).run()

  it('that the next start brings up to date is well before it, and not while a bot runs', async () => {
    const behind = { pending: ['0002-watches'] }
    expect(await found(behind, false)).toMatchObject([
      {
        state: 'green',
        found: expect.stringContaining('The next start updates Bellhop’s tables (one step)'),
      },
    ])
    expect(await found(behind, true)).toMatchObject([
      { state: 'red', mend: expect.stringContaining('Restart') },
    ])
  })

  it('with little room says how much', async () => {
    expect(await found({ freeBytes: 12 * 1024 * 1024 }, true)).toMatchObject([
      { state: 'green' },
      { name: 'Disk', state: 'amber', found: 'The database’s disk has 12 MB left.' },
    ])
    expect(await found({ freeBytes: undefined }, true)).toHaveLength(1)
  })

  it('with less room than a write needs is red', async () => {
    expect(await found({ freeBytes: 200 * 1024 }, true)).toMatchObject([
      { name: 'Database' },
      { name: 'Disk', state: 'red', found: 'The database’s disk has 0 MB left.' },
    ])
  })

  it('that the running bot cannot write is told with what that bot does about it', async () => {
    const check = storageCheck(
      async () => {
        throw new ConfigError([
          'DATABASE_URL: bellhop.db can’t grow: the disk is full. Free some space, then start again.',
        ])
      },
      true,
      () => [],
      async () => 'full',
    )
    expect(await check.run()).toMatchObject([
      { state: 'red', mend: 'Free some space. Bellhop tries again by itself.' },
    ])
  })

  it('that cannot be used is told with its mend', async () => {
    const check = storageCheck(async () => {
      throw new ConfigError(['DATABASE_URL: db:5432 can only be read. Name the server that accepts writes.'])
    }, true)
    expect(await check.run()).toEqual([
      {
        name: 'Database',
        state: 'red',
        found: 'DATABASE_URL: db:5432 can only be read.',
        mend: 'Name the server that accepts writes.',
      },
    ])
  })

  it('is looked at once for all who ask at the same moment, and anew after that', async () => {
    const looks: PromiseWithResolvers<Health>[] = []
    const doctor = createDoctor({
      config: {
        slack: { bot: { kind: 'token', botToken: '' }, transport: { kind: 'socket', appToken: '' } },
        unfurls: true,
        monitor: { apiUrl: '', alertUrl: undefined, operations: 'all', authorities: undefined },
        publicUrl: undefined,
        databaseUrl: '',
        encryptionKeys: [],
        doubts: [],
      },
      probe: {
        in: () => ({
          scopes: async () => undefined,
          presence: async () => 'member',
          complaintsAbout: async () => [],
        }),
      },
      card: { blocks: [] },
      transport: () => ({ kind: 'socket', isConnected: true }),
      monitor: {
        probe: async () => ({ kind: 'silent', reason: '' }),
        readAlert: () => new Promise(() => {}),
      },
      outage: () => undefined,
      tokens: { find: async () => undefined },
      storage() {
        const look = Promise.withResolvers<Health>()
        looks.push(look)
        return look.promise
      },
      unwritable: async () => undefined,
      keyProblems: () => [],
      extraChecks: () => [
        { name: 'Style', run: async () => [{ name: 'Style', state: 'green', found: 'Thread.' }], ifSlow: '' },
      ],
      places: [],
      isAdmin: async () => true,
      outbound: { in: () => ({ openView: async () => '', updateView: async () => true }) },
      log: createLog({ level: 'silent' }),
      now: () => now,
    })
    const asker = { workspaceId: 'T1', userId: 'U1', name: 'alice' }
    const place = { workspaceId: 'T1', userId: 'U1', channelId: 'C1', responseUrl: undefined, isDirect: true }
    const both = [doctor.examine({ asker, place }), doctor.examine({ asker, place })]
    expect(looks).toHaveLength(1)
    looks[0]?.resolve(health)
    await Promise.all(both)

    const again = doctor.examine({ asker, place })
    expect(looks).toHaveLength(2)
    looks[1]?.resolve(health)
    await again
  })
})

describe('what Slack fails to say', () => {
  const limited = new WebAPIRateLimitedError(7)

  it('is told as such, not as a fault of Bellhop', async () => {
    const refuses = async () => {
      throw limited
    }
    expect(await slackTokenCheck(refuses).run()).toMatchObject([
      { state: 'amber', found: 'Slack didn’t check the token: it asked Bellhop to wait 7 s.' },
    ])
    expect(await socketOfferCheck(refuses).run()).toMatchObject([
      {
        state: 'red',
        found: 'Slack offers no socket (it asked Bellhop to wait 7 s).',
        mend: 'Try again in a minute.',
      },
    ])
    const asked = {
      name: 'This channel',
      where: 'this channel',
      channelId: 'C1',
      lost: 'it cannot post there',
    }
    expect(await channelCheck(asked, refuses).run()).toMatchObject([
      {
        state: 'amber',
        found: 'Slack didn’t say whether Bellhop is in this channel (it asked Bellhop to wait 7 s).',
      },
    ])
  })
})

describe('the socket', () => {
  it.each([
    ['invalid_auth', 'Create an app-level token'],
    ['internal_error', 'Try again in a minute.'],
  ])('that Slack refuses with %s says what helps', async (word, mend) => {
    const refuses = () => Promise.reject(new ResponseUrlError(word))
    expect(await socketOfferCheck(refuses).run()).toMatchObject([
      { state: 'red', found: `Slack offers no socket (${word}).`, mend: expect.stringContaining(mend) },
    ])
  })
})

describe('scopes', () => {
  it('that are all missing leave no other features to count', () => {
    expect(scopeFindings(new Set()).filter(({ state }) => state === 'green')).toEqual([])
    expect(scopeFindings(new Set(['commands'])).at(-1)).toMatchObject({
      found: 'The token has the scopes for one other feature.',
    })
  })

  it('of what the operator has switched off are not missed', () => {
    const granted = new Set(allScopes.filter((scope) => !scope.startsWith('links:')))
    expect(scopeFindings(granted).filter(({ state }) => state !== 'green')).toHaveLength(1)
    expect(scopeFindings(granted, ['unfurls'])).toMatchObject([{ state: 'green' }])
  })

  it('that Slack does not tell switch nothing off', () => {
    expect(scopeFindings(undefined)).toMatchObject([
      { state: 'amber', found: expect.stringContaining('nothing is') },
    ])
  })
})
