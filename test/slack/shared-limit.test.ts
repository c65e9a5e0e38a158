// One limit for each person, however many processes there are: they count together in the database, and one that is
// alone counts in its memory.
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startPostgres } from '../postgres.ts'
import { openWorld, type World, type WorldOptions } from '../world.ts'

const help = '/alert watches'
const tooFast = 'a minute from each person'
const soon = { timeout: 30_000, interval: 5 }

const server = await startPostgres()

const seen = ({ alice, general }: World, words: string) =>
  alice.messages(general).filter(({ plain }) => plain.includes(words)).length

const figuresOf = async (url: string) => (await fetch(`${url}/metrics`)).text()

/** Requests that had their answer, or were held back. */
async function answered(world: World, urls: readonly string[]): Promise<number> {
  const held = urls.map(async (url) => {
    const [, count] = /^bellhop_rate_limited_total\{by="person"\} (\d+)$/m.exec(await figuresOf(url)) ?? []
    return Number(count)
  })
  return (await Promise.all(held)).reduce((sum, count) => sum + count, seen(world, help))
}

/** Alice asks for help again and again, each time of the next bot. */
async function asks(world: World, times: number, urls: readonly string[] = [world.url]): Promise<void> {
  const { alice, general, slack } = world
  const before = await answered(world, urls)
  for (let count = 0; count < times; count += 1) {
    slack.deliverTo(`${urls[count % urls.length]}/slack/events`)
    await alice.types('/alert help', general)
  }
  await expect.poll(() => answered(world, urls), soon).toBe(before + times)
  await slack.idle()
}

/** Nobody has asked for anything in the last minute: connecting is a command and a submission. */
async function open(perMinute: number, options: WorldOptions = {}): Promise<World> {
  const world = await openWorld({
    isAliceConnected: 'in the form',
    countingTogether: { renewMs: 20, answerMs: 5_000 },
    ...options,
    env: { RATE_PER_MINUTE: String(perMinute), ...options.env },
  })
  world.clock.advance(60_000)
  return world
}

/** Resolves when each of these bots knows of so many. */
async function know(urls: readonly string[], processes: number): Promise<void> {
  for (const url of urls) {
    await expect.poll(() => figuresOf(url), soon).toContain(`bellhop_processes ${processes}\n`)
  }
}

/** After the clock has leapt, a bot takes the others for gone until each has said again that it is alive. */
async function renewed(world: World, processes: number): Promise<void> {
  const alive = databaseOf(world).prepare('select count(*) as count from processes where seen_at >= ?')
  const now = world.clock.now()
  await expect.poll(() => alive.get(now), soon).toEqual({ count: processes })
}

/** The bot that Slack knows, and so many others. */
async function startOthers(world: World, count: number) {
  const others = []
  for (let at = 0; at < count; at += 1) others.push(await world.startAnother())
  const urls = [world.url, ...others.map(({ url }) => url)]
  await know(urls, count + 1)
  return { others, urls }
}

const databaseOf = ({ env }: World) => {
  const database = new DatabaseSync(String(env.DATABASE_URL).replace('file:', ''), { timeout: 5_000 })
  onTestFinished(() => database.close())
  return database
}

/** What SQLite is asked about limits of people from now on. */
function spyOnStatements(): () => readonly string[] {
  const { prototype } = StatementSync
  const spies = [vi.spyOn(prototype, 'run'), vi.spyOn(prototype, 'all'), vi.spyOn(prototype, 'get')]
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
  })
  return () =>
    spies
      .flatMap(({ mock }) => mock.contexts)
      .flatMap((one) => (one instanceof StatementSync ? one.sourceSQL : []))
      .filter((sql) => sql.includes('person_limits'))
}

describe.each([
  ['SQLite file', async () => ({})],
  ['PostgreSQL database', async () => ({ DATABASE_URL: await server.createDatabase() })],
])('somebody who asks three bots on one %s', (_, settings) => {
  it('gets as much as from one, and is told once to wait', async () => {
    // Help needs no account. The next request comes in after 15 seconds, by the clock of PostgreSQL.
    const world = await open(4, { env: await settings(), isAliceConnected: false })
    const { urls } = await startOthers(world, 2)

    await asks(world, 45, urls)

    expect(seen(world, help)).toBe(4)
    expect(seen(world, tooFast)).toBe(1)
  })

  it('is granted access for as many people as from one', async () => {
    const world = await open(10, { env: await settings() })
    const { alice, general, slack, service } = world
    const { urls } = await startOthers(world, 2)
    const people = Array.from({ length: 6 }, (_each, at) => `p${at}@example.com`)
    for (const email of people) service.addUser({ email })

    await alice.types(`/grant 12 ${people.join(' ')} viewer`, general)
    await alice.sees('6 of 6 granted', general)
    slack.deliverTo(`${urls[1]}/slack/events`)
    await alice.types(`/grant 12 ${people.join(' ')} viewer`, general)
    await alice.sees(tooFast, general)
    await slack.idle(100)

    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(6)
  })
})

