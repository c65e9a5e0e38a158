// Statements, rows visited, documents and requests of an operation that shows the same at 1, 10 and 100 times of whatever
// else is kept: they stay the same. CPU and memory are in the bench's table alone (docs/performance.md).
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { fillDatabase } from '../../bench/growth/fill.ts'
import {
  type Ground,
  lookAtFollowed,
  namesAmongOthers,
  namesOfLists,
  type Operation,
  operationsAmong,
  operationsOfList,
} from '../../bench/growth/operations.ts'
import { documentsAmong, type Handed, watchHanded } from '../../bench/servers/handed.ts'
import { type Environment, parseKept } from '../../src/config/config.ts'
import { runAudit } from '../../src/terminal/audit.ts'
import { runBackup } from '../../src/terminal/backup.ts'
import { printTo, type TerminalCommand } from '../../src/terminal/command.ts'
import { openWorld, type World } from '../world.ts'

const times = [1, 10, 100] as const
/** Documents and records of others. */
const kept = 200

let handed: Handed[] = []
let stopWatching: () => void
beforeAll(() => {
  stopWatching = watchHanded((one) => handed.push(one))
})
afterAll(() => stopWatching())

const groundOf = (world: World): Ground => ({
  slack: world.slack,
  service: world.service,
  alice: world.alice,
  channel: world.general,
  url: () => world.url,
  advance: world.clock.advance,
})

/** Ends with this file. */
function open(): Promise<World> {
  return openWorld({
    until: afterAll,
    slack: { keepsLimits: false },
    env: { RATE_PER_MINUTE: '0' },
  })
}

/** Others have used it for 90 days. */
async function openFilled(many: number): Promise<World> {
  const world = await open()
  const { databaseUrl: url, encryptionKeys: keys } = parseKept(world.env)
  const { teamId: workspaceId } = world.slack
  await fillDatabase({ url, keys, workspaceId, until: world.clock.now(), count: kept * many })
  return world
}

const fileOf = ({ DATABASE_URL = '' }: Environment) => DATABASE_URL.replace('file:', '')

async function takenBy({ slack, service, env }: World, work: () => Promise<unknown>) {
  await slack.idle(60)
  const before = { slack: slack.calls.length, service: service.requests.length }
  handed = []
  await work()
  await slack.idle(60)
  // Other worlds of this file go on meanwhile.
  const taken = handed.filter(({ file }) => file === fileOf(env))
  handed = []
  return {
    statements: taken.length,
    visited: visitedBy(env, taken),
    documents: taken.reduce((sum, { rows }) => sum + documentsAmong(rows), 0),
    slack: slack.calls.length - before.slack,
    service: service.requests.length - before.service,
  }
}

/** Rows that SQLite looks at for these, asked once more: a condition that always holds is asked about each. */
function visitedBy(env: Environment, asked: readonly Handed[]): number {
  let visited = 0
  using database = new DatabaseSync(fileOf(env), { readOnly: true })
  database.function('is_visited', () => {
    visited += 1
    return 1
  })
  for (const { text, values } of asked.filter((one) => one.text.startsWith('select'))) {
    const counting = text.replaceAll(/\bwhere\b/g, 'where is_visited() and')
    database.prepare(counting).all(...values)
  }
  return visited
}

/** The second time: the first one learns names. */
async function takenByOperation(world: World, { begin, run, end }: Operation) {
  await begin?.()
  await run(1)
  const taken = await takenBy(world, () => run(2))
  await end?.()
  return taken
}

describe('with 1, 10 and 100 times as much of others', () => {
  const worlds: World[] = []
  let operations: readonly ReturnType<typeof operationsAmong>[] = []
  beforeAll(async () => {
    for (const many of times) worlds.push(await openFilled(many))
    operations = worlds.map((world) => operationsAmong(groundOf(world)))
  })

  /** At each size, one after the other. */
  async function atEachSize<Taken>(take: (world: World, at: number) => Promise<Taken>) {
    const taken: Taken[] = []
    for (const [at, world] of worlds.entries()) taken.push(await take(world, at))
    return taken
  }

  it('a start takes the same', async () => {
    const [first, ...others] = await atEachSize((world) => takenBy(world, () => world.restart()))
    expect(others).toEqual([first, first])
  })

  it('a backup is one statement', async () => {
    const taken = await atEachSize((world) => takenBy(world, () => backUp(world)))
    expect(taken).toMatchObject(times.map(() => ({ statements: 1, documents: 0 })))
  })

  it('`audit --verify` reads each record once, a page at a time', async () => {
    const [first, ...others] = await atEachSize(async (world) => {
      const taken = await takenBy(world, () => runs(runAudit, ['--verify'], world))
      const records = countRecords(world)
      return {
        statements: taken.statements - Math.floor(records / 500),
        visited: taken.visited - records,
      }
    })
    expect(others).toEqual([first, first])
  })

  it.each(namesAmongOthers)('%s takes the same', async (name) => {
    const [first, ...others] = await atEachSize(async (world, at) => {
      const operation = operations[at]?.[name]
      const taken = operation && (await takenByOperation(world, operation))
      // Follows and ends are counted there, in an index; watched cards are read, of which there are 200 at most.
      const counted = { visited: 'as many as it counts', documents: 'as many as are watched' }
      return name === '`/metrics`' ? { ...taken, ...counted } : taken
    })
    expect(others).toEqual([first, first])
  })
})

async function runs(command: TerminalCommand, words: readonly string[], { env }: World) {
  const said: string[] = []
  const say = (text: string) => void said.push(text)
  const print = printTo({ log: say, error: say, write: async (text) => say(text) })
  expect(await command(words, env, print), said.join('\n')).toBe(0)
}

async function backUp(world: World): Promise<void> {
  const copy = `${fileOf(world.env)}.copy`
  onTestFinished(() => rmSync(copy))
  await runs(runBackup, [copy], world)
}

function countRecords({ env }: World): number {
  using database = new DatabaseSync(fileOf(env), { readOnly: true })
  return Number(database.prepare('select count(*) count from audit_records').get()?.count)
}

describe('with 1, 10 and 100 times as many in the list', () => {
  let world: World
  beforeAll(async () => {
    world = await open()
  })

  it.each(namesOfLists)('%s takes the same', async (name) => {
    const ofLists = times.map((many) => operationsOfList(groundOf(world), 20 * many)[name])
    const [first, ...others] = await oneByOne(ofLists)
    expect(others).toEqual([first, first])
  })

  it('a look of a follow takes the same', async () => {
    const looks = times.map((many) => lookAtFollowed(groundOf(world), 20 * many))
    const [first, ...others] = await oneByOne(looks)
    expect(others).toEqual([first, first])
  })

  async function oneByOne(operations: readonly Operation[]) {
    const taken = []
    for (const operation of operations) taken.push(await takenByOperation(world, operation))
    return taken
  }
})
