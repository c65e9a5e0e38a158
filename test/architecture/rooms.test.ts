// The rules of the architecture, each with its reason: which way imports go between rooms, where a vendor lives, which
// files are pure.
//
// A room is a folder of `src`, or a file of it beside them. From top to bottom: what starts the bot, then storage, the ways
// in, the features, and what every feature stands on. Imports go down. `house.ts` is the one exception: it is the type of
// what every operation is given first, so it knows everything, and everybody may take it, as a type.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { floorOf, readAll, readSources, roomOf, type SourceFile } from './source.ts'

const sources = readSources()
const all = readAll()

interface Room {
  /** Rooms further down that it imports from; what is not listed is not allowed. */
  readonly down?: string
  /** Rooms further up, which its reason explains. */
  readonly up?: string
  readonly because: string
}

/** From top to bottom. */
const rooms: Readonly<Record<string, Room>> = {
  main: {
    down: 'terminal app storage config log errors',
    because: 'it starts and stops, and knows no feature',
  },
  terminal: {
    down: 'storage doctor config keys account audit slack monitor work log errors',
    because: 'each command of the operator does one thing where no bot runs',
  },
  app: {
    down: `build storage home commands web ends approval maintenance act follow grant live alert names keys account send
      slack monitor metrics work errors`,
    because: 'it is the one list of what the bot listens to, and of what it does in the background',
  },
  build: {
    down: 'storage config ends follow live names account audit slack monitor work log errors',
    because: 'it is the one place that makes the house',
  },
  storage: {
    down: 'ends maintenance follow live alert names account audit send slack metrics work log errors',
    because: 'it keeps what rooms say that they have to keep, by their types',
  },
  home: {
    down: 'ends approval follow grant live alert names account send slack',
    because: 'it shows one person what is theirs, of each feature',
  },
  commands: {
    down: 'doctor ends maintenance act follow grant live alert names account slack log errors',
    because: 'a line that is typed, or a choice in a menu, leads to any feature',
  },
  doctor: {
    up: 'storage',
    down: 'config ends maintenance alert names keys account slack monitor work log errors',
    because:
      'it looks at whatever a feature stands on, the database too, and says what a followed channel is not told, since when',
  },
  web: {
    down: 'config account http work log errors',
    because: 'it has pages and probes; app says where they are found',
  },
  config: {
    down: 'grant alert account slack http log errors',
    because: 'it parses settings into what rooms take',
  },
  approval: {
    down: 'ends grant names account send slack work errors',
    because:
      'an approval is a grant with a second pair of eyes, or more time for one; neither must know who may be asked',
  },
  ends: {
    down: 'grant names send slack monitor work errors',
    because:
      'an end takes back what a grant has given, by a write of the same kind, and says so in the same words',
  },
  maintenance: {
    up: 'storage',
    down: 'act follow grant alert names account send slack monitor metrics work log errors',
    because:
      'it is asked for on cards and by line, with a time as grants have it, and follows hear of it; whoever lacks the flag asks for it as acts do. It is a document: storage has the types of its key and of what it is found by',
  },
  act: {
    down: 'grant live alert names account send slack monitor metrics work log errors',
    because:
      'it changes alerts, from the menu of their cards too, and has cards brought up to date as every change does; cards must not know who changes what they show. Whoever lacks a flag can ask for it, and be given it',
  },
  follow: {
    up: 'storage maintenance',
    down: 'grant live alert names account slack monitor http metrics work errors',
    because:
      'a followed card is a live card that the follow has read: live must not know what a follow is. Its doorbell reads the body of a request. It has a time of day, and looks back to one, by clocks as grants have them. The channel hears what is in maintenance, in maintenance’s own words. It is a document: storage has the types of its key and of what it is found by',
  },
  grant: {
    up: 'ends',
    down: 'names account audit send slack monitor metrics work log errors',
    because:
      'grants must not know alerts; that a write goes out once at most is for send to say. Whoever is given access, or shown with it, may have some that ends: of ends, grants know the states, and not who looks at the clock',
  },
  live: {
    up: 'storage',
    down: 'alert account slack monitor work errors',
    because:
      'a live card is a card that goes on, and a card changes in one way, live or not. It is a document: storage has the types of its key and of what it is found by',
  },
  alert: {
    up: 'storage live maintenance',
    down: 'names account slack monitor metrics work log errors',
    because:
      'cards must not know who changes them. Places that links say are counted. Its form goes on to a look-up that may begin a watch; Refresh changes a card in the one way that live has, and whoever has just read an alert has its other live cards looked at. It says that its machine is in maintenance. A card is a document: storage has the types of its key and of what it is found by',
  },
  names: {
    down: 'slack monitor work errors',
    because:
      'what a number of the service stands for is the same on cards and in forms, which it does not know',
  },
  keys: {
    down: 'account',
    because:
      'it checks that the keys are those that sealed people’s tokens, without knowing what a token is for',
  },
  account: {
    down: 'audit slack monitor work log errors',
    because: 'accounts must not know who waits for one: app says who goes on',
  },
  audit: {
    down: 'send slack work log',
    because:
      'whatever happens is written down in the same words: it knows no feature, and they call it',
  },
  send: {
    down: 'slack monitor work log errors',
    because:
      'a write is sent once, whatever it is for; each feature says what it does about its own',
  },
  slack: {
    up: 'config',
    down: 'monitor http metrics work log errors',
    because:
      'what every feature needs of Slack knows no feature; it has words for when the service fails, and tells Slack the version of Bellhop',
  },
  monitor: {
    up: 'config',
    down: 'http metrics work log errors',
    because:
      'the service is the same whoever asks. It is told the version of Bellhop, which stands in config',
  },
  metrics: { down: 'work', because: 'whoever does something counts it: it knows nobody' },
  http: { because: 'it carries requests, and knows neither Slack nor the service' },
  work: {
    down: 'log',
    because: 'it runs work, whatever that is, each piece under an id of its own',
  },
  log: { down: 'errors', because: 'everybody logs' },
  errors: { because: 'everybody throws' },
}

