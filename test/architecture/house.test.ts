// The rules of the house, each with its reason: how much a folder shows, what a name means, how a file begins.
import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readAll, readSources } from './source.ts'

const sources = readSources()

/** A folder with more is read like a telephone book: it gets floors, named by direction or face. */
const mostShown = 15

/** Folders that show more, each with the reason why it may. A row whose folder shows less goes. */
const showMore: Readonly<Record<string, string>> = {
  'playground/page/blocks': 'styles stand beside the markup that they are for',
  'playground/page/drawer': 'styles stand beside the markup that they are for',
  'playground/page/shell': 'styles stand beside the markup that they are for',
}

/**
 * Folders of `test` and `bench` are not held to it: a test is a story of its own, looked for by what it tells and never
 * read from its neighbour on, and a folder there is one room of the product, or one kind of run.
 */
const shownIn = globSync('{src,playground}/**/*.*')

describe('folders', () => {
  const shown = new Map<string, number>()
  for (const path of shownIn) shown.set(dirname(path), (shown.get(dirname(path)) ?? 0) + 1)

  it(`show at most ${mostShown} files, so that somebody who opens one sees what is there`, () => {
    const broken = [...shown]
      .filter(([folder, count]) => count > mostShown && showMore[folder] === undefined)
      .map(([folder, count]) => `${folder} shows ${count} files: give it floors, or a row with the reason`)
    expect(broken).toEqual([])
  })

  it('that may show more do: a reason that is needed no more misleads', () => {
    const idle = Object.keys(showMore).filter((folder) => (shown.get(folder) ?? 0) <= mostShown)
    expect(idle).toEqual([])
  })
})

/** Names that several files define for the same thing, each with whose faces they are. */
const faces: Readonly<Record<string, string>> = {
  renderCard: 'an alert has a card, and so has a request for approval',
  renderHelp: 'each command has its help, and so has a mention of the bot',
  renderFormOffer: 'each command offers its form',
  LogLevel: 'the bot has one, and Slack’s SDK another, under its own name',
  nobodyCounts: 'each observer has one that counts nothing',
  asConfigError: 'each engine says why its database cannot be opened',
  failureOf: 'each engine says what is wrong when a statement fails',
}

describe('names', () => {
  const files = sources.filter(({ path }) => path.startsWith('src/'))
  const definitions = files.flatMap(({ path, text }) =>
    [
      ...text.matchAll(/^export (?:abstract |async )?(?:function\*?|const|let|interface|type|class) (\w+)/gm),
    ].map(([, name = '']) => ({ name, path })),
  )
  const severalTimes = [...Map.groupBy(definitions, ({ name }) => name)].filter(
    ([, all]) => new Set(all.map(({ path }) => path)).size > 1,
  )

  it('that src exports are defined once, so that a name means one thing wherever it is read', () => {
    const broken = severalTimes
      .filter(([name]) => faces[name] === undefined)
      .map(([name, all]) => `${name} is defined in ${all.map(({ path }) => path).join(' and ')}: rename one`)
    expect(broken).toEqual([])
  })

  it('that are faces of several things are: a reason that is needed no more misleads', () => {
    const shared = severalTimes.map(([name]) => name)
    expect(Object.keys(faces).filter((name) => !shared.includes(name))).toEqual([])
  })
})

describe('exports', () => {
  const files = readAll()
  // A type may be exported for its name alone, in the signature of another export.
  const exported = files.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:abstract |async )?(?:function\*?|const|let|class) (\w+)/gm)].map(
      ([, name = '']) => ({ name, path }),
    ),
  )
  const imports = files.flatMap((file) => file.imports)
  const taken = new Set(imports.flatMap(({ path, names }) => (names ?? []).map((name) => `${path} ${name}`)))
  const open = new Set(imports.filter(({ names }) => names === undefined).map(({ path }) => path))
  const unread = exported
    .filter(({ name, path }) => !open.has(path) && !taken.has(`${path} ${name}`))
    .map(({ name, path }) => `${path} ${name}`)

  it('are imported somewhere, so that what nobody uses is seen by the compiler', () => {
    expect(unread).toEqual([])
  })
})

