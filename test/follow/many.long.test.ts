// As many follows as there may be, and a storm, in simulated time.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { openFile } from '../database-folder.ts'
import type { World } from '../world.ts'
import { followed, inChannel, openCustomer, opens } from './follow.ts'

const follows = 500
const alerts = 100
const minutes = 6

/** Copies of the one follow, each in a channel of its own, due at times of their own. */
function copyFollow(world: World, count = follows): void {
  const { slack, env, alice, clock } = world
  const database = openFile(env.DATABASE_URL)
  const copy = database.prepare(
    `insert into docs (kind, workspace_id, id, owner_id, ref, claim, due_at, kept_at, doc)
    select kind, workspace_id, $id, owner_id, $channel, $channel || ' 12', $due, kept_at,
      json_set(doc, '$.id', $id, '$.channelId', $channel, '$.dueAt', $due, '$.heldUntil', 0)
    from docs where kind = 'follow' and ref = $from`,
  )
  database.exec('begin')
  for (let at = 1; at < count; at += 1) {
    const { id } = slack.addChannel({ name: `of-${at}`, members: [alice], botIsMember: true })
    const due = clock.now() + (at / count) * 60_000
    copy.run({ $id: `follow-${at}`, $channel: id, $due: due, $from: world.general.id })
  }
  database.exec('commit')
}

/** Lets time pass second by second, so that everything happens when it is due. */
async function seconds(world: World, count: number): Promise<void> {
  for (let second = 0; second < count; second += 1) {
    world.clock.advance(1_000)
    await world.slack.idle(10)
  }
}

function heapMb(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed / 2 ** 20
}

it(`${follows} follows of ${alerts} alerts cost one request a look, on time, and no more memory as time passes`, async () => {
  const world = await openCustomer({ level: 'warn' })
  for (let at = 0; at < alerts; at += 1) opens(world, `host-${at}`)
  await followed(world)
  copyFollow(world)
  // The first look of each asks Slack who reads in its channel.
  await seconds(world, 70)
  const paths = new Map<string, number>()
  let last = world.service.requests.at(-1)
  const stop = world.service.onChange(() => {
    const request = world.service.requests.at(-1)
    if (request === undefined || request === last) return
    last = request
    paths.set(request.path, (paths.get(request.path) ?? 0) + 1)
  })
  await seconds(world, 120)
  paths.clear()
  const before = heapMb()
  await seconds(world, minutes * 60)
  stop()

  expect([...paths.keys()]).toEqual(['/container/12/alerts'])
  const looks = (paths.get('/container/12/alerts') ?? 0) / follows / minutes
  expect(looks).toBeGreaterThan(0.9)
  expect(looks).toBeLessThan(1.1)
  expect(heapMb() - before).toBeLessThan(40)
}, 300_000)

it('a storm of 2,000 new alerts is one message, and commands are answered meanwhile', async () => {
  const world = await openCustomer()
  const { alice, bob, general, slack } = world
  await followed(world)
  for (let at = 0; at < 2_000; at += 1) opens(world, `host-${at}`, { severity: at % 8 })
  world.clock.advance(66_000)

  await alice.types('/alert host-7 private', general)
  await alice.sees(/host-7 is broken[\s\S]*Close alert/, general)

  const storm = await bob.sees('2000 new alerts in Customer 1 (12) · as of', general)
  expect(storm.plain).toContain('1992 more')
  await seconds(world, 130)
  await slack.idle()
  expect(inChannel(bob.messages(general), 'is broken')).toHaveLength(1)
  expect(storm.isEdited).toBe(false)
}, 120_000)

it('1,000 follows that are due after an outage are looked at fifty at once, and commands are answered meanwhile', async () => {
  const world = await openCustomer({ level: 'warn' })
  const { alice, general, service } = world
  // The first look of each asks Slack who reads in its channel.
  world.expectRefusals()
  await followed(world)
  copyFollow(world, 1_000)
  const looks = () => service.requests.filter(({ path }) => path.endsWith('/alerts'))
  const underWay = () => looks().filter(({ status }) => status === undefined).length
  const before = looks().length
  let most = 0
  service.onChange(() => {
    most = Math.max(most, underWay())
  })
  const letGo = service.trouble.hold({ only: { path: /alerts$/ } })

  world.clock.advance(8 * 60 * 60_000)
  await expect.poll(underWay).toBe(50)
  await alice.types('/alert help', general)
  await alice.sees('/alert doctor checks', general)
  expect(looks().length - before).toBe(50)

  letGo()
  for (let second = 0; second < 600 && looks().length - before < 1_000; second += 1)
    await seconds(world, 1)
  expect(looks().length - before).toBeGreaterThanOrEqual(1_000)
  expect(most).toBe(50)
}, 300_000)
