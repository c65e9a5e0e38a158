// Many followed containers of many machines each, where everything breaks: what finding the machines costs the service.
import { expect, it } from 'vitest'
import { openFile } from '../database-folder.ts'
import type { World } from '../world.ts'
import { followed, openCustomer } from './follow.ts'

const follows = 50
const machines = 200
const alertsEach = 60
const minutes = 12

/** A copy of the one follow, of a container of its own, in a channel of its own. */
function addFollow({ slack, service, env, alice, clock, general }: World, at: number): void {
  const containerId = 100 + at
  service.addContainer(containerId, { name: `Customer ${containerId}` })
  for (let one = 0; one < machines; one += 1)
    service.addAsset(containerId * 1_000 + one, { containerId, name: `host-${at}-${one}` })
  const { id } = slack.addChannel({ name: `of-${at}`, members: [alice], botIsMember: true })
  const database = openFile(env.DATABASE_URL)
  const copy = database.prepare(
    `insert into docs (kind, workspace_id, id, owner_id, ref, claim, due_at, kept_at, doc)
    select kind, workspace_id, $id, owner_id, $channel, $channel || $container, $due, kept_at, json_set(doc, '$.id', $id,
      '$.channelId', $channel, '$.containerId', $container, '$.dueAt', $due, '$.heldUntil', 0)
    from docs where kind = 'follow' and ref = $from`,
  )
  copy.run({
    $id: `follow-${at}`,
    $channel: id,
    $container: containerId,
    $due: clock.now() + (at / follows) * 60_000,
    $from: general.id,
  })
}

it(`${follows} follows of ${machines} machines each, in a storm, make 20 reads a look at most, and one list in ten minutes`, async () => {
  const world = await openCustomer({ level: 'warn' })
  const { service, clock } = world
  await followed(world)
  for (let at = 0; at < follows; at += 1) addFollow(world, at)
  const counted = { alerts: 0, assets: 0, reads: 0, searches: 0 }
  let last = service.requests.at(-1)
  service.onChange(() => {
    const request = service.requests.at(-1)
    if (request === undefined || request === last) return
    last = request
    const { path } = request
    if (/^\/container\/\d+\/alerts$/.test(path)) counted.alerts += 1
    if (/^\/container\/\d+\/assets$/.test(path)) counted.assets += 1
    if (/^\/asset\/\d+\/alerts$/.test(path)) counted.searches += 1
    if (/^\/(alert|asset)\//.test(path)) counted.reads += 1
  })
  const perMinute: (typeof counted)[] = []
  for (let second = 0; second < minutes * 60; second += 1) {
    if (second === 90)
      for (let at = 0; at < follows; at += 1)
        for (let one = 0; one < alertsEach; one += 1)
          service.addAlert({
            ks: `a-${at}-${one}`,
            containerId: 100 + at,
            assetId: (100 + at) * 1_000 + one * 3,
            severity: 1 + (one % 6),
            message: `Memory usage is too high: ${one}`,
          })
    if (second > 90 && second % 60 === 0)
      for (const { ks } of service.alerts())
        service.alert(ks)?.hit({ message: `Memory usage is too high: ${second}` })
    clock.advance(1_000)
    await world.slack.idle(10)
    if (second % 60 !== 59) continue
    perMinute.push({ ...counted })
    Object.assign(counted, { alerts: 0, assets: 0, reads: 0, searches: 0 })
  }

  // Looks come every 57 to 63 seconds.
  const most = (of: keyof typeof counted) => Math.max(...perMinute.map((one) => one[of]))
  expect(most('reads')).toBeLessThan(1.1 * follows * 20)
  expect(most('searches')).toBeLessThan(1.1 * follows * 10)
  expect(perMinute.reduce((sum, { assets }) => sum + assets, 0)).toBeLessThan(2.2 * follows)
  const kept = openFile(world.env.DATABASE_URL).prepare(
    `select count(*) n from kept where kind = 'place'`,
  )
  expect(Number(kept.get()?.n)).toBeGreaterThan(follows * 30)
}, 400_000)
