// An approver's process that dies in the middle leaves a request that others bring to its end.
import { describe, expect, it } from 'vitest'
import { attemptOf } from '../../src/approval/decide.ts'
import { openStorage } from '../../src/storage/storage.ts'
import { leaseMs } from '../../src/work/lease.ts'
import { trailOf } from '../audit/read.ts'
import { asked, type Colleagues, openColleagues, posts } from './colleagues.ts'

/** What a process leaves behind that died after Carol approved; `sent`: after the grant was sent, too. */
async function diedWhileGranting(world: Colleagues, { sent }: { readonly sent: boolean }) {
  const { slack, bob, carol, env, clock } = world
  const storage = await openStorage({ url: env.DATABASE_URL ?? '', now: clock.now })
  const workspaceId = slack.workspace.teamId
  const [open] = await storage.approvals.openOf({ workspaceId, userId: bob.id })
  if (open === undefined) throw new Error('no request is open')
  const begun = await storage.approvals.begin(
    workspaceId,
    open.id,
    { userId: carol.id, name: 'carol' },
    60_000,
  )
  if (begun === undefined) throw new Error('it does not begin')
  const sender = { workspaceId, userId: carol.id }
  const attempt = attemptOf(sender, begun)
  await storage.wishes.keep(attempt)
  if (sent) {
    const how = { leaseMs: 30_000, askedAfter: 0 }
    await storage.wishes.begin(sender, attempt.id, how)
    await storage.sends.begin({ workspaceId, wishId: attempt.id, n: 1 }, how.leaseMs)
  }
  await storage.close()
}

describe('an approval whose process died', () => {
  it('after it was sent is not certain: the request ends so, told once to each, and nothing is sent again', async () => {
    const world = await openColleagues()
    const { bob, carol, clock, slack } = world
    const card = await asked(world)
    await diedWhileGranting(world, { sent: true })
    clock.advance(61_000)
    await world.restart()

    const told = await bob.sees('❓ Approved by carol, but it’s not certain', bob.dm)
    for (const { plain } of [told, card]) expect(plain).toContain('Bellhop was stopped before')
    await carol.sees(/by you/, carol.dm)
    const grants = (await trailOf(world)).filter(({ act, approverId }) => act === 'grant' && approverId)
    expect(grants.map(({ userId, approverId, outcome }) => [userId, approverId, outcome])).toEqual([
      [bob.id, carol.id, 'uncertain:stopped'],
    ])
    clock.advance(400_000)
    await world.restart()
    await slack.idle()
    expect(card.plain).toMatch(/^❓ Approved by carol, but it’s not certain/)
    expect(bob.messages(bob.dm)).toHaveLength(1)
    expect(carol.messages(carol.dm)).toHaveLength(1)
    expect(posts(world)).toHaveLength(1)
  })

  it('before it was sent is open again, and whoever approved is told', async () => {
    const world = await openColleagues()
    const { alice, bob, carol, clock, slack } = world
    const card = await asked(world)
    await diedWhileGranting(world, { sent: false })
    clock.advance(61_000)
    await world.restart()

    await carol.sees('Bellhop was stopped before it could send anything', carol.dm)
    await slack.idle()
    expect(card.plain).toMatch(/^🔑/)
    await alice.presses('Approve', card)
    await bob.sees('✅ Granted by alice', bob.dm)
    expect(posts(world)).toHaveLength(2)
  })

  it('cannot be approved by others as long as it may be alive', async () => {
    const world = await openColleagues()
    const { alice, carol, general, clock } = world
    const card = await asked(world)
    await diedWhileGranting(world, { sent: true })
    clock.advance(30_000)
    await world.restart()
    await alice.presses('Approve', card)
    await alice.sees('⏳ Approved by carol, granting now.', general)
    expect(posts(world)).toHaveLength(1)
    expect(carol.messages(carol.dm)).toEqual([])
  })
})

/** What a process leaves behind that died when the request had ended, before it could tell anybody. */
async function diedBeforeTelling(world: Colleagues) {
  const { slack, bob, carol, env, clock } = world
  const storage = await openStorage({ url: env.DATABASE_URL ?? '', now: clock.now })
  const workspaceId = slack.workspace.teamId
  const [open] = await storage.approvals.openOf({ workspaceId, userId: bob.id })
  const by = { userId: carol.id, name: 'carol' }
  const begun = await storage.approvals.begin(workspaceId, open?.id ?? '', by, leaseMs)
  if (begun === undefined) throw new Error('it does not begin')
  const results = begun.wish.emails.map((email) => ({ email, outcome: { kind: 'done' as const } }))
  await storage.approvals.end(begun, results, leaseMs)
  await storage.close()
}

describe('a request that was approved', () => {
  it('is told seconds after a restart, where whoever granted it died before they could', async () => {
    const world = await openColleagues()
    const { bob, carol, clock } = world
    await asked(world)
    await diedBeforeTelling(world)
    clock.advance(leaseMs)

    await world.restart()

    await bob.sees('✅ Granted by carol', bob.dm)
    await carol.sees(/by you/, carol.dm)
  })

  it('by a process that was taken for dead and comes back ends with the truth, for everybody', async () => {
    const world = await openColleagues({ budgetMs: 8_000 })
    const { bob, carol, clock, service, slack } = world
    const card = await asked(world)
    const before = posts(world).length
    service.trouble.slow(3_000, { only: 'POST' })
    await carol.presses('Approve', card)
    await world.serviceWasAsked('/container/12/user', before + 1)
    clock.advance(leaseMs + 1_000)
    await world.startAnother()
    await bob.sees('❓ Approved by carol, but it’s not certain', bob.dm)

    await bob.sees('✅ Granted by carol', bob.dm)

    await slack.idle()
    expect(card.plain).toMatch(/^✅ Granted by carol/)
    expect(posts(world)).toHaveLength(before + 1)
    const approved = (await trailOf(world)).filter(({ act, approverId }) => act === 'approve' || approverId)
    expect(approved.map(({ act, outcome }) => [act, outcome])).toEqual([
      ['grant', 'uncertain:stopped'],
      ['approve', 'uncertain:stopped'],
      ['grant', 'done'],
      ['approve', 'done'],
    ])
  })
})

describe('what becomes of a request', () => {
  it('is on record, step by step', async () => {
    const world = await openColleagues()
    const { alice, bob, carol, service, slack } = world
    const card = await asked(world)
    service.trouble.answer(403, { only: 'POST', times: 1 })
    await carol.presses('Approve', card)
    await carol.sees('The request stays open', world.general)
    await alice.presses('Approve', card)
    await bob.sees('✅ Granted', bob.dm)
    await slack.idle()
    const steps = (await trailOf(world)).filter(({ act }) => act !== 'connect')
    expect(steps.map(({ act, userId, approverId, outcome }) => [act, userId, approverId, outcome])).toEqual([
      ['grant', bob.id, undefined, 'not-done:forbidden'],
      ['ask', bob.id, undefined, 'done'],
      ['grant', bob.id, carol.id, 'not-done:forbidden'],
      ['approve', carol.id, undefined, 'not-done:forbidden'],
      ['grant', bob.id, alice.id, 'done'],
      ['approve', alice.id, undefined, 'done'],
    ])
  })
})
