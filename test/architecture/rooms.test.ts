// The rules of the architecture, each with its reason: what a room may import, where a vendor lives,
// which files are pure.
import { describe, expect, it } from 'vitest'
import { floorOf, readAll, readSources, roomOf, type SourceFile } from './source.ts'

const sources = readSources()
const all = readAll()

/** Which rooms a room may import from. What is not listed is not allowed. */
const mayImport: Readonly<Record<string, { readonly rooms: readonly string[]; readonly because: string }>> = {
  main: {
    rooms: ['app', 'config', 'errors', 'log', 'storage', 'terminal'],
    because: 'it starts and stops, and knows no feature',
  },
  app: {
    rooms: [
      ...['account', 'act', 'alert', 'approval', 'doctor', 'grant', 'ground', 'home', 'mention'],
      ...['rooms', 'send', 'slack', 'watch', 'web', 'work'],
    ],
    because: 'it is the one list of what the bot listens to',
  },
  rooms: {
    rooms: [
      ...['account', 'act', 'alert', 'approval', 'config', 'doctor', 'errors', 'grant', 'ground', 'home'],
      ...['http', 'keys', 'names', 'sending-rooms', 'slack', 'storage', 'watch', 'work'],
    ],
    because: 'it is the one place that joins features which must not know each other',
  },
  'sending-rooms': {
    rooms: [
      ...['account', 'act', 'alert', 'approval', 'grant', 'ground', 'names', 'send', 'slack'],
      ...['watch'],
    ],
    because: 'it joins the features that send, for rooms',
  },
  ground: {
    rooms: [
      ...['account', 'audit', 'config', 'errors', 'http', 'log', 'metrics', 'monitor', 'slack'],
      ...['storage', 'watch'],
    ],
    because: 'every feature stands on it, so it knows none, but for how quick a test wants the poller',
  },
  terminal: {
    rooms: [
      ...['account', 'alert', 'audit', 'config', 'doctor', 'errors', 'keys', 'log', 'monitor', 'slack'],
      // Doctor asks Slack about the gallery when told to.
      ...['storage', 'web', 'playground'],
    ],
    because: 'each command of the operator does one thing where no bot runs',
  },
  home: {
    rooms: ['account', 'alert', 'log', 'send', 'slack', 'watch', 'work'],
    because: 'it shows one person what is theirs; grants and requests come to it through ports',
  },
  watch: {
    rooms: ['account', 'alert', 'errors', 'log', 'monitor', 'names', 'slack', 'work'],
    because: 'a live card is a card that goes on; cards must not know who keeps them live',
  },
  act: {
    rooms: [
      'account',
      'alert',
      'audit',
      'errors',
      'log',
      'metrics',
      'monitor',
      'names',
      'send',
      'slack',
      'work',
    ],
    because: 'it changes alerts; cards must not know who changes what they show',
  },
  names: {
    rooms: ['account', 'errors', 'monitor', 'slack', 'work'],
    because:
      'what a number of the service stands for is the same on cards and in forms, which it does not know',
  },
  alert: {
    rooms: ['account', 'audit', 'errors', 'log', 'monitor', 'names', 'slack', 'work'],
    because: 'alerts stand on accounts, and must not know grants',
  },
  approval: {
    rooms: ['account', 'audit', 'errors', 'grant', 'log', 'send', 'slack', 'work'],
    because: 'an approval is a grant with a second pair of eyes; grants must not know who may be asked',
  },
  grant: {
    rooms: ['account', 'audit', 'errors', 'log', 'metrics', 'send', 'slack', 'work'],
    because:
      'grants stand on accounts and sends, and must not know alerts; only sends ask the service; a form does not wait long for a name',
  },
  send: {
    rooms: ['errors', 'log', 'monitor', 'slack', 'work'],
    because:
      'a write is sent once, whatever it is for: a send knows no feature, and each says what it does about its own',
  },
  mention: {
    rooms: ['slack'],
    because: 'it finds the command in what somebody writes, and does not do the job',
  },
  account: {
    rooms: ['audit', 'errors', 'log', 'monitor', 'slack', 'work'],
    because: 'accounts must not know who waits for one: they declare a port, and app supplies it',
  },
  keys: {
    rooms: ['account'],
    because: 'it seals anew whatever is sealed, without knowing what that is for',
  },
  doctor: {
    rooms: ['account', 'config', 'errors', 'keys', 'log', 'monitor', 'slack', 'work'],
    because: 'it looks at everything through ports, and knows no feature',
  },
  audit: {
    rooms: ['log', 'send', 'slack', 'work'],
    because: 'whatever happens is written down in the same words: it knows no feature, and they call it',
  },
  metrics: {
    rooms: ['work'],
    because: 'whoever does something counts it: it knows nobody',
  },
  monitor: {
    rooms: ['config', 'errors', 'http', 'log', 'metrics', 'work'],
    because: 'the service is the same whoever asks, in Slack or not',
  },
  slack: {
    rooms: ['errors', 'http', 'log', 'metrics', 'work'],
    because: 'what every feature needs of Slack knows no feature',
  },
  web: {
    rooms: ['account', 'config', 'errors', 'http', 'log', 'slack', 'work'],
    because: 'probes and pages are joined to the rest by app; a page takes what a room wants to know',
  },
  storage: {
    rooms: [
      ...['account', 'act', 'alert', 'approval', 'audit', 'doctor', 'errors', 'grant', 'home'],
      ...['keys', 'log', 'names', 'send', 'slack', 'watch', 'work'],
    ],
    because: 'it implements the ports that features declare',
  },
  config: {
    rooms: ['account', 'alert', 'errors', 'grant', 'http', 'log', 'slack'],
    because: 'it parses settings into what rooms take',
  },
  http: { rooms: [], because: 'it carries requests, and knows neither Slack nor the service' },
  log: { rooms: ['errors'], because: 'everybody logs' },
  work: { rooms: ['log'], because: 'it runs work, whatever that is' },
  errors: { rooms: [], because: 'everybody throws' },
}

