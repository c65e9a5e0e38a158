// The cost of one command, counted: time is the bench's business, but whoever adds a request, a signature or a
// statement to every command should know it.
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { expect, it, vi } from 'vitest'
import { diskFull, openWorld, type World } from '../world.ts'

async function openAlert() {
  const world = await openWorld()
  world.service.addAlert(diskFull)
  // The first command asks for what is remembered from then on.
  await world.alice.types('/alert 5HkX', world.general)
  await world.alice.sees('Disk full', world.general)
  await world.slack.idle()
  world.clock.advance(60_000)
  const look = async () => {
    await world.alice.types('/alert 5HkX', world.general)
    await world.slack.idle()
  }
  return { world, look }
}

/** What runs by itself now and then has tables of its own. */
const ofCommands = /\b(accounts|docs|kept)\b/

function sqlOf(statement: unknown): string {
  return statement instanceof StatementSync ? statement.sourceSQL : ''
}

/** What is due is asked for now and then. */
const ofPoller = /due_at <= /

/** Undefined for what is asked without a command. */
const tableOf = (sql: string) => (ofPoller.test(sql) ? undefined : ofCommands.exec(sql)?.[1])

interface Cost {
  /** Tables, in order. Each is a commit; `synced`: the disk has it before anything else happens. */
  readonly writes: readonly string[]
  readonly reads: readonly string[]
  readonly slack: readonly string[]
  readonly service: number
}

async function costOf(world: World, work: () => Promise<unknown>): Promise<Cost> {
  const { service, slack } = world
  const asked = service.requests.length
  const called = slack.calls.length
  const reading = vi.spyOn(StatementSync.prototype, 'all')
  const writing = vi.spyOn(StatementSync.prototype, 'run')
  const executing = vi.spyOn(DatabaseSync.prototype, 'exec')
  await work()
  await slack.idle(100)
  const reads = reading.mock.contexts.flatMap((one) => tableOf(sqlOf(one)) ?? [])
  const settings = executing.mock.calls.map(([sql], index) => ({
    sql,
    at: executing.mock.invocationCallOrder[index] ?? 0,
  }))
  const writes = writing.mock.contexts.flatMap((one, index) => {
    const at = writing.mock.invocationCallOrder[index] ?? 0
    const setting = settings.findLast(
      (set) => set.at < at && set.sql.startsWith('pragma synchronous'),
    )
    const table = tableOf(sqlOf(one))
    return table === undefined ? [] : `${table}${setting?.sql.endsWith('full') ? ', synced' : ''}`
  })
  for (const spy of [reading, writing, executing]) spy.mockRestore()
  return {
    writes,
    reads,
    slack: slack.calls.slice(called).map(({ method }) => method),
    service: service.requests.length - asked,
  }
}

const free: Cost = { writes: [], reads: [], slack: [], service: 0 }

it('a command: that it was taken, its account, where its alert is, its card, and where that stands', async () => {
  const { world, look } = await openAlert()
  expect(await costOf(world, look)).toEqual({
    // Taken before anything is done, and the card before its buttons can be pressed; where it stands, afterwards.
    writes: ['kept', 'docs', 'docs'],
    reads: ['accounts', 'kept'],
    slack: ['chat.postMessage', 'chat.postMessage'],
    service: 1,
  })
})

it('a grant: the disk has each of its steps before the next thing happens', async () => {
  const { world } = await openAlert()
  const { alice, general } = world
  const cost = await costOf(world, () => alice.types('/grant 12 dave@example.com viewer', general))
  const steps = ['kept and begun', 'held', 'sent', 'answered', 'ended', 'told']
  // That it was taken, and that the same is not asked again in the next ten seconds.
  expect(cost.writes).toEqual(['kept', 'kept', ...steps.map(() => 'docs, synced')])
})

it('help: nothing but its ack', async () => {
  const { world } = await openAlert()
  expect(await costOf(world, () => world.alice.types('/alert help', world.general))).toEqual(free)
})

it('a poll that finds nothing new: the card, its watchers, an account, whether its alert has a place by now, and when it is due again', async () => {
  const { world } = await openAlert()
  const { alice, general, clock, service } = world
  await alice.presses('Watch', await alice.sees('Disk full', general))
  await world.slack.idle(100)
  const poll = async () => {
    const asked = service.requests.filter(({ path }) => path === '/alert/5HkX').length
    clock.advance(60_000)
    await world.serviceWasAsked('/alert/5HkX', asked + 1)
  }
  await poll()
  await world.slack.idle(100)
  expect(await costOf(world, poll)).toEqual({
    // Taken, and given back.
    writes: ['docs', 'docs'],
    reads: ['docs', 'docs', 'accounts', 'kept', 'accounts', 'docs'],
    // Whether the channel is shared was asked in the last five minutes.
    slack: [],
    service: 1,
  })
})