/**
 * Files outside of `work/` that set timers of their own, each with the reason. Elsewhere `work/` runs what is repeated,
 * tried again or limited in time, and each of its timers has a stop.
 */
const ownTimers: Readonly<Record<string, string>> = {
  'src/main.ts': 'it hands the process its one way to wait',
  'src/audit/recorder.ts': 'its timer runs only while something waits to be written',
  'src/http/read-body.ts': 'its deadline ends the body',
  'src/log/log.ts': 'lines of a moment go out together, below everything that logs',
  'src/monitor/call.ts': 'its deadline aborts the request, and it waits as long as the service asks for',
  'src/slack/inbound/signatures.ts': 'it says later, once, what a moment brought',
  'src/slack/inbound/socket.ts': 'its deadlines cut the connection; a close takes back the next one',
  'src/slack/workspace/refused-tokens.ts': 'a stop ends the pause, which is minutes of nothing',
  'src/storage/sqlite/sqlite.ts': 'a stop ends the pause between two tries',
  'src/terminal/doctor.ts': 'it hands the checks their one way to wait',
  'src/watch/poller.ts': 'it sleeps without keeping the process',
  'src/web/server.ts': 'a stop ends requests that are half sent when their time is over',
}

describe('timers', () => {
  const set = sources
    .filter(({ path }) => path.startsWith('src/') && !path.startsWith('src/work/'))
    .filter(({ text }) => /\bset(Timeout|Interval)\b/.test(text))
    .map(({ path }) => path)

  it('are set in work/, or where a reason stands for them', () => {
    expect(set.filter((path) => ownTimers[path] === undefined)).toEqual([])
  })

  it('have no reason where there is none: one that is needed no more misleads', () => {
    expect(Object.keys(ownTimers).filter((path) => !set.includes(path))).toEqual([])
  })
})

/** Files that may spread members written out on the spot, which TypeScript then takes even where nobody reads them. */
const spreading: readonly RegExp[] = [
  // A released migration is never edited.
  /^src\/storage\/migrations\//,
  // A shape of zod takes any member: there is none that nobody reads.
  /^src\/web\/manifest-rules\.ts$/,
  // Rows and records of more members than a page shows, next to the types that they are made for.
  /^src\/(send|grant|approval)\/|^src\/storage\/stores\/send\/(sends|wishes)\.ts$/,
]

describe('what a room is given', () => {
  const given = sources.filter(
    ({ path }) => path.startsWith('src/') && !spreading.some((at) => at.test(path)),
  )

  it('is named member by member, so that TypeScript refuses one that nobody reads', () => {
    const broken = given.filter(({ text }) => /\.\.\.\{\s/.test(text))
    expect(broken.map(({ path }) => `${path} spreads members that it could name`)).toEqual([])
  })

  it('is not handed on whole, so that somebody who reads sees what the next one gets', () => {
    const broken = given.filter(({ text }) => /\.\.\.(room|app|config|slack|storage)\b(?![(.])/.test(text))
    expect(broken.map(({ path }) => `${path} hands on more than is named`)).toEqual([])
  })
})

/** Words that ask, or point at what is not named yet. The thing itself comes first: “Lines in the audit channel: …”. */
const askingWord = /^(What|How|Who|Whom|Whose|Whoever|Whether|Where|Why|When|That|Which|Whatever)\b/

/** A migration that was released is never edited. */
const isReleased = (path: string) => path.startsWith('src/storage/migrations/')

describe('files', () => {
  it('begin with a noun or a verb that says the thing, so that a list of first lines reads like a table of contents', () => {
    const broken = globSync('{src,playground,test,bench}/**/*.{ts,js}')
      .filter((path) => !isReleased(path) && !path.includes('node_modules'))
      .flatMap((path) => {
        const lines = readFileSync(path, 'utf8').split('\n')
        const first = lines.find((line) => !line.startsWith('#!')) ?? ''
        const words = first.replace(/^\/\/ /, '')
        return askingWord.test(words) ? [`${path} begins with “${words}”`] : []
      })
    expect(broken).toEqual([])
  })
})