/**
 * Which floors a floor may import from, in rooms that have them. A room's files beside its floors put them together or
 * are for all of them: they are no floor.
 */
const floors: Readonly<Record<string, { readonly floors: readonly string[]; readonly because: string }>> = {
  'act/assign': {
    floors: ['act/render', 'alert/render'],
    because: 'it finds out who gets an alert, and forms of other acts do not ask that',
  },
  'act/render': { floors: ['alert/render'], because: 'what is drawn does not know who asked for it' },
  'alert/render': { floors: [], because: 'what is drawn does not know who asked for it' },
  'approval/render': { floors: [], because: 'what is drawn does not know who asked for it' },
  'grant/line': { floors: [], because: 'what is typed is read in one way, wherever it is typed' },
  'grant/render': { floors: ['grant/line'], because: 'what is drawn does not know who asked for it' },
  'grant/form': {
    floors: ['grant/line', 'grant/render'],
    because: 'it is one more way to ask for a grant, and confirms like the others',
  },
  'slack/guard': {
    floors: [
      'slack/client',
      'slack/gate',
      'slack/inbound',
      'slack/outbound',
      'slack/text',
      'slack/workspace',
    ],
    because: 'it stands between what comes in and the features, and may answer in their place',
  },
  'slack/gate': {
    floors: ['slack/outbound', 'slack/text'],
    because: 'it counts who asks, whatever they ask for',
  },
  'slack/inbound': {
    floors: ['slack/client'],
    because: 'it takes requests from the wire, and does not know whose they are',
  },
  'slack/workspace': {
    floors: ['slack/client', 'slack/outbound', 'slack/text'],
    because: 'what is known of a workspace is asked of Slack, and does not depend on who asks',
  },
  'slack/outbound': {
    floors: ['slack/client', 'slack/text'],
    because: 'it sends what it is given, whoever it is for',
  },
  'slack/client': { floors: [], because: 'it talks to Slack, and knows no message' },
  'slack/text': { floors: [], because: 'text is text' },
  'storage/stores': { floors: [], because: 'a store works on both engines' },
  'storage/sqlite': { floors: ['storage/stores'], because: 'an engine knows no other engine' },
  'storage/postgres': { floors: ['storage/stores'], because: 'an engine knows no other engine' },
  'storage/migrations': { floors: [], because: 'a migration stays as it was, whatever the code becomes' },
}