const names = Object.keys(rooms)
const listed = (some = '') => some.split(/\s+/).filter((one) => one !== '')

const house = 'src/house.ts'

/**
 * Which floors a floor may import from, in rooms that have them. A room's files beside its floors put them together or
 * are for all of them: they are no floor.
 */
const floors: Readonly<
  Record<string, { readonly floors: readonly string[]; readonly because: string }>
> = {
  'act/render': { floors: [], because: 'what is drawn does not know who asked for it' },
  'alert/render': { floors: [], because: 'what is drawn does not know who asked for it' },
  'grant/input': { floors: [], because: 'a line means the same, whatever is drawn for it' },
  'grant/render': {
    floors: ['grant/input'],
    because:
      'what is drawn repeats what was typed, and writes lines to type; it does not know who asked',
  },
  'slack/guard': {
    floors: ['slack/outbound', 'slack/text', 'slack/workspace'],
    because: 'it stands between what comes in and the features, and may answer in their place',
  },
  'slack/inbound': {
    floors: [],
    because: 'it takes requests from the wire, and does not know whose they are',
  },
  'slack/workspace': {
    floors: ['slack/outbound', 'slack/text'],
    because: 'what is known of a workspace is asked of Slack, and does not depend on who asks',
  },
  'slack/outbound': {
    floors: ['slack/text'],
    because: 'it sends what it is given, whoever it is for',
  },
  'slack/text': { floors: [], because: 'text is text' },
  'storage/stores': { floors: [], because: 'a store works on both engines' },
  'storage/sqlite': { floors: [], because: 'an engine knows no other engine' },
  'storage/postgres': { floors: [], because: 'an engine knows no other engine' },
}

