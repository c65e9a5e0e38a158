// Settings: what is read from the environment, what is refused and in which words, and that no word is a secret.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Environment, parseConfig, parseKept, settingNames } from '../../src/config/config.ts'
import { ConfigError } from '../../src/errors.ts'
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

const configOf = (changes: Environment) => parseConfig({ ...good, ...changes })
const problemOf = (changes: Environment) => problemsOf({ ...good, ...changes }).join('\n')

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
        authorities: undefined,
      },
      alertUrl: undefined,
      hasAllOperations: true,
      authProviders: ['Password', 'Google', 'Microsoft'],
      severityNames: 'EMERGENCY,ALERT,CRITICAL,ERROR,WARNING,NOTICE,INFORMATIONAL,DEBUG'.split(','),
      roles: defaultRoles,
      timedFlags: {},
      unfurls: true,
      watch: { intervalMs: 30_000, ttlHours: 24 },
      follow: { intervalMs: 60_000 },
      audit: { channelId: undefined, days: 400 },
      approval: { flags: [], channelId: undefined, mention: [], ttlHours: 24 },
      ratePerMinute: 30,
      encryptionKeys: [{ id: 'k1', key: expect.anything() }],
      databaseUrl: 'file:./data/bellhop.db',
      publicUrl: undefined,
      host: '127.0.0.1',
      port: 3000,
      logLevel: 'info',
    })
  })

  it('are taken as they are written', () => {
    const config = configOf({
      SLACK_APP_TOKEN: 'xapp-1-abc',
      SLACK_SIGNING_SECRET: undefined,
      SEVERITY_NAMES: 'a, b,c,d,e,f,g,h',
      AUTH_PROVIDERS: 'Azure AD',
      WATCH_INTERVAL_SECONDS: '5',
      WATCH_TTL_HOURS: '720',
      UNFURL: 'off',
      AUDIT_CHANNEL: 'C0123ABCDEF',
      AUDIT_DAYS: '0',
      TIMED_FLAGS: 'container-admin:8h, BILLING:30m',
      APPROVAL_FLAGS: 'webhooks, container-admin,WEBHOOKS',
      APPROVAL_CHANNEL: 'C0123ABCD',
      APPROVAL_MENTION: 'U0123ABCD, S0123ABCD,U0123ABCD',
      APPROVAL_TTL_HOURS: '2',
      RATE_PER_MINUTE: '0',
      PORT: '0',
      HOST: '::1',
      LOG_LEVEL: 'WARN',
    })
    expect(config).toMatchObject({
      slack: { transport: { kind: 'socket', appToken: 'xapp-1-abc' } },
      severityNames: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
      authProviders: ['Azure AD'],
      watch: { intervalMs: 5_000, ttlHours: 720 },
      unfurls: false,
      audit: { channelId: 'C0123ABCDEF', days: 0 },
      timedFlags: { CONTAINER_ADMIN: 8 * 3_600_000, BILLING: 1_800_000 },
      approval: {
        flags: ['CONTAINER_ADMIN', 'WEBHOOKS'],
        channelId: 'C0123ABCD',
        mention: ['U0123ABCD', 'S0123ABCD'],
        ttlHours: 2,
      },
      ratePerMinute: 0,
      port: 0,
      host: '::1',
      logLevel: 'warn',
    })
  })

  it.each(['"', "'"])('are taken without the quotes that docker --env-file keeps: %s', (quote) => {
    const quoted = Object.fromEntries(
      Object.entries(good).map(([name, value]) => [name, quote + value + quote]),
    )
    expect(parseConfig({ ...quoted, PUBLIC_URL: quote + quote })).toEqual(parseConfig(good))
  })

  it('that are missing are told all at once, each with its mend', () => {
    const problems = problemsOf({})
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'SLACK_APP_TOKEN or SLACK_SIGNING_SECRET',
      'SLACK_BOT_TOKEN',
      'ENCRYPTION_KEYS',
    ])
    expect(problems.join()).toContain('npm run keygen')
  })

  it('that are wrong are told all at once, together with the missing ones', () => {
    const problems = problemsOf({
      PORT: 'x',
      HOST: 'a b',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://x',
    })
    expect(problems).toHaveLength(7)
  })

  it('lead to InfraSonar, and know its links, unless another service is set', () => {
    const { MONITOR_API_URL: _, ...others } = good
    expect(parseConfig(others)).toMatchObject({
      monitor: { apiUrl: 'https://api.infrasonar.com' },
      alertUrl: expect.stringMatching(
        /^https:\/\/app\.infrasonar\.com\/.*\{asset\}.*\{timestamp\}/,
      ),
    })
    const MONITOR_ALERT_URL = 'https://m.example.com/alert/{ks}'
    expect(parseConfig({ ...others, MONITOR_ALERT_URL }).alertUrl).toBe(MONITOR_ALERT_URL)
    expect(parseConfig(good).alertUrl).toBeUndefined()
  })

  it('are read with what a command needs alone', () => {
    const { DATABASE_URL, ENCRYPTION_KEYS } = {
      DATABASE_URL: 'file:x.db',
      ENCRYPTION_KEYS: `k1:${key(1)}`,
    }
    expect(parseKept({ DATABASE_URL, ENCRYPTION_KEYS })).toEqual({
      databaseUrl: DATABASE_URL,
      encryptionKeys: [{ id: 'k1', key: expect.anything() }],
      auditDays: 400,
    })
    expect(() => parseKept({ DATABASE_URL })).toThrow('ENCRYPTION_KEYS: is missing')
  })
})

