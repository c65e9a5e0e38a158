import { describe, expect, it } from 'vitest'
import { trailOf } from '../audit/read.ts'
import { openFile } from '../database-folder.ts'
import { diskFull, openWorld, refuseToken, type World } from '../world.ts'

/** Alice's account is asked for: the modal to connect comes to whom has none. */
async function isConnected({ alice, general, service }: World): Promise<boolean> {
  service.addAlert(diskFull)
  await alice.types('/alert 5HkX private', general)
  const answer = await alice.sees(/Disk full|Connect/, general)
  return answer.plain.includes('Disk full')
}

const rightNow = { timeout: 30_000, interval: 10 }

const logged = ({ log }: World, words: string) => log.some((line) => line.includes(words))

const databaseOf = ({ env }: World) => openFile(env.DATABASE_URL)

const countAccounts = (world: World) =>
  databaseOf(world).prepare('select count(*) as n from accounts').get()?.n

const leavings: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['app_uninstalled', { type: 'app_uninstalled' }],
  ['tokens_revoked', { type: 'tokens_revoked', tokens: { oauth: [], bot: ['U0BOT'] } }],
]

describe('an event of this workspace', () => {
  it.each(leavings)(
    '%s forgets everybody, and the audit trail says so once',
    async (_type, event) => {
      const world = await openWorld()
      const refused = refuseToken(world)

      for (const one of [event, event]) await world.slack.event(one)
      await expect.poll(() => countAccounts(world), rightNow).toBe(0)
      await world.slack.idle()
      refused.cancel()
      const [forgotten, ...more] = await trailOf(world)
      expect(forgotten).toMatchObject({ act: 'disconnect', cause: 'uninstalled', outcome: 'done' })
      expect([forgotten?.userId, more]).toEqual([undefined, []])

      expect(await isConnected(world)).toBe(false)
    },
  )

  it('leaves nothing behind but the audit trail', async () => {
    const world = await openWorld()
    const { alice, bob, general, service, slack } = world
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX watch', general)
    await alice.sees('👁', general)
    await alice.types('/grant 12 dave@example.com viewer', general)
    await alice.sees('Granted', general)
    await bob.types('/alert 5HkX', general)
    await bob.sees('Connect account', general)
    const database = databaseOf(world)
    const filled = () =>
      database
        .prepare(
          `select name from sqlite_master where type = 'table' and sql like '%workspace_id%'`,
        )
        .all()
        .map(({ name }) => String(name))
        .filter((name) => !name.startsWith('audit_'))
        .filter((name) =>
          database.prepare(`select 1 from ${name} where workspace_id = ?`).get(slack.teamId),
        )
    expect(filled()).toEqual(expect.arrayContaining(['accounts', 'docs', 'kept']))
    refuseToken(world)

    await slack.event({ type: 'app_uninstalled' })

    await expect.poll(filled, rightNow).toEqual([])
  })

  it.each(leavings)(
    '%s that comes late, after a new install, forgets nobody',
    async (_type, event) => {
      const world = await openWorld()

      await world.slack.event(event)

      await expect.poll(() => logged(world, 'has been installed again'), rightNow).toBe(true)
      expect(await isConnected(world)).toBe(true)
    },
  )

  it('forgets everybody once Slack answers whether the bot is still there', async () => {
    const world = await openWorld()
    world.expectRefusals()
    const { slack } = world
    const silent = slack.trouble.fail(
      'auth.test',
      { status: 503 },
      { times: Number.POSITIVE_INFINITY },
    )

    await slack.event({ type: 'app_uninstalled' })
    await expect.poll(() => logged(world, 'trying again'), rightNow).toBe(true)
    expect(countAccounts(world)).toBe(1)
    // People’s tokens must not outlive an uninstall.
    world.clock.advance(60 * 60_000)
    const tries = () => slack.calls.filter(({ method }) => method === 'auth.test').length
    const before = tries()
    await expect.poll(tries, rightNow).toBeGreaterThan(before + 2)
    silent.cancel()
    refuseToken(world)

    await expect.poll(() => countAccounts(world), rightNow).toBe(0)
    expect(logged(world, 'giving up')).toBe(false)
  })
})

describe('a token that could not be forgotten', () => {
  /** Deleting accounts fails until it is mended. */
  function breakDeleting(world: World) {
    const database = databaseOf(world)
    database.exec(
      `create trigger refuse before delete on accounts begin select raise(abort, 'refused'); end`,
    )
    return () => database.exec('drop trigger refuse')
  }

  it('is forgotten as soon as that works', async () => {
    const world = await openWorld()
    const { alice, slack } = world
    const mend = breakDeleting(world)

    await slack.deactivate(alice)
    await expect.poll(() => logged(world, 'trying again'), rightNow).toBe(true)
    mend()

    await expect.poll(() => countAccounts(world), rightNow).toBe(0)
  })
})