/** A vendor's package is imported in its own house, so that changing it touches one room. */
const vendorHouses: readonly {
  readonly vendor: RegExp
  readonly houses: RegExp
  readonly because: string
}[] = [
  {
    vendor: /^undici$/,
    houses: /^src\/(http\/|monitor\/|slack\/client\.ts$)/,
    because:
      'requests go out from the client of the service, and as the transport of Slack’s client',
  },
  {
    vendor: /^(pg|node:sqlite)$/,
    houses: /^src\/storage\//,
    because: 'only storage knows a database',
  },
  {
    vendor: /^leven$/,
    houses: /^src\/(slack\/text\/typed\.ts$|config\/)/,
    because:
      'what was mistyped in Slack is compared in one place, and the name of a setting where settings are parsed',
  },
  {
    vendor: /^chrono-node/,
    houses: /^src\/grant\/input\/times\.ts$/,
    because: 'a language takes 60 ms and 15 MB to load: one place says when it is worth it',
  },
  {
    vendor: /^gemoji$/,
    houses: /^src\/slack\//,
    because: 'emoji are a part of Slack’s markup',
  },
  {
    vendor: /^lru-cache$/,
    houses: /^src\/(names|slack|storage\/sqlite)\//,
    because:
      'only what the service says, what is known of workspaces and people, and parsed statements are kept for a while',
  },
  {
    vendor: /^prom-client(\/|$)/,
    houses: /^src\/metrics\//,
    because: 'rooms tell what happened; one counts',
  },
  {
    vendor: /^pino$/,
    houses: /^src\/log\//,
    because: 'what is logged is redacted in one place',
  },
  {
    vendor: /^yaml$/,
    houses: /^src\/terminal\/manifest\.ts$/,
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
  if (isDone.has(path) || path === house) return undefined
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
  const circle = all
    .map(({ path }) => circleFrom(path, [], isDone))
    .find((way) => way !== undefined)
  expect(circle?.join(' → ')).toBeUndefined()
})

it('the house is a type, of types: whoever takes it loads nothing with it', () => {
  const broken = inProduct.flatMap((file) =>
    file.imports
      .filter(({ path, isTypeOnly }) => (path === house || file.path === house) && !isTypeOnly)
      .map(({ specifier }) => `${file.path} imports ${specifier}`),
  )
  expect(broken).toEqual([])
})

