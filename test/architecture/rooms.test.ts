// The rules of the architecture, each with its reason: what a room may import, where a vendor lives,
// which files are pure.
import { describe, expect, it } from 'vitest'
import { readSources, roomOf, type SourceFile } from './source.ts'

const sources = readSources()

/** Which rooms a room may import from. What is not listed is not allowed. */
const mayImport: Readonly<Record<string, { readonly rooms: readonly string[]; readonly because: string }>> = {
  main: {
    rooms: ['app', 'config', 'errors', 'log', 'storage', 'terminal', 'version'],
    because: 'it starts and stops, and knows no feature',
  },
  'migrate-database': {
    rooms: ['config', 'errors', 'storage', 'terminal'],
    because: 'it is one step of the start, made apart from it',
  },
  'backup-database': {
    rooms: ['config', 'errors', 'storage', 'terminal'],
    because: 'it copies the database, and knows nothing of what is in it',
  },
  'rotate-keys': {
    rooms: ['account', 'config', 'errors', 'keys', 'storage', 'terminal'],
    because: 'it changes how things are sealed, and starts nothing of the bot',
  },
  'doctor-terminal': {
    rooms: [
      'alert',
      'config-readable',
      'doctor',
      'errors',
      'keys',
      'log',
      'monitor',
      'playground',
      'slack',
      'storage',
      'terminal',
    ],
    because: 'it examines what a start would use, where no bot runs, and asks Slack about the gallery',
  },
  'read-audit': {
    rooms: ['audit', 'config', 'errors', 'keys', 'storage', 'terminal'],
    because: 'it prints what is in the trail, and starts nothing of the bot',
  },
  app: {
    rooms: [
      'account',
      'alert',
      'approval',
      'doctor',
      'grant',
      'home',
      'install',
      'mention',
      'pages',
      'rooms',
      'slack',
      'watch',
      'web',
      'world',
    ],
    because: 'it is the one list of what the bot listens to',
  },
  pages: {
    rooms: ['account', 'config-installed', 'rooms', 'web', 'world'],
    because: 'it joins pages to rooms, apart from what a bot without pages loads',
  },
  rooms: {
    rooms: [
      'account',
      'alert',
      'approval',
      'audit',
      'body-budget',
      'config',
      'doctor',
      'errors',
      'grant',
      'home',
      'install',
      'keys',
      'log',
      'metrics',
      'monitor',
      'slack',
      'storage',
      'watch',
      'world',
    ],
    because: 'it is the one place that joins features which must not know each other',
  },
  world: {
    rooms: ['body-budget', 'config', 'errors', 'log', 'monitor', 'slack', 'storage', 'watch'],
    because: 'it names what is handed in from outside, and does nothing',
  },
  home: {
    rooms: ['account', 'alert', 'log', 'slack', 'turns', 'watch'],
    because: 'it shows one person what is theirs; grants and requests come to it through ports',
  },
  watch: {
    rooms: ['account', 'alert', 'errors', 'log', 'monitor', 'request', 'slack', 'trouble', 'turns'],
    because: 'a live card is a card that goes on; cards must not know who keeps them live',
  },
  alert: {
    rooms: ['account', 'audit', 'errors', 'log', 'monitor', 'slack', 'turns'],
    because: 'alerts stand on accounts, and must not know grants',
  },
  approval: {
    rooms: ['account', 'audit', 'errors', 'every', 'grant', 'lease', 'log', 'slack', 'tell-each'],
    because: 'an approval is a grant with a second pair of eyes; grants must not know who may be asked',
  },
  grant: {
    rooms: [
      'account',
      'audit',
      'errors',
      'every',
      'lease',
      'log',
      'monitor',
      'request',
      'slack',
      'tell-each',
    ],
    because: 'grants stand on accounts, and must not know alerts',
  },
  mention: {
    rooms: ['slack'],
    because: 'it finds the command in what somebody writes, and does not do the job',
  },
  account: {
    rooms: ['audit', 'errors', 'every', 'log', 'monitor', 'request', 'slack'],
    because: 'accounts must not know who waits for one: they declare a port, and app supplies it',
  },
  keys: {
    rooms: ['account'],
    because: 'it seals anew whatever is sealed, without knowing what that is for',
  },
  doctor: {
    rooms: [
      'account',
      'config',
      'config-installed',
      'config-readable',
      'errors',
      'keys',
      'log',
      'monitor',
      'one-line',
      'proxy',
      'slack',
      'version',
    ],
    because: 'it looks at everything through ports, and knows no feature',
  },
  audit: {
    rooms: ['errors', 'every', 'log', 'request', 'slack'],
    because: 'whatever happens is written down in the same words: it knows no feature, and they call it',
  },
  install: {
    rooms: ['account', 'audit', 'errors', 'log', 'slack'],
    because: 'where the bot is installed is known before anybody asks anything of a feature',
  },
  metrics: {
    rooms: ['errors', 'grant', 'monitor', 'request', 'slack'],
    because: 'it counts what others tell it of, and asks for nothing',
  },
  monitor: {
    rooms: ['errors', 'exchange', 'log', 'proxy', 'request', 'trouble', 'version'],
    because: 'the service is the same whoever asks, in Slack or not',
  },
  slack: {
    rooms: ['body-budget', 'errors', 'every', 'exchange', 'log', 'proxy', 'read-body', 'request', 'trouble'],
    because: 'what every feature needs of Slack knows no feature',
  },
  web: {
    rooms: [
      ...['account', 'body-budget', 'config-installed', 'errors', 'install', 'log', 'read-body', 'slack'],
      ...['terminal', 'version'],
    ],
    because: 'probes and pages are joined to the rest by app; a page takes what a room wants to know',
  },
  storage: {
    rooms: [
      'account',
      'alert',
      'approval',
      'audit',
      'doctor',
      'errors',
      'every',
      'grant',
      'home',
      'install',
      'keys',
      'log',
      'monitor',
      'slack',
      'trouble',
      'turns',
      'watch',
    ],
    because: 'it implements the ports that features declare',
  },
  'config-values': { rooms: ['account'], because: 'it reads the text of single settings' },
  'config-values-slack': {
    rooms: ['config-values'],
    because: 'it reads the text of single settings',
  },
  'config-slack': { rooms: [], because: 'it tells which settings of Slack go together' },
  'config-installed': {
    rooms: ['config', 'config-slack', 'errors'],
    because: 'it reads what the manifest depends on, before all is set',
  },
  'config-certificates': { rooms: ['config-values'], because: 'it reads the file that one setting names' },
  'config-presets': {
    rooms: ['config-values', 'grant'],
    because: 'it reads the text of one setting, which names flags',
  },
  'config-readable': {
    rooms: ['account', 'config', 'errors', 'proxy'],
    because: 'it reads settings one by one, where others are wrong',
  },
  config: {
    rooms: [
      'account',
      'config-certificates',
      'config-presets',
      'config-slack',
      'config-values',
      'config-values-slack',
      'errors',
      'grant',
      'log',
      'proxy',
    ],
    because: 'it parses settings into what rooms take',
  },
  every: { rooms: [], because: 'a clock that ticks knows nothing' },
  trouble: { rooms: ['log'], because: 'it says when something begins and ends, whatever that is' },
  turns: { rooms: [], because: 'turns are taken whatever the work is' },
  'tell-each': {
    rooms: ['lease', 'request'],
    because: 'it keeps hold of what waits to be told, whatever that is',
  },
  lease: { rooms: [], because: 'a lease knows nothing of what it is on' },
  proxy: { rooms: [], because: 'it makes connections, and knows neither Slack nor the service' },
  exchange: { rooms: [], because: 'it carries requests, and knows neither Slack nor the service' },
  'read-body': { rooms: ['body-budget'], because: 'it reads what comes, and does not know what it is' },
  'body-budget': { rooms: [], because: 'it counts bytes, whoever they are of' },
  log: { rooms: ['log-line', 'log-output', 'request'], because: 'everybody logs' },
  'log-output': { rooms: [], because: 'it writes lines, whatever is in them' },
  'log-line': { rooms: ['one-line'], because: 'it turns one line into another' },
  'one-line': { rooms: [], because: 'it knows nothing of what is in a line' },
  terminal: { rooms: ['errors', 'one-line'], because: 'it prints whatever a command has to say' },
  request: { rooms: ['errors'], because: 'whatever is done for somebody is done in a request' },
  version: { rooms: [], because: 'it says which version this is' },
  errors: { rooms: [], because: 'everybody throws' },
}

