// Settings: what is read from the environment, what is refused and in which words, and that no word is a secret.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Environment,
  parseConfig,
  parseDatabaseUrl,
  parseKept,
  settingNames,
} from '../../src/config/config.ts'
import { ConfigError } from '../../src/errors.ts'
import { flags } from '../../src/grant/flags.ts'
import { defaultRoles } from '../../src/grant/roles.ts'
import { runKeygen } from '../../src/terminal/keygen.ts'
import { runCommand } from '../terminal/run-command.ts'

const key = (byte: number, bytes = 32) => Buffer.alloc(bytes, byte).toString('base64')

const good: Environment = {
  SLACK_BOT_TOKEN: 'xoxb-1-2-abc',
  SLACK_SIGNING_SECRET: '0123456789abcdef0123456789abcdef',
  MONITOR_API_URL: 'https://monitoring.example.com/api/',
  ENCRYPTION_KEYS: `k1:${key(1)}`,
}

function problemsOf(environment: Environment): readonly string[] {
  try {
    parseConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

const problemOf = (changes: Environment) => problemsOf({ ...good, ...changes }).join('\n')

describe('the proxy', () => {
  it('is read in capitals and in small letters', () => {
    const proxy = { url: 'http://user:pass%20word@proxy.example.com:3128/', except: 'a.example.com, .b' }
    const HTTPS_PROXY = 'http://user:pass%20word@proxy.example.com:3128'
    expect(parseConfig({ ...good, HTTPS_PROXY, NO_PROXY: 'a.example.com, .b' }).proxy).toEqual(proxy)
    expect(parseConfig({ ...good, https_proxy: HTTPS_PROXY, no_proxy: 'a.example.com, .b' }).proxy).toEqual(
      proxy,
    )
    expect(parseConfig({ ...good, NO_PROXY: 'a.example.com' }).proxy).toBeUndefined()
    expect(parseConfig({ ...good, HTTPS_PROXY: 'gate.internal:3128' }).proxy?.url).toBe(
      'http://gate.internal:3128/',
    )
  })

  it.each(['socks5://gate.internal', 'http://50%@gate.internal', 'gate', 'gate.internal:port'])(
    'is refused as %s, and what was given is not repeated',
    (given) => {
      expect(problemOf({ HTTPS_PROXY: given })).toMatch(/^HTTPS_PROXY: is not the address of a proxy\./)
      expect(problemOf({ HTTPS_PROXY: given })).not.toContain(given)
    },
  )
})

describe('settings', () => {
  it('that must be given are enough; the rest has defaults', () => {
    expect(parseConfig(good)).toEqual({
      slack: {
        botToken: 'xoxb-1-2-abc',
        transport: { kind: 'http', signingSecret: '0123456789abcdef0123456789abcdef' },
        apiUrl: 'https://slack.com/api/',
      },
      proxy: undefined,
      monitor: {
        apiUrl: 'https://monitoring.example.com/api',
        alertUrl: undefined,
        operations: 'all',
        authorities: undefined,
      },
      authProviders: ['Password', 'Google', 'Microsoft'],
      severityNames: [
        'EMERGENCY',
        'ALERT',
        'CRITICAL',
        'ERROR',
        'WARNING',
        'NOTICE',
        'INFORMATIONAL',
        'DEBUG',
      ],
      roles: defaultRoles,
      unfurls: true,
      watch: { intervalMs: 30_000, ttlHours: 24 },
      audit: { channelId: undefined, days: 400 },
      approval: { flags: [], channelId: undefined, mention: [], ttlHours: 24 },
      ratePerMinute: 30,
      encryptionKeys: [{ id: 'k1', key: expect.anything() }],
      databaseUrl: 'file:./data/bellhop.db',
      publicUrl: undefined,
      host: '0.0.0.0',
      port: 3000,
      logLevel: 'info',
      doubts: [],
    })
  })

  it('that are empty count as missing, and blanks around them do not count', () => {
    const empty = Object.fromEntries(settingNames.map((name) => [name, '  ']))
    expect(parseConfig({ ...empty, ...good, MONITOR_API_URL: ' https://m.example.com ' })).toEqual(
      parseConfig({ ...good, MONITOR_API_URL: 'https://m.example.com' }),
    )
    expect(problemsOf(empty)).toEqual(problemsOf({}))
  })

  it('that are missing are told all at once, each with its mend', () => {
    const problems = problemsOf({})
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'SLACK_APP_TOKEN or SLACK_SIGNING_SECRET',
      'SLACK_BOT_TOKEN',
      'MONITOR_API_URL',
      'ENCRYPTION_KEYS',
    ])
    expect(problems.join()).toContain('npm run keygen')
  })

  it('that are wrong are told all at once, together with the missing ones', () => {
    const problems = problemsOf({ PORT: 'x', HOST: 'a b', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://x' })
    expect(problems).toHaveLength(8)
  })
})

describe('a name that no setting has', () => {
  it('is told where it looks like one with a slip in it', () => {
    expect(problemOf({ APPROVAL_CHANEL: 'C0123ABCD', AUDIT_DAY: '7', SLACK_BOT_TOKNE: 'xoxb-1' })).toBe(
      [
        'APPROVAL_CHANEL: is no setting of Bellhop. Did you mean APPROVAL_CHANNEL?',
        'AUDIT_DAY: is no setting of Bellhop. Did you mean AUDIT_DAYS?',
        'SLACK_BOT_TOKNE: is no setting of Bellhop. Did you mean SLACK_BOT_TOKEN?',
      ].join('\n'),
    )
  })

  it('is nobody’s trouble where it is empty, or another program’s', () => {
    const others = { HTTP_PROXY: 'x', POST: 'x', HOSTNAME: 'x', NODE_EXTRA_CA_CERTS: 'x', UNFURLS: 'x' }
    expect(problemOf({ APPROVAL_CHANEL: ' ', ...others })).toBe('')
  })
})

describe('what a person may ask for in a minute', () => {
  it('is a number within its bounds', () => {
    expect(parseConfig({ ...good, RATE_PER_MINUTE: '1' }).ratePerMinute).toBe(1)
    expect(parseConfig({ ...good, RATE_PER_MINUTE: '0' }).ratePerMinute).toBe(0)
    for (const wrong of ['-1', '1001', '1.5', 'many']) {
      expect(problemOf({ RATE_PER_MINUTE: wrong })).toBe(
        'RATE_PER_MINUTE: must be a number of requests from 0 to 1000.',
      )
    }
  })
})

describe('how watches go', () => {
  it('is a number within its bounds', () => {
    const { watch } = parseConfig({ ...good, WATCH_INTERVAL_SECONDS: '5', WATCH_TTL_HOURS: '720' })
    expect(watch).toEqual({ intervalMs: 5_000, ttlHours: 720 })
    for (const wrong of ['0', '3601', '1.5', 'soon', '-1']) {
      expect(problemOf({ WATCH_INTERVAL_SECONDS: wrong })).toBe(
        'WATCH_INTERVAL_SECONDS: must be a number of seconds from 1 to 3600.',
      )
    }
    expect(problemOf({ WATCH_TTL_HOURS: '721' })).toContain(
      'WATCH_TTL_HOURS: must be a number of hours from 1',
    )
  })
})

describe('the audit trail', () => {
  it('has a channel by its id, and a number of days', () => {
    const { audit } = parseConfig({ ...good, AUDIT_CHANNEL: 'C0123ABCDEF', AUDIT_DAYS: '0' })
    expect(audit).toEqual({ channelId: 'C0123ABCDEF', days: 0 })
    for (const wrong of ['#audit', 'audit', 'U0123ABCDEF', 'D0123ABCDEF', 'c0123abcdef', 'C0123 ABC']) {
      expect(problemOf({ AUDIT_CHANNEL: wrong })).toContain('AUDIT_CHANNEL: is not a channel id')
    }
    for (const wrong of ['-1', '3651', '1.5', 'all']) {
      expect(problemOf({ AUDIT_DAYS: wrong })).toBe('AUDIT_DAYS: must be a number of days from 0 to 3650.')
    }
  })

  it('is read with the database and its keys alone', () => {
    const { DATABASE_URL, ENCRYPTION_KEYS } = { DATABASE_URL: 'file:x.db', ENCRYPTION_KEYS: `k1:${key(1)}` }
    expect(parseKept({ DATABASE_URL, ENCRYPTION_KEYS })).toEqual({
      databaseUrl: DATABASE_URL,
      encryptionKeys: [{ id: 'k1', key: expect.anything() }],
      auditDays: 400,
    })
    expect(() => parseKept({ DATABASE_URL })).toThrow('ENCRYPTION_KEYS: is missing')
  })
})

describe('how approvals go', () => {
  it('is by flags in any spelling, ids of a channel and of people, and hours', () => {
    const { approval } = parseConfig({
      ...good,
      APPROVAL_FLAGS: 'webhooks, container-admin,WEBHOOKS',
      APPROVAL_CHANNEL: 'C0123ABCD',
      APPROVAL_MENTION: 'U0123ABCD, S0123ABCD,U0123ABCD',
      APPROVAL_TTL_HOURS: '2',
    })
    expect(approval).toEqual({
      flags: ['CONTAINER_ADMIN', 'WEBHOOKS'],
      channelId: 'C0123ABCD',
      mention: ['U0123ABCD', 'S0123ABCD'],
      ttlHours: 2,
    })
  })

  it.each([
    [{ APPROVAL_FLAGS: 'READ,WEBHOKS' }, 'APPROVAL_FLAGS: word 2 of 2 is not a flag.'],
    [{ APPROVAL_FLAGS: 'READ,,API' }, 'APPROVAL_FLAGS: word 2 of 3 is not a flag.'],
    [{ APPROVAL_CHANNEL: '#approvals' }, 'APPROVAL_CHANNEL: is not a channel id'],
    [{ APPROVAL_CHANNEL: 'D0123ABCD' }, 'APPROVAL_CHANNEL: is not a channel id'],
    [{ APPROVAL_MENTION: '@alice' }, 'APPROVAL_MENTION: must be at most 10 ids of people (U…)'],
    [{ APPROVAL_MENTION: 'U0123ABCD,C0123ABCD' }, 'APPROVAL_MENTION: must be at most 10 ids of people (U…)'],
    [{ APPROVAL_MENTION: '<!channel>' }, 'APPROVAL_MENTION: must be at most 10 ids of people (U…)'],
    [{ APPROVAL_TTL_HOURS: '0' }, 'APPROVAL_TTL_HOURS: must be a number of hours from 1 to 720.'],
  ])('%j is refused', (changes, words) => {
    expect(problemOf(changes)).toContain(words)
  })
})

describe('the transport', () => {
  it('is Socket Mode when there is an app token, which needs no signing secret', () => {
    const { slack } = parseConfig({ ...good, SLACK_APP_TOKEN: 'xapp-1-abc', SLACK_SIGNING_SECRET: undefined })
    expect(slack.transport).toEqual({ kind: 'socket', appToken: 'xapp-1-abc' })
  })

  it.each([
    ['SLACK_BOT_TOKEN', 'xapp-1-abc', 'is not a bot token'],
    ['SLACK_BOT_TOKEN', 'xoxe.xoxb-1-abc', 'expires within hours'],
    ['SLACK_APP_TOKEN', 'xoxb-1-abc', 'is not an app-level token'],
    ['SLACK_SIGNING_SECRET', 'xoxb-1-abc', 'is not a signing secret'],
  ])('has no %s such as %s', (name, token, words) => {
    expect(problemOf({ [name]: token })).toContain(words)
  })
})

describe('the signing secret', () => {
  it.each([
    ['too short', 'verysecret'],
    ['with other characters', '0123456789abcdef-0123456789abcdef'],
    ['hidden, as Slack shows it', '••••••••••••••••••••••••••••••••'],
  ])('is refused when it is %s, and not repeated', (_, secret) => {
    expect(problemOf({ SLACK_SIGNING_SECRET: secret })).toMatch(
      /^SLACK_SIGNING_SECRET: is not a signing secret\./,
    )
    expect(problemOf({ SLACK_SIGNING_SECRET: secret })).not.toContain(secret)
  })
})

describe('quotes around a value', () => {
  it.each(['"', "'"])('that docker --env-file has kept (%s) are told, for every setting', (quote) => {
    for (const name of settingNames) {
      const given = `${quote}value-of-${name}${quote}`
      expect(problemOf({ [name]: given })).toContain(
        `${name}: is in quotes, and the quotes count as part of it. Remove them`,
      )
      expect(problemOf({ [name]: given })).not.toContain('value-of')
    }
  })

  it('do not hide other problems, and may stand within a value', () => {
    expect(problemsOf({ ...good, PORT: '"3000"', HOST: 'a b' })).toHaveLength(2)
    expect(parseConfig({ ...good, GRANT_PRESETS: '{"viewer":["READ"]}' }).roles).toEqual({
      viewer: ['READ'],
    })
  })
})

describe('addresses', () => {
  it('that are none are told with an example of their own', () => {
    expect(problemOf({ MONITOR_API_URL: 'x' })).toContain('It looks like https://monitoring.example.com/api.')
    expect(problemOf({ SLACK_API_URL: 'x' })).toContain('It looks like https://slack.com/api.')
    expect(problemOf({ PUBLIC_URL: 'x' })).toContain('It looks like https://bellhop.example.com.')
  })

  it.each([
    ['http://monitoring.example.com', 'must start with https://'],
    ['http://127.0.0.1.example.com', 'must start with https://'],
    ['ftp://monitoring.example.com', 'is not an address'],
    ['monitoring.example.com', 'is not an address'],
    ['https://user:word@monitoring.example.com', 'must end with its path'],
    ['https://monitoring.example.com/?key=1', 'must end with its path'],
  ])('%s is refused', (url, words) => {
    for (const name of ['MONITOR_API_URL', 'SLACK_API_URL', 'PUBLIC_URL']) {
      expect(problemOf({ [name]: url })).toContain(`${name}: `)
      expect(problemOf({ [name]: url })).toContain(words)
    }
  })

  it.each(['http://127.0.0.1:8080/api', 'http://localhost:1', 'http://[::1]:1/a'])('%s is taken', (url) => {
    const config = parseConfig({ ...good, MONITOR_API_URL: `${url}/`, SLACK_API_URL: url })
    expect(config.monitor.apiUrl).toBe(url)
    expect(config.slack.apiUrl).toBe(`${url}/`)
  })

  it('of an alert hold {ks} once, or what says where to look for it, behind the host', () => {
    const realUrl =
      'https://m.example.com/container/{container}/asset/{asset}/alert?condition={condition}&item={item}&alert={timestamp}'
    for (const right of [
      'https://m.example.com/#/alert?ks={ks}&x=1',
      'https://m.example.com/alert?view={all}&ks={ks}',
      'https://m.example.com/{asset}/{timestamp}',
      'https://m.example.com/#/asset/{asset}?alert={timestamp}',
      realUrl,
    ]) {
      expect(parseConfig({ ...good, MONITOR_ALERT_URL: right }).monitor.alertUrl).toBe(right)
    }
    for (const wrong of [
      'https://m.example.com/alert',
      'https://m.example.com/{container}/{timestamp}',
      'https://m.example.com/{asset}/{asset}?alert={timestamp}',
      'https://m.example.com/{container}/{ks}',
      'https://m.example.com/{asset}/{timestamp}/{time}',
      'https://m.example.com/{asset}{timestamp}',
    ]) {
      expect(problemOf({ MONITOR_ALERT_URL: wrong })).toContain('MONITOR_ALERT_URL: must hold {ks} alone, or')
    }
    for (const wrong of [
      'https://{ks}.example.com/',
      'https://m.example.com{ks}/',
      'https://{asset}.example.com/{timestamp}',
      'm/{ks}',
      'javascript://x/{ks}',
    ]) {
      expect(problemOf({ MONITOR_ALERT_URL: wrong })).toContain(
        'MONITOR_ALERT_URL: is not the address of an alert',
      )
    }
  })

  it('of an alert without {ks} are doubted where nothing may be asked about them', () => {
    const MONITOR_ALERT_URL = 'https://m.example.com/{asset}/{timestamp}'
    const doubts = (env: object) => parseConfig({ ...good, MONITOR_OPERATIONS: 'basic', ...env }).doubts
    expect(doubts({ MONITOR_ALERT_URL })).toEqual([
      expect.stringMatching(
        /^MONITOR_ALERT_URL: has no \{ks\}, so Bellhop can’t look up links while MONITOR_OPERATIONS is basic\./,
      ),
    ])
    expect(doubts({ MONITOR_ALERT_URL, MONITOR_OPERATIONS: 'all' })).toEqual([])
    expect(doubts({ MONITOR_ALERT_URL: 'https://m.example.com/{ks}' })).toEqual([])
    expect(doubts({})).toEqual([])
  })
})

describe('the database', () => {
  it.each([
    ...['file:./data/x.db', 'file:x.db', 'file:/var/lib/x.db', 'file:///var/lib/x.db'],
    ...['postgres://h/d', 'postgresql://u:p%40%23@h:5433/d?sslmode=verify-full&sslrootcert=/etc/ca.pem'],
    ...['postgres://u@[::1]/d', 'postgres:///d?host=/var/run/postgresql', 'postgres://%2Fvar%2Frun/d'],
  ])('may be %s', (url) => {
    expect(parseConfig({ ...good, DATABASE_URL: url }).databaseUrl).toBe(url)
    expect(parseDatabaseUrl({ DATABASE_URL: url })).toBe(url)
  })

  it.each(['file:', 'file:/', 'file://', 'file://host/x.db', 'file::memory:', 'file:./data/', './x.db'])(
    'may not be %s',
    (url) => {
      expect(problemOf({ DATABASE_URL: url })).toContain('DATABASE_URL: is not the address of a database')
    },
  )

  it.each([
    ...['postgres:h/d', 'postgres://u:se/cret@h/d', 'postgres://u:se#cret@h/d', 'postgres://u:se%cret@h/d'],
    ...['postgres://u:secret@h', 'postgres://u:secret@h/', 'postgres://u:secret@h/a/b'],
  ])('may not be %s, and the message does not hold the password', (url) => {
    const problem = problemOf({ DATABASE_URL: url })
    expect(problem).toContain('# is %23')
    expect(problem).not.toMatch(/se.?cret/)
  })
})

describe('encryption keys', () => {
  it('keep their order: the first seals', () => {
    const { encryptionKeys } = parseConfig({ ...good, ENCRYPTION_KEYS: `b:${key(2)}, a:${key(1)}` })
    expect(encryptionKeys.map(({ id }) => id)).toEqual(['b', 'a'])
    expect(encryptionKeys.map((one) => one.key.export().toString('base64'))).toEqual([key(2), key(1)])
  })

  it.each([
    [`a:${key(1, 16)}`, 'key 1 of 1 is not an id'],
    [`a:${key(1)},b:${key(2, 31)}`, 'key 2 of 2 is not an id'],
    [key(1), 'key 1 of 1 is not an id'],
    ['a:not base 64!', 'key 1 of 1 is not an id'],
    [`a:${key(1)},`, 'key 2 of 2 is not an id'],
    [`a:${key(1)},a:${key(2)}`, 'two keys have the same id'],
  ])('%s are refused', (keys, words) => {
    expect(problemOf({ ENCRYPTION_KEYS: keys })).toContain(`ENCRYPTION_KEYS: ${words}`)
  })

  it('of `npm run keygen` are taken as printed', async () => {
    const { printed } = await runCommand(runKeygen, {})
    expect(printed).toMatch(/^k\d{8}\w*:\S{44}\n$/)
    expect(parseConfig({ ...good, ENCRYPTION_KEYS: printed }).encryptionKeys).toHaveLength(1)
  })
})

describe('presets', () => {
  it('take flags in any spelling, and give them in the contract’s order', () => {
    const text = '{"On-Call":["alert-change","READ","read","api"],"2nd":["WEBHOOKS"]}'
    expect(parseConfig({ ...good, GRANT_PRESETS: text }).roles).toEqual({
      'on-call': ['READ', 'ALERT_CHANGE', 'API'],
      '2nd': ['WEBHOOKS'],
    })
  })

  it.each([
    ['viewer=READ', 'must be JSON'],
    ['["READ"]', 'must be JSON'],
    ['{"viewer":"READ"}', 'must be JSON'],
    ['{"viewer":[]}', 'must be JSON'],
    ['{"viewer":["REED"]}', 'word 1 of 1 is not a flag.'],
    ['{"ops":["API"],"viewer":["READ","something","API"]}', 'word 2 of 3 is not a flag.'],
    ['{"help":["READ"]}', 'a role has the name of a flag, or a word that'],
    ['{"Via":["READ"]}', 'a role has the name of a flag, or a word that'],
    ['{"alert-assign":["READ"]}', 'a role has the name of a flag, or a word that'],
    ['{"on call":["READ"]}', 'a role has a name that can’t be used'],
    ['{"__proto__":["READ"]}', 'a role has a name that can’t be used'],
    ['{"a-b":["READ"],"A_B":["API"]}', 'two roles have the same name'],
  ])('%s are refused', (text, words) => {
    expect(problemOf({ GRANT_PRESETS: text })).toContain(`GRANT_PRESETS: ${words}`)
  })

  it.each([...flags, 'member'])('may not be called %s', (name) => {
    const text = JSON.stringify({ [name.toLowerCase()]: ['READ'] })
    expect(problemOf({ GRANT_PRESETS: text })).toContain('Rename the role.')
  })
})

describe('the rest', () => {
  it.each([
    [{ SEVERITY_NAMES: 'a,b,c' }, 'SEVERITY_NAMES: must have 8 names'],
    [{ SEVERITY_NAMES: 'a,b,c,d,e,f,g,' }, 'SEVERITY_NAMES: has an empty name'],
    [{ AUTH_PROVIDERS: 'Google,google' }, 'AUTH_PROVIDERS: has the same name twice'],
    [
      { AUTH_PROVIDERS: Array.from({ length: 101 }, (_, i) => `P${i}`).join() },
      'AUTH_PROVIDERS: has more than 100 names',
    ],
    [{ AUTH_PROVIDERS: 'x'.repeat(76) }, 'AUTH_PROVIDERS: has a name of more than 75 characters'],
    [{ PORT: '65536' }, 'PORT: must be a port from 0 to 65535'],
    [{ PORT: '-1' }, 'PORT: must be a port from 0 to 65535'],
    [{ PORT: '3e3' }, 'PORT: must be a port from 0 to 65535'],
    [{ HOST: 'http://x' }, 'HOST: is not an address to listen on'],
    [{ LOG_LEVEL: 'verbose' }, 'LOG_LEVEL: must be one of debug, info, warn, error'],
  ])('%j is refused', (changes, words) => {
    expect(problemOf(changes)).toContain(words)
  })

  it('is taken as it is written', () => {
    const config = parseConfig({
      ...good,
      SEVERITY_NAMES: 'a, b,c,d,e,f,g,h',
      AUTH_PROVIDERS: 'Azure AD',
      PORT: '0',
      HOST: '::1',
      LOG_LEVEL: 'WARN',
    })
    expect(config.severityNames).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
    expect(config).toMatchObject({ authProviders: ['Azure AD'], port: 0, host: '::1', logLevel: 'warn' })
  })
})

describe('a problem', () => {
  it('never repeats a secret, wherever an operator has put it', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9+/=_-]{16,60}$/)
    const prefix = fc.constantFrom(
      '',
      'xoxb-',
      'xapp-',
      'xoxp-',
      'k1:',
      'https://user:',
      'postgres://u:',
      'file:',
    )
    const suffix = fc.constantFrom('', ':k1', '@example.com/', ',', ' x')
    const name = fc.constantFrom(...settingNames)
    fc.assert(
      fc.property(fc.array(fc.tuple(name, prefix, secret, suffix), { minLength: 1 }), (settings) => {
        const environment = Object.fromEntries(
          settings.map(([one, before, text, after]) => [one, before + text + after]),
        )
        const told = problemsOf(environment).join('\n')
        for (const [, , text] of settings) expect(told).not.toContain(text)
      }),
      { numRuns: 500 },
    )
  })

  it('never repeats a secret that stands in GRANT_PRESETS, as a name or as a flag', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9+/=_-]{16,60}$/)
    const preset = fc.record({ name: fc.oneof(fc.constant('viewer'), secret), words: fc.array(secret) })
    fc.assert(
      fc.property(fc.array(preset, { minLength: 1, maxLength: 4 }), fc.string(), (presets, tail) => {
        const text = JSON.stringify(Object.fromEntries(presets.map(({ name, words }) => [name, words])))
        const told = [text, text + tail]
          .map((one) =>
            problemsOf({ ...good, GRANT_PRESETS: one })
              .join('\n')
              .toLowerCase(),
          )
          .join('\n')
        const secrets = presets.flatMap(({ name, words }) => [...(name === 'viewer' ? [] : [name]), ...words])
        for (const one of secrets) expect(told).not.toContain(one.toLowerCase())
      }),
    )
  })
})

describe('.env.example', () => {
  const lines = readFileSync('.env.example', 'utf8').split('\n')
  const names = lines.flatMap((line) => /^([A-Z_]+)=/.exec(line)?.[1] ?? [])

  it('has each setting, and no other', () => {
    expect(names.toSorted()).toEqual(settingNames.toSorted())
  })

  it('explains each one right above it', () => {
    for (const name of names) {
      const above = lines[lines.findIndex((line) => line.startsWith(`${name}=`)) - 1]
      expect(above, name).toMatch(/^# /)
    }
  })

  it('says the defaults as they are', () => {
    const { authProviders, severityNames, databaseUrl, host, port, logLevel } = parseConfig(good)
    const defaults = [authProviders.join(), severityNames.join(), databaseUrl, host, port, logLevel]
    for (const one of [...defaults, 'https://slack.com/api'])
      expect(lines.join('\n')).toContain(`Default: ${one}`)
  })
})