describe('rooms', () => {
  it('import only from the rooms they stand on', () => {
    const broken = inProduct.flatMap((file) => {
      if (file.path === house) return []
      const rule = rooms[file.room]
      if (rule === undefined)
        return [`${file.path}: no rule for room ${file.room}; add a row with its reason`]
      const allowed = [file.room, ...listed(rule.up), ...listed(rule.down)]
      return file.imports
        .flatMap(({ path }) => (path === undefined || path === house ? [] : [roomOf(path)]))
        .filter((room) => !allowed.includes(room) && room !== 'playground')
        .map((room) => say(file, `imports from ${room}`, rule.because))
    })
    expect(broken).toEqual([])
  })

  it('stand in the order in which imports go, and list what they import from', () => {
    const imported = (room: string) =>
      inProduct
        .filter((file) => file.room === room)
        .flatMap(({ imports }) =>
          imports.flatMap(({ path }) => (path === undefined ? [] : [roomOf(path)])),
        )
    const broken = Object.entries(rooms).flatMap(([room, { up, down }], at) => {
      const taken = imported(room)
      return [
        ...listed(down)
          .filter((one) => names.indexOf(one) <= at)
          .map((one) => `${room}: ${one} is not below`),
        ...listed(up)
          .filter((one) => names.indexOf(one) >= at)
          .map((one) => `${room}: ${one} is not above`),
        ...[...listed(up), ...listed(down)]
          .filter((one) => !taken.includes(one))
          .map((one) => `${room}: takes nothing from ${one}`),
      ]
    })
    expect(broken).toEqual([])
  })

  it('have floors, which import only from the floors they stand on', () => {
    const broken = inProduct.flatMap((file) => {
      const floor = floorOf(file.path)
      if (floor === undefined) return []
      const rule = floors[floor]
      if (rule === undefined)
        return [`${file.path}: no rule for floor ${floor}; add a row with its reason`]
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

  it('ship with Bellhop: none is for development alone', () => {
    const shipped: object = JSON.parse(readFileSync('package.json', 'utf8')).dependencies
    const loaded = inProduct.flatMap(({ imports }) =>
      imports.filter(({ isTypeOnly }) => !isTypeOnly),
    )
    const packages = loaded.flatMap(
      ({ specifier }) => /^(?:@[^/.]+\/)?[^/.:]+(?=\/|$)/.exec(specifier)?.[0] ?? [],
    )
    expect([...new Set(packages)].filter((name) => !(name in shipped))).toEqual([])
  })

  it('of Slack are used in slack, and as types elsewhere', () => {
    const broken = inProduct
      .filter(({ room }) => room !== 'slack')
      .filter(({ imports }) =>
        imports.some(({ specifier, isTypeOnly }) => specifier.startsWith('@slack/') && !isTypeOnly),
      )
    expect(broken.map(({ path }) => path)).toEqual([])
  })
})

describe('what would load far more than is used of it', () => {
  it.each([
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

describe('languages of times', () => {
  it('are loaded for a text that needs one, never at the start', () => {
    const broken = inProduct.filter(({ imports }) =>
      imports.some(
        ({ specifier, isDynamic, isTypeOnly }) =>
          specifier.startsWith('chrono-node') && !isDynamic && !isTypeOnly,
      ),
    )
    expect(broken.map(({ path }) => path)).toEqual([])
  })
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
    expect(pure.length).toBeGreaterThan(30)
  })

  it('have no clock, no chance, no environment and no promise, so that a table of cases can test them', () => {
    const impure =
      /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\.|\bfetch\(|\bawait\b|\basync\b|randomUUID/
    expect(pure.filter(({ text }) => impure.test(text)).map(({ path }) => path)).toEqual([])
  })

  it('import nothing of Node that reaches outside', () => {
    const outside = /^node:(?!(?:crypto|util)$)/
    const broken = pure.filter(({ imports }) =>
      imports.some(({ specifier }) => outside.test(specifier)),
    )
    expect(broken.map(({ path }) => path)).toEqual([])
  })
})

describe('the environment', () => {
  it('is read by entry points only, and parsed by config', () => {
    const entries = ['src/main.ts', 'src/terminal/command.ts']
    const broken = inProduct.filter(
      ({ path, text }) => /process\.env/.test(text) && !entries.includes(path),
    )
    expect(broken.map(({ path }) => path)).toEqual([])
  })
})

describe('files', () => {
  it('say what they are for in their first line', () => {
    const silent = sources.filter(({ text }) => !text.startsWith('// ') && !text.startsWith('#!'))
    expect(silent.map(({ path }) => path)).toEqual([])
  })
})

describe('comments', () => {
  /** A comment's first words, where nothing before them says what they are about. */
  const subjectless =
    /(?<!^[ \t]*\/\/.*\n)^[ \t]*(?:\/\/|\/\*\*(?:\n[ \t]*\*)?) (?:Of|What|Where|Who|Whoever|Whatever|Nobody|Another|It|Its|Those|These|They|Their|That|Else|The same) .*/gm

  it('begin with what they are about', () => {
    expect(
      inProduct.flatMap(({ path, text }) => (text.match(subjectless) ?? []).map((it) => path + it)),
    ).toEqual([])
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
  const taken = new Set(
    imports.flatMap(({ path, names }) => (names ?? []).map((name) => `${path} ${name}`)),
  )
  const open = new Set(imports.filter(({ names }) => names === undefined).map(({ path }) => path))
  const unread = exported
    .filter(({ name, path }) => !open.has(path) && !taken.has(`${path} ${name}`))
    .map(({ name, path }) => `${path} ${name}`)

  it('are imported somewhere, so that what nobody uses is seen by the compiler', () => {
    expect(unread).toEqual([])
  })
})