describe('a setting', () => {
  const notAddress =
    'must be an https:// address that ends with its path, without a user, a password, ? or #. It looks like'
  const notAlert = 'is not the address of an alert with {ks} alone, or {asset} and {timestamp}'

  it.each<readonly [name: string, value: string, words: string]>([
    ['SLACK_BOT_TOKEN', 'xapp-1-abc', 'is not a bot token'],
    ['SLACK_BOT_TOKEN', 'xoxe.xoxb-1-abc', 'expires within hours'],
    ['SLACK_APP_TOKEN', 'xoxb-1-abc', 'is not an app-level token'],
    ['SLACK_SIGNING_SECRET', 'xoxb-1-abc', 'is not a signing secret.'],
    ['SLACK_SIGNING_SECRET', '0123456789abcdef-0123456789abcdef', 'is not a signing secret.'],
    ['SLACK_API_URL', 'x', `${notAddress} https://slack.com/api.`],
    ['PUBLIC_URL', 'x', `${notAddress} https://bellhop.example.com.`],
    [
      'MONITOR_API_URL',
      'monitoring.example.com',
      `${notAddress} https://monitoring.example.com/api.`,
    ],
    ['MONITOR_API_URL', 'http://monitoring.example.com', notAddress],
    ['MONITOR_API_URL', 'https://user:word@monitoring.example.com', notAddress],
    ['MONITOR_API_URL', 'https://monitoring.example.com/?key=1', notAddress],
    ['HTTPS_PROXY', 'socks5://gate.internal', 'is not the address of a proxy.'],
    ['HTTPS_PROXY', 'http://50%@gate.internal', 'is not the address of a proxy.'],
    ['MONITOR_ALERT_URL', 'https://m.example.com/alert', notAlert],
    ['MONITOR_ALERT_URL', 'https://m.example.com/{container}/{timestamp}', notAlert],
    ['MONITOR_ALERT_URL', 'https://m.example.com/{asset}{timestamp}', notAlert],
    ['MONITOR_ALERT_URL', 'https://{ks}.example.com/', notAlert],
    ['MONITOR_ALERT_URL', 'javascript://x/{ks}', notAlert],
    ['MONITOR_OPERATIONS', 'some', 'must be one of all, basic.'],
    [
      'MONITOR_CA_FILE',
      'package.json',
      'doesn’t name a file with a certificate that Bellhop can read.',
    ],
    ['SEVERITY_NAMES', 'a,b,c', 'must have 8 different names of 1 to 75 characters'],
    ['SEVERITY_NAMES', 'a,b,c,d,e,f,g,', 'must have 8 different names'],
    [
      'AUTH_PROVIDERS',
      'x'.repeat(76),
      'must have one or more different names of 1 to 75 characters',
    ],
    ['WATCH_INTERVAL_SECONDS', '0', 'must be a whole number from 1 to 3600.'],
    ['WATCH_TTL_HOURS', '721', 'must be a whole number from 1 to 720.'],
    ['AUDIT_CHANNEL', '#audit', 'is not a channel id'],
    ['AUDIT_DAYS', '-1', 'must be a whole number from 0 to 3650.'],
    ...['BILLING', 'BILLING:8', 'BILLING:91d', 'SOMETHING:8h'].map(
      (value) => ['TIMED_FLAGS', value, 'must be flags with the longest time'] as const,
    ),
    ['APPROVAL_FLAGS', 'READ,WEBHOKS', 'has a word that is not a flag.'],
    ['APPROVAL_CHANNEL', 'D0123ABCD', 'is not a channel id'],
    ['APPROVAL_MENTION', '<!channel>', 'must be at most 10 ids of people (U…)'],
    ['RATE_PER_MINUTE', '1001', 'must be a whole number from 0 to 1000.'],
    ['ENCRYPTION_KEYS', `a:${key(1, 16)}`, 'has a key that is not an id'],
    ['ENCRYPTION_KEYS', `a:${key(1)},a:${key(2)}`, 'two keys have the same id'],
    ...[
      'file:',
      'file:/',
      'file://',
      'file://host/x.db',
      'file::memory:',
      'file:./data/',
      './x.db',
    ].map((url) => ['DATABASE_URL', url, 'is not the address of a database.'] as const),
    ...[
      'postgres:h/d',
      'postgres://u:se/cret@h/d',
      'postgres://u:se#cret@h/d',
      'postgres://u:se%cret@h/d',
    ].map((url) => ['DATABASE_URL', url, '# is %23'] as const),
    ['DATABASE_URL', 'postgres://u:secret@h/', '# is %23'],
    ['DATABASE_URL', 'postgres://u:secret@h/a/b', '# is %23'],
    ['PORT', '65536', 'must be a whole number from 0 to 65535.'],
    ['HOST', 'http://x', 'is not an address to listen on.'],
    ['LOG_LEVEL', 'verbose', 'must be one of debug, info, warn, error'],
    ['GRANT_PRESETS', 'viewer=READ', 'must be JSON with the flags of each role'],
    ['GRANT_PRESETS', '{"viewer":[]}', 'must be JSON with the flags of each role'],
    [
      'GRANT_PRESETS',
      '{"ops":["API"],"viewer":["READ","something"]}',
      'The flags are READ, ALERT_ASSIGN, ',
    ],
    ['GRANT_PRESETS', '{"Via":["READ"]}', 'a role has a name that can’t be used'],
    ['GRANT_PRESETS', '{"due":["READ"]}', 'a role has a name that can’t be used'],
    ['GRANT_PRESETS', '{"a-b":["READ"],"A_B":["API"]}', 'each name once'],
  ])('%s is refused in one sentence: %s', (name, value, words) => {
    const problems = problemsOf({ ...good, [name]: value })
    expect(problems).toEqual([expect.stringContaining(words)])
    expect(problems[0]).toMatch(new RegExp(`^${name}: `))
  })

  it.each(['http://127.0.0.1:8080/api', 'http://localhost:1', 'http://[::1]:1/a'])(
    'that is an address may be %s',
    (url) => {
      const config = configOf({ MONITOR_API_URL: `${url}/`, SLACK_API_URL: url })
      expect([config.monitor.apiUrl, config.slack.apiUrl]).toEqual([url, `${url}/`])
    },
  )

  it('for the proxy is read in capitals and in small letters', () => {
    const [HTTPS_PROXY, NO_PROXY] = [
      'http://user:pass%20word@proxy.example.com:3128',
      'a.example.com, .b',
    ]
    const proxy = { url: `${HTTPS_PROXY}/`, except: NO_PROXY }
    expect(configOf({ HTTPS_PROXY, NO_PROXY }).proxy).toEqual(proxy)
    expect(configOf({ https_proxy: HTTPS_PROXY, no_proxy: NO_PROXY }).proxy).toEqual(proxy)
    expect(configOf({ NO_PROXY }).proxy).toBeUndefined()
  })

  it.each([
    'https://m.example.com/#/alert?ks={ks}&x=1',
    'https://m.example.com/alert?view={all}&ks={ks}',
    'https://m.example.com/{asset}/{timestamp}',
    'https://m.example.com/#/asset/{asset}?alert={timestamp}',
    'https://m.example.com/container/{container}/asset/{asset}/alert?condition={condition}&item={item}&alert={timestamp}',
  ])('for links of alerts may be %s', (url) => {
    expect(configOf({ MONITOR_ALERT_URL: url }).alertUrl).toBe(url)
  })

  it('for links without {ks} does nothing where nothing may be asked about them', () => {
    const MONITOR_ALERT_URL = 'https://m.example.com/{asset}/{timestamp}'
    const basic = configOf({ MONITOR_OPERATIONS: 'basic', MONITOR_ALERT_URL })
    expect(basic).toMatchObject({ hasAllOperations: false, alertUrl: undefined })
    const link = 'https://m.example.com/{ks}'
    expect(configOf({ MONITOR_OPERATIONS: 'basic', MONITOR_ALERT_URL: link }).alertUrl).toBe(link)
  })

  it.each([
    ...['file:./data/x.db', 'file:x.db', 'file:/var/lib/x.db', 'file:///var/lib/x.db'],
    ...[
      'postgres://h/d',
      'postgresql://u:p%40%23@h:5433/d?sslmode=verify-full&sslrootcert=/etc/ca.pem',
    ],
    ...[
      'postgres://u@[::1]/d',
      'postgres:///d?host=/var/run/postgresql',
      'postgres://%2Fvar%2Frun/d',
    ],
  ])('for the database may be %s', (url) => {
    expect(configOf({ DATABASE_URL: url }).databaseUrl).toBe(url)
  })

  it('for keys keeps their order: the first seals', () => {
    const { encryptionKeys } = configOf({ ENCRYPTION_KEYS: `b:${key(2)}, a:${key(1)}` })
    expect(encryptionKeys.map(({ id }) => id)).toEqual(['b', 'a'])
    expect(encryptionKeys.map((one) => one.key.export().toString('base64'))).toEqual([
      key(2),
      key(1),
    ])
  })

  it('for keys is taken as `npm run keygen` prints it', async () => {
    const { printed } = await runCommand(runKeygen, {})
    expect(printed).toMatch(/^k\d{8}\w*:\S{44}\n$/)
    expect(configOf({ ENCRYPTION_KEYS: printed }).encryptionKeys).toHaveLength(1)
  })
})

