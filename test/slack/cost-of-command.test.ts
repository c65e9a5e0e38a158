// The cost of one command, counted: time is the bench's business, but whoever adds a request, a signature or a
// statement to every command should know it.
import { Hmac } from 'node:crypto'
import { ServerResponse } from 'node:http'
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

it('a command asks the service once and Slack twice: for the card and its thread', async () => {
  const { world, look } = await openAlert()
  const { service, slack } = world
  const before = { reads: service.requests.length, calls: slack.calls.length }
  await look()
  await slack.idle()
  expect(service.requests.length - before.reads).toBe(1)
  expect(slack.calls.slice(before.calls).map(({ method }) => method)).toEqual([
    'chat.postMessage',
    'chat.postMessage',
  ])
})

it('a command is verified with one HMAC, beside the one that Slack has signed it with', async () => {
  const { look } = await openAlert()
  const spy = vi.spyOn(Hmac.prototype, 'digest')
  await look()
  expect(spy).toHaveBeenCalledTimes(2)
  spy.mockRestore()
})

/** What runs by itself now and then has tables of its own. */
const ofCommands = /"(accounts|alert_containers|cards|channel_styles|container_names|once|own_ids)"/

function sqlOf(statement: unknown): string {
  return statement instanceof StatementSync ? statement.sourceSQL : ''
}

async function statements(how: 'all' | 'run', world: World, work: () => Promise<unknown>) {
  const spy = vi.spyOn(StatementSync.prototype, how)
  await work()
  await world.slack.idle(100)
  const sql = spy.mock.contexts.map(sqlOf)
  spy.mockRestore()
  return sql.flatMap((one) => ofCommands.exec(one)?.[1] ?? [])
}

it('a command writes three times: that it was taken, its card, and where that stands', async () => {
  const { world, look } = await openAlert()
  expect(await statements('run', world, look)).toEqual(['once', 'cards', 'cards'])
})

it('a command reads twice: the account, and how loud the channel is', async () => {
  const { world, look } = await openAlert()
  expect(await statements('all', world, look)).toEqual(['accounts', 'channel_styles'])
})

it('a link on a card that opens by itself is acked, and costs the database nothing', async () => {
  const { world } = await openAlert()
  const { alice, general } = world
  const card = await alice.sees('Disk full', general)
  const open = () => alice.presses('Open in monitoring', card)
  expect(await statements('run', world, open)).toEqual([])
})

it.each(['a command', 'a press'])('%s is acked before anything is asked of the disk', async (what) => {
  const { world, look } = await openAlert()
  const { alice, general, slack } = world
  const card = await alice.sees('Disk full', general)
  const press = () => alice.presses('Refresh', card)
  const answers = vi.spyOn(ServerResponse.prototype, 'end')
  const disk = [vi.spyOn(StatementSync.prototype, 'all'), vi.spyOn(StatementSync.prototype, 'run')]
  await (what === 'a press' ? press() : look())
  await slack.idle(100)
  const { contexts, invocationCallOrder } = answers.mock
  const ack = contexts.findIndex((one) => one instanceof ServerResponse && one.req.url === '/slack/events')
  const ackedAt = invocationCallOrder[ack]
  const askedAt = disk.flatMap(({ mock }) =>
    mock.invocationCallOrder.filter((_, index) => ofCommands.test(sqlOf(mock.contexts[index]))),
  )
  for (const spy of [answers, ...disk]) spy.mockRestore()

  expect(askedAt).not.toEqual([])
  expect(ackedAt).toBeLessThan(Math.min(...askedAt))
})
