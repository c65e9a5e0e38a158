// Somebody leaves, and Slack's event about it is lost: Bellhop finds out by itself, and nobody else is forgotten.
import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import { openFile } from '../database-folder.ts'
import { aliceToken, bobToken, openWorld, type World } from '../world.ts'

const soon = { timeout: 30_000, interval: 10 }
const dayMs = 24 * 3_600_000

const query = ({ env }: World, sql: string) => openFile(env.DATABASE_URL).prepare(sql).all()

const connected = (world: World) =>
  query(world, 'select user_id from accounts order by user_id').map(({ user_id }) => user_id)

/** People whom Slack was asked about, one by one. */
const asked = ({ slack }: World) =>
  slack.calls.filter(({ method }) => method === 'users.info').map(({ args }) => args.user)

/** While Bellhop is down, so that it hears nothing of it. */
function leaves({ member }: Person): void {
  member.isDeleted = true
}

/** A day later, Bellhop starts: each start looks at once. */
async function startsNextDay(world: World): Promise<void> {
  world.clock.advance(dayMs)
  await world.restart()
}

const isAudited = (world: World, person: Person) =>
  query(world, 'select body from audit_records').some(
    ({ body }) =>
      /"act":"disconnect".*"cause":"left"/.test(String(body)) && String(body).includes(person.id),
  )

describe('the token of somebody who left while Bellhop was down', () => {
  it('is forgotten within a day, as if Slack had told of it: card and audit trail', async () => {
    const world = await openWorld({ env: { WATCH_TTL_HOURS: '48' } })
    const { alice, bob, general, service } = world
    await world.connect(bob, bobToken)
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    await alice.types('/alert 5HkX watch', general)
    const card = await bob.sees('👁', general)
    leaves(alice)

    await startsNextDay(world)

    await expect.poll(() => connected(world), soon).toEqual([bob.id])
    await bob.sees('Stopped updating', card)
    await expect.poll(() => isAudited(world, alice), soon).toBe(true)
    expect(world.databaseBytes().includes(aliceToken)).toBe(false)
  })

  it('is forgotten when Slack does not know them any more', async () => {
    const world = await openWorld()
    world.expectRefusals()
    world.slack.workspace.members.delete(world.alice.id)
    await startsNextDay(world)
    await expect.poll(() => connected(world), soon).toEqual([])
  })
})

describe('somebody who is still here', () => {
  it.each([
    ['has a fault', { error: 'fatal_error' }],
    ['does not show them to the bot', { error: 'user_not_visible' }],
    ['lacks the scope', { error: 'missing_scope' }],
  ] as const)('is not forgotten when Slack %s', async (_, failure) => {
    const world = await openWorld()
    world.expectRefusals()
    const { alice, slack } = world
    const order = slack.trouble.fail('users.info', failure, { times: Number.POSITIVE_INFINITY })
    const before = asked(world).length

    await startsNextDay(world)

    await expect.poll(() => asked(world).slice(before), soon).toEqual([alice.id])
    await slack.idle(100)
    order.cancel()
    expect(connected(world)).toEqual([alice.id])
  })
})

it('somebody about whom Slack does not answer holds up nobody else', async () => {
  const world = await openWorld()
  world.expectRefusals()
  const { alice, bob, slack } = world
  await world.connect(bob, bobToken)
  slack.trouble.fail('users.info', { error: 'user_not_visible' }, { times: 1 })
  const before = asked(world).length
  leaves(bob)

  await startsNextDay(world)

  await expect.poll(() => connected(world), soon).toEqual([alice.id])
  expect(asked(world).slice(before)).toEqual([alice.id, bob.id])
})
