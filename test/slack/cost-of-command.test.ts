// The cost of one command, counted: time is the bench's business, but whoever adds a request, a signature or a
// statement to every command should know it.
import { StatementSync } from 'node:sqlite'
import { expect, it, vi } from 'vitest'
import { openWorld, type World } from '../world.ts'

async function openAlert() {
  const world = await openWorld()
  world.service.addAlert({ ks: '5HkX', message: 'Disk full' })
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
  /** Tables, in order. Each is a commit. */
  readonly writes: readonly string[]
  readonly reads: readonly string[]
  readonly slack: readonly string[]
  readonly service: number
}

async function costOf(world: World, work: () => Promise<unknown>): Promise<Cost> {
  const { service, slack } = world
  const asked = service.requests.length
  const called = slack.calls.length
  const [reading, writing] = [
    vi.spyOn(StatementSync.prototype, 'all'),
    vi.spyOn(StatementSync.prototype, 'run'),
  ]
  await work()
  await slack.idle(100)
  const [reads = [], writes = []] = [reading, writing].map((spy) => {
    const sql = spy.mock.contexts.map(sqlOf)
    spy.mockRestore()
    return sql.flatMap((one) => tableOf(one) ?? [])
  })
  return {
    writes,
    reads,
    slack: slack.calls.slice(called).map(({ method }) => method),
    service: service.requests.length - asked,
  }
}

const free: Cost = { writes: [], reads: [], slack: [], service: 0 }

it('a command: that it was taken, its account, its card, and where that stands', async () => {
  const { world, look } = await openAlert()
  expect(await costOf(world, look)).toEqual({
    // Taken before anything is done, and the card before its buttons can be pressed; where it stands, afterwards.
    writes: ['kept', 'docs', 'docs'],
    // The card once more, as it stands somewhere now.
    reads: ['accounts', 'docs'],
    slack: ['chat.postMessage', 'chat.postMessage'],
    service: 1,
  })
})

it('help: nothing but its ack', async () => {
  const { world } = await openAlert()
  expect(await costOf(world, () => world.alice.types('/alert help', world.general))).toEqual(free)
})

it('a poll that finds nothing new: the card, its watchers, an account, and when it is due again', async () => {
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
    reads: ['docs', 'docs', 'accounts', 'accounts', 'docs'],
    // Whether the channel is shared was asked in the last five minutes.
    slack: [],
    service: 1,
  })
})