describe('somebody who asks one bot that is alone', () => {
  it('gets as much, and the database is not asked once', async () => {
    const world = await open(6)
    await know([world.url], 1)
    const statements = spyOnStatements()

    await asks(world, 45)

    expect(seen(world, help)).toBe(6)
    expect(statements()).toEqual([])
    // They would be seen.
    const { urls } = await startOthers(world, 1)
    await asks(world, 1, urls)
    expect(statements()).not.toEqual([])
  })
})

describe('what somebody has used up', () => {
  it('is still used up when a second bot comes', async () => {
    const world = await open(6)
    await asks(world, 4)
    const { urls } = await startOthers(world, 1)

    await asks(world, 10, urls.slice(1))

    expect(seen(world, help)).toBe(6)
  })

  it('is still used up when the second bot stops', async () => {
    const world = await open(6)
    const { others, urls } = await startOthers(world, 1)
    await asks(world, 4, urls.slice(1))
    await others[0]?.bellhop.stop(5_000)
    await know([world.url], 1)

    await asks(world, 10)

    expect(seen(world, help)).toBe(6)
  })

  it('is still used up after a restart', async () => {
    const world = await open(6)
    await asks(world, 4)
    await world.restart()
    await asks(world, 10)
    expect(seen(world, help)).toBe(6)
  })

  it('comes in again in a minute, whoever is asked', async () => {
    const world = await open(6)
    const { urls } = await startOthers(world, 1)
    await asks(world, 12, urls)
    world.clock.advance(60_000)
    await renewed(world, 2)
    await know(urls, 2)
    await asks(world, 12, urls)
    expect(seen(world, help)).toBe(12)
  })
})

describe('a bot that was killed', () => {
  it('is forgotten after twenty seconds, and the other counts alone', async () => {
    const world = await open(6)
    await know([world.url], 1)
    databaseOf(world).prepare('insert into processes values (?, ?)').run('killed', world.clock.now())
    await know([world.url], 2)
    await asks(world, 4)
    world.clock.advance(20_001)
    await know([world.url], 1)
    const statements = spyOnStatements()

    await asks(world, 20)

    // A third of a minute brings two more.
    expect(seen(world, help)).toBe(8)
    expect(statements()).toEqual([])
  })
})

describe('two bots whose database does not answer', () => {
  it('answer all the same, and what they let through is counted when it is back', async () => {
    const countingTogether = { renewMs: 20, answerMs: 20 }
    const world = await open(6, { isAliceConnected: false, countingTogether })
    const { urls } = await startOthers(world, 1)
    const database = databaseOf(world)
    // As a copy or a repair by hand would.
    database.exec('begin immediate')

    await asks(world, 4, urls)
    expect(seen(world, help)).toBe(4)
    database.exec('commit')
    const left = () => Number(database.prepare('select remaining from person_limits').get()?.remaining)
    await expect.poll(left, soon).toBeLessThan(3)
    await asks(world, 10, urls)

    expect(seen(world, help)).toBe(6)
  })
})

describe('several bots whose database fails', () => {
  it('count each for itself, say so once, and together again when it is back', async () => {
    const world = await open(6)
    const { urls } = await startOthers(world, 1)
    const database = databaseOf(world)
    database.exec(
      `create trigger refuse before insert on person_limits begin select raise(abort, 'refused'); end`,
    )

    await asks(world, 30, urls)
    expect(seen(world, help)).toBe(12)
    database.exec('drop trigger refuse')
    await expect.poll(() => database.prepare('select count(*) n from person_limits').get()?.n, soon).toBe(1)
    await asks(world, 10, urls)

    expect(seen(world, help)).toBe(12)
    const said = world.log.filter((line) => line.includes('each process counts RATE_PER_MINUTE'))
    expect(said.length).toBe(2)
  })
})