describe('a name that no setting has', () => {
  it('is told where it looks like one with a slip in it', () => {
    expect(
      problemOf({ APPROVAL_CHANEL: 'C0123ABCD', AUDIT_DAY: '7', SLACK_BOT_TOKNE: 'xoxb-1' }),
    ).toBe(
      [
        'APPROVAL_CHANEL: is no setting of Bellhop. Did you mean APPROVAL_CHANNEL?',
        'AUDIT_DAY: is no setting of Bellhop. Did you mean AUDIT_DAYS?',
        'SLACK_BOT_TOKNE: is no setting of Bellhop. Did you mean SLACK_BOT_TOKEN?',
      ].join('\n'),
    )
  })

  it('is nobody’s trouble where it is empty, or another program’s', () => {
    const others = {
      HTTP_PROXY: 'x',
      POST: 'x',
      HOSTNAME: 'x',
      NODE_EXTRA_CA_CERTS: 'x',
      UNFURLS: 'x',
    }
    expect(problemOf({ APPROVAL_CHANEL: ' ', ...others })).toBe('')
  })
})

describe('a problem', () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9+/=_-]{16,60}$/)

  it('never repeats a secret, wherever an operator has put it', () => {
    const prefixes = [
      '',
      'xoxb-',
      'xapp-',
      'xoxp-',
      'k1:',
      'https://user:',
      'postgres://u:',
      'file:',
      '"',
    ]
    const prefix = fc.constantFrom(...prefixes)
    const suffix = fc.constantFrom('', ':k1', '@example.com/', ',', ' x', '"')
    const name = fc.constantFrom(...settingNames)
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, prefix, secret, suffix), { minLength: 1 }),
        (settings) => {
          const environment = Object.fromEntries(
            settings.map(([one, before, text, after]) => [one, before + text + after]),
          )
          const told = problemsOf(environment).join('\n')
          for (const [, , text] of settings) expect(told).not.toContain(text)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('never repeats a secret that stands in GRANT_PRESETS, as a name or as a flag', () => {
    const preset = fc.record({
      name: fc.oneof(fc.constant('viewer'), secret),
      words: fc.array(secret),
    })
    fc.assert(
      fc.property(
        fc.array(preset, { minLength: 1, maxLength: 4 }),
        fc.string(),
        (presets, tail) => {
          const text = JSON.stringify(
            Object.fromEntries(presets.map(({ name, words }) => [name, words])),
          )
          const told = [text, text + tail]
            .map((one) => problemOf({ GRANT_PRESETS: one }))
            .join('\n')
          const secrets = presets.flatMap(({ name, words }) => [
            ...(name === 'viewer' ? [] : [name]),
            ...words,
          ])
          for (const one of secrets) expect(told.toLowerCase()).not.toContain(one.toLowerCase())
        },
      ),
    )
  })
})

describe('.env.example', () => {
  const lines = readFileSync('.env.example', 'utf8').split('\n')
  // An empty HOST would take away what the image sets: its line is commented out.
  const names = lines.flatMap((line) => /^(?:# (?=HOST=))?([A-Z_]+)=/.exec(line)?.[1] ?? [])

  it('has each setting, and no other', () => {
    expect(names.toSorted()).toEqual(settingNames.toSorted())
  })

  it('explains each one right above it', () => {
    for (const name of names) {
      const above =
        lines[lines.findIndex((line) => line.replace('# ', '').startsWith(`${name}=`)) - 1]
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