/** A vendor's package is imported in its own house, so that changing it touches one room. */
const vendorHouses: readonly {
  readonly vendor: RegExp
  readonly houses: RegExp
  readonly because: string
}[] = [
  {
    vendor: /^undici$/,
    houses: /^src\/(http\/|monitor\/|slack\/client\/transport\.ts$)/,
    because: 'requests go out from the client of the service, and as the transport of Slack’s client',
  },
  {
    vendor: /^(kysely|kysely\/.*|pg|node:sqlite)$/,
    houses: /^src\/storage\//,
    because: 'stores are ports; only storage knows a database',
  },
  {
    vendor: /^leven$/,
    houses: /^src\/(grant\/line\/extras\.ts$|alert\/input\.ts$|config\/)/,
    because: 'hints for mistyped names are made where names are parsed',
  },
  {
    vendor: /^lru-cache$/,
    houses: /^src\/(audit|install|monitor|names|slack)\//,
    because: 'only what the service says, and what is known of workspaces and people, is kept for a while',
  },
  { vendor: /^prom-client$/, houses: /^src\/metrics\//, because: 'rooms tell what happened; one counts' },
  {
    vendor: /^@slack\/bolt\/./,
    houses: /^src\/slack\/client\/bolt\.ts$/,
    because: 'the files of a package may move, so that they are named in one place',
  },
  {
    vendor: /^pino$/,
    houses: /^src\/log\//,
    because: 'what is logged is redacted in one place',
  },
  {
    vendor: /^yaml$/,
    houses: /^src\/(web|terminal)\/manifest\.ts$/,
    because: 'only the manifest is YAML',
  },
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
  const imports = all.find((one) => one.path === path)?.imports ?? []
  for (const { path: next } of imports) {
    const circle = next && circleFrom(next, [...way, path], isDone)
    if (circle) return circle
  }
  isDone.add(path)
  return undefined
}

it('no file imports itself by way of others, types included: each can be read before those that use it', () => {
  const isDone = new Set<string>()
  const circle = all.map(({ path }) => circleFrom(path, [], isDone)).find((way) => way !== undefined)
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

  it('have floors, which import only from the floors they stand on', () => {
    const broken = inProduct.flatMap((file) => {
      const floor = floorOf(file.path)
      if (floor === undefined) return []
      const rule = floors[floor]
      if (rule === undefined) return [`${file.path}: no rule for floor ${floor}; add a row with its reason`]
      return file.imports
        .flatMap(({ path }) =>
          path !== undefined && roomOf(path) === file.room ? (floorOf(path) ?? []) : [],
        )
        .filter((other) => other !== floor && !rule.floors.includes(other))
        .map((other) => say(file, `imports from ${other}`, rule.because))
    })
    expect(broken).toEqual([])
  })

  it('do not import the playground: npm start must not load it', () => {
    const broken = inProduct.filter(({ room, imports }) =>
      imports.some(
        ({ path, isDynamic }) =>
          path?.startsWith('playground') &&
          // Doctor asks Slack about the gallery when told to, and runs where there is none.
          !(room === 'terminal' && isDynamic),
      ),
    )
    expect(broken.map(({ path }) => path)).toEqual([])
  })

  it('of storage are entered by their door: the rest of the product sees ports', () => {
    const broken = inProduct
      .filter(({ room }) => !['storage', 'ground', 'rooms', 'main', 'terminal'].includes(room))
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
  it.each([['node:http', 'Node then loads its own fetch as well: take it with process.getBuiltinModule']])(
    'is imported for its types alone: %s',
    (name, because) => {
      const broken = inProduct.flatMap((file) =>
        file.imports
          .filter(({ specifier, isTypeOnly }) => specifier === name && !isTypeOnly)
          .map(() => say(file, `imports ${name}`, because)),
      )
      expect(broken).toEqual([])
    },
  )
})

describe('pure files', () => {
  const isPure = ({ path, name, text }: SourceFile) =>
    // Whatever says so in its opening comment is held to it.
    /^(?:\/\/.*\n)*\/\/.*\bPure\b/.test(text) ||
    path.includes('/render/') ||
    path.includes('/line/') ||
    /^(input(-.*)?|flags|modal|outcome|render(-.*)?|words)$/.test(name)
  const pure = inProduct.filter(isPure)

  it('exist', () => {
    expect(pure.length).toBeGreaterThan(50)
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
    const entries = ['src/main.ts', 'src/terminal/command.ts']
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

describe('exports', () => {
  // A type may be exported for its name alone, in the signature of another export.
  const exported = all.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:abstract |async )?(?:function\*?|const|let|class) (\w+)/gm)].map(
      ([, name = '']) => ({ name, path }),
    ),
  )
  const imports = all.flatMap((file) => file.imports)
  const taken = new Set(imports.flatMap(({ path, names }) => (names ?? []).map((name) => `${path} ${name}`)))
  const open = new Set(imports.filter(({ names }) => names === undefined).map(({ path }) => path))
  const unread = exported
    .filter(({ name, path }) => !open.has(path) && !taken.has(`${path} ${name}`))
    .map(({ name, path }) => `${path} ${name}`)

  it('are imported somewhere, so that what nobody uses is seen by the compiler', () => {
    expect(unread).toEqual([])
  })
})
