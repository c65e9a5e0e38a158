// Many followed alerts change every minute, far more than Slack takes edits: what is read stays within its limits.
import { expect, it } from 'vitest'
import { cardKeyOf } from '../../src/follow/follows.ts'
import { openFile } from '../database-folder.ts'
import type { World } from '../world.ts'
import { followed, openCustomer } from './follow.ts'

const follows = 20
const alertsEach = 50
const watched = 100
const minutes = 5
/** A follow reads so many a look, a watched card is read every 30 seconds, and one that waits for Slack once it takes edits. */
const mostReads = follows * 20 + watched * 2 + 40

/** A follow in a channel of its own, each of its alerts with a card that rests; the first few are watched by Alice. */
function addFollow(world: World, at: number, watches: number): void {
  const { slack, service, env, alice, clock } = world
  const containerId = 100 + at
  service.addContainer(containerId)
  const channel = slack.addChannel({ name: `of-${at}`, members: [alice], botIsMember: true })
  const database = openFile(env.DATABASE_URL)
  const seen: Record<string, object> = {}
  const add = database.prepare(
    `insert into docs (kind, workspace_id, id, owner_id, ref, claim, due_at, kept_at, doc) values ($kind, $workspaceId, $id, '', $ref, null, $due, $now, $doc)`,
  )
  const [now, workspaceId] = [clock.now(), slack.workspace.teamId]
  database.exec('begin')
  for (let one = 0; one < alertsEach; one += 1) {
    const ks = `host-${at}-${one}`
    service.addAlert({ ks, containerId, severity: 2, message: `${ks} is slow` })
    seen[ks] = { severity: 2, fingerprint: 'then', hasCard: true }
    const { ts } = slack.workspace.post({
      channelId: channel.id,
      authorId: slack.workspace.bot.userId,
      text: ks,
      via: 'chat.postMessage',
    })
    const { id } = cardKeyOf({ workspaceId, id: `follow-${at}` }, ks)
    const posted = { channelId: channel.id, ts }
    const asker = { workspaceId, userId: alice.id }
    const card = {
      workspaceId,
      id,
      ks,
      title: ks,
      asker,
      askerName: '',
      channelId: channel.id,
      isPrivate: false,
      at: now,
      told: ['now 2'],
      posted,
    }
    const alert = {
      ks,
      message: ks,
      severity: 2,
      lastSeverity: 2,
      lastMessage: ks,
      timestamp: 1,
      lastTimestamp: 1,
      ownerId: null,
      closedTimestamp: null,
      actions: [],
    }
    const watchers =
      one < watches ? [{ userId: alice.id, name: 'alice', until: now + 86_400_000 }] : []
    const live = {
      workspaceId,
      id,
      ks,
      posted,
      watchers,
      followId: `follow-${at}`,
      since: now,
      readAt: now,
      failures: 0,
      shown: { alert, asOf: Math.floor(now / 1000), fingerprint: 'then' },
      holder: '',
      heldUntil: 0,
      dueAt: watchers.length > 0 ? now + Math.random() * 30_000 : null,
    }
    add.run({
      $kind: 'card',
      $workspaceId: workspaceId,
      $id: id,
      $ref: '',
      $due: null,
      $now: now,
      $doc: JSON.stringify(card),
    })
    add.run({
      $kind: 'live-card',
      $workspaceId: workspaceId,
      $id: id,
      $ref: ks,
      $due: live.dueAt,
      $now: now,
      $doc: JSON.stringify(live),
    })
  }
  const copy = database.prepare(
    `insert into docs (kind, workspace_id, id, owner_id, ref, claim, due_at, kept_at, doc)
    select kind, workspace_id, $id, owner_id, $channel, $channel || $container, $due, kept_at, json_set(doc, '$.id', $id,
      '$.channelId', $channel, '$.containerId', $container, '$.dueAt', $due, '$.heldUntil', 0, '$.seen', json($seen))
    from docs where kind = 'follow' and ref = $from`,
  )
  const due = now + (at / follows) * 60_000
  copy.run({
    $id: `follow-${at}`,
    $channel: channel.id,
    $container: containerId,
    $due: due,
    $seen: JSON.stringify(seen),
    $from: world.general.id,
  })
  database.exec('commit')
}

it(`${follows * alertsEach} followed alerts that change every minute cost ${mostReads} reads a minute at most`, async () => {
  const world = await openCustomer({ level: 'warn' })
  await followed(world)
  for (let at = 0; at < follows; at += 1) addFollow(world, at, watched / follows)
  const reads: number[] = []
  let last = world.service.requests.at(-1)
  world.service.onChange(() => {
    const request = world.service.requests.at(-1)
    if (request === last) return
    last = request
    if (request?.path.startsWith('/alert/')) reads.push(world.clock.now())
  })
  const from = world.clock.now()
  for (let second = 0; second < minutes * 60; second += 1) {
    if (second % 60 === 0)
      for (let at = 0; at < follows; at += 1)
        for (let one = 0; one < alertsEach; one += 1)
          world.service
            .alert(`host-${at}-${one}`)
            ?.hit({ message: `host-${at}-${one} is slow: ${second}` })
    world.clock.advance(1_000)
    await world.slack.idle(10)
  }
  const perMinute = Array.from(
    { length: minutes },
    (_, at) => reads.filter((one) => Math.floor((one - from) / 60_000) === at).length,
  )
  expect(Math.max(...perMinute)).toBeLessThan(1.1 * mostReads)
}, 300_000)