/** A vendor's package is imported in its own house, so that changing it touches one room. */
const vendorHouses: readonly {
  readonly vendor: RegExp
  readonly houses: RegExp
  readonly because: string
}[] = [
  {
    vendor: /^undici$/,
    houses: /^src\/(exchange\.ts|proxy\.ts|monitor\/|slack\/transport\.ts)/,
    because: 'requests go out from the client of the service, and as the transport of Slack’s client',
  },
  {
    vendor: /^(kysely|kysely\/.*|pg|node:sqlite)$/,
    houses: /^src\/storage\//,
    because: 'stores are ports; only storage knows a database',
  },
  {
    vendor: /^leven$/,
    houses: /^src\/grant\/input-flags\.ts|^src\/config/,
    because: 'hints for mistyped names are made where names are parsed',
  },
  {
    vendor: /^lru-cache$/,
    houses: /^src\/(audit|install|monitor|slack)\//,
    because: 'only what the service says, and what is known of workspaces and people, is kept for a while',
  },
  { vendor: /^prom-client$/, houses: /^src\/metrics\//, because: 'rooms tell what happened; one counts' },
  {
    vendor: /^@slack\/bolt\/./,
    houses: /^src\/slack\/bolt\.ts$/,
    because: 'the files of a package may move, so that they are named in one place',
  },
  {
    vendor: /^pino$/,
    houses: /^src\/log(-output)?\.ts$/,
    because: 'what is logged is redacted in one place',
  },
  { vendor: /^yaml$/, houses: /^src\/web\//, because: 'only the manifest is YAML' },
]

const inProduct = sources.filter(({ room }) => room !== 'playground')

function say(file: SourceFile, what: string, because: string): string {
  return `${file.path} ${what}, but: ${because}`
}

/** Files that lead back to themselves by what they import, as far as this file leads to them: the first such way. */
function circleFrom(
  path: string,
  way: readonly string[],
  isDone: Set<string>,
): readonly string[] | undefined {
  if (way.includes(path)) return [...way.slice(way.indexOf(path)), path]
  if (isDone.has(path)) return undefined
  const imports = sources.find((one) => one.path === path)?.imports ?? []
  for (const { path: next } of imports) {
    const circle = next && circleFrom(next, [...way, path], isDone)
    if (circle) return circle
  }
  isDone.add(path)
  return undefined
}

it('no file imports itself by way of others, types included: each can be read before those that use it', () => {
  const isDone = new Set<string>()
  const circle = sources.map(({ path }) => circleFrom(path, [], isDone)).find((way) => way !== undefined)
  expect(circle?.join(' → ')).toBeUndefined()
})

describe('rooms', () => {
  it('import only from the rooms they stand on', () => {
    const broken = inProduct.flatMap((file) => {
      const rule = mayImport[file.room]
      if (rule === undefined)
        return [`${file.path}: no rule for room ${file.room}; add a row with its reason`]
      return file.imports
        .flatMap(({ path }) => (path === undefined ? [] : [roomOf(path)]))
        .filter((room) => room !== file.room && !rule.rooms.includes(room))
        .map((room) => say(file, `imports from ${room}`, rule.because))
    })
    expect(broken).toEqual([])
  })

  it('do not import the playground: npm start must not load it', () => {
    const broken = inProduct.filter(({ room, imports }) =>
      imports.some(
        ({ path, isDynamic }) =>
          path?.startsWith('playground') &&
          // Doctor asks Slack about the gallery when told to, and runs where there is none.
          !(room === 'doctor-terminal' && isDynamic),
      ),
    )
    expect(broken.map(({ path }) => path)).toEqual([])
  })

  it('of storage are entered by their door: the rest of the product sees ports', () => {
    const broken = inProduct
      .filter(
        ({ room }) =>
          ![
            ...['storage', 'rooms', 'world', 'main', 'migrate-database', 'backup-database', 'rotate-keys'],
            ...['doctor-terminal', 'read-audit'],
          ].includes(room),
      )
      .filter(({ imports }) => imports.some(({ path }) => path?.startsWith('src/storage/')))
    expect(broken.map(({ path }) => path)).toEqual([])
  })
})

describe('vendors', () => {
  it('stay in their houses', () => {
    const broken = inProduct.flatMap((file) =>
      file.imports.flatMap(({ specifier }) =>
        vendorHouses
          .filter(({ vendor, houses }) => vendor.test(specifier) && !houses.test(file.path))
          .map(({ because }) => say(file, `imports ${specifier}`, because)),
      ),
    )
    expect(broken).toEqual([])
  })

  it('of Slack are used in slack and app, and as types elsewhere', () => {
    const broken = inProduct
      .filter(({ room }) => room !== 'slack' && room !== 'app')
      .filter(({ imports }) =>
        imports.some(({ specifier, isTypeOnly }) => specifier.startsWith('@slack/') && !isTypeOnly),
      )
    expect(broken.map(({ path }) => path)).toEqual([])
  })
})

describe('what would load far more than is used of it', () => {
  it.each([
    ['@slack/bolt', 'its index loads Express; slack/bolt.ts has what is needed'],
    ['node:http', 'Node then loads its own fetch as well: take it with process.getBuiltinModule'],
  ])('is imported for its types alone: %s', (name, because) => {
    const broken = inProduct.flatMap((file) =>
      file.imports
        .filter(({ specifier, isTypeOnly }) => specifier === name && !isTypeOnly)
        .map(() => say(file, `imports ${name}`, because)),
    )
    expect(broken).toEqual([])
  })
})

describe('pure files', () => {
  const isPure = ({ name }: SourceFile) => /^(input(-.*)?|flags|modal|render(-.*)?)$/.test(name)
  const pure = inProduct.filter(isPure)

  it('exist', () => {
    expect(pure.length).toBeGreaterThan(5)
  })

  it('have no clock, no chance, no environment and no promise, so that a table of cases can test them', () => {
    const impure =
      /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\.|\bfetch\(|\bawait\b|\basync\b|randomUUID/
    expect(pure.filter(({ text }) => impure.test(text)).map(({ path }) => path)).toEqual([])
  })

  it('import nothing of Node that reaches outside', () => {
    const outside = /^node:(?!crypto$)/
    const broken = pure.filter(({ imports }) => imports.some(({ specifier }) => outside.test(specifier)))
    expect(broken.map(({ path }) => path)).toEqual([])
  })
})

describe('the environment', () => {
  it('is read by entry points only, and parsed by config', () => {
    const entries = [
      ...['src/main.ts', 'src/terminal/migrate.ts', 'src/terminal/doctor.ts', 'src/terminal/audit.ts'],
      ...['src/terminal/backup.ts', 'src/terminal/rotate-keys.ts', 'src/terminal/manifest.ts'],
    ]
    const broken = inProduct.filter(({ path, text }) => /process\.env/.test(text) && !entries.includes(path))
    expect(broken.map(({ path }) => path)).toEqual([])
  })
})

describe('files', () => {
  it('say what they are for in their first line', () => {
    const silent = sources.filter(({ text }) => !text.startsWith('// ') && !text.startsWith('#!'))
    expect(silent.map(({ path }) => path)).toEqual([])
  })
})
