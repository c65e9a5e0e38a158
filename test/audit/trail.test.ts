// Records of what people do: who, what, on what, and what became of it; and no secret.
import { describe, expect, it } from 'vitest'
import { openFile } from '../database-folder.ts'
import { aliceToken, bobToken, diskFull, openWorld, type World } from '../world.ts'
import { actsOf, trailOf, verdictOn } from './read.ts'

const dayMs = 86_400_000
const soon = { timeout: 30_000, interval: 20 }
const last = async (world: World) => (await trailOf(world)).at(-1)

function untilModalSays({ bob, slack }: World, words: string) {
  return slack.workspace.changes.until(
    () => bob.modal?.plain.includes(words) || undefined,
    5_000,
    () => `the modal does not say “${words}”: ${bob.modal?.plain}`,
  )
}

describe('the audit trail', () => {
  it('knows who connected, and who was refused', async () => {
    const world = await openWorld({ isAliceConnected: 'in the form' })
    const { bob, general, service } = world
    await bob.types('/alert connect', general)
    await bob.seesModal('Connect account')
    await bob.submits({ fields: { 'API token': 'nobody-knows-this-token' } })
    await untilModalSays(world, 'Monitoring doesn’t accept this token')
    service.trouble.cut({ when: 'before-answer', times: 9 })
    await bob.submits({ fields: { 'API token': bobToken } })
    await untilModalSays(world, 'Monitoring isn’t responding')

    const trail = await trailOf(world)

    expect(trail.map(({ act, outcome, userId }) => [act, outcome, userId])).toEqual([
      ['connect', 'done', world.alice.id],
      ['connect', 'not-done:refused', bob.id],
      ['connect', 'not-done:unreachable', bob.id],
    ])
    expect(trail[0]).toMatchObject({ workspaceId: world.slack.workspace.teamId, seq: 1 })
  })

  it('knows who disconnected', async () => {
    const world = await openWorld({ isAliceConnected: 'in the form' })
    const { alice, general } = world
    await alice.types('/alert disconnect', general)
    await alice.sees('deleted your token', general)
    await alice.types('/alert disconnect', general)
    await alice.sees('You weren’t connected', general)

    expect(await actsOf(world)).toEqual(['connect done', 'disconnect done'])
    expect(await last(world)).toMatchObject({ userId: alice.id, cause: 'asked' })
  })

  it('knows who was shown which alert, and who was not', async () => {
    const world = await openWorld({ isAliceConnected: 'in the form' })
    const { alice, bob, general, service, connect, clock } = world
    await connect(bob, bobToken)
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('Disk full', general)
    clock.advance(1_000)
    await alice.types('/alert nothing', general)
    await alice.sees('There’s no alert', general)
    clock.advance(1_000)
    await bob.presses('Refresh', card)
    await bob.sees('refreshed by bob', general)

    await expect.poll(async () => (await trailOf(world)).length, soon).toBe(5)
    const seen = (await trailOf(world)).filter(({ act }) => act === 'look-up')
    expect(seen.map(({ userId, ks, outcome }) => [userId, ks, outcome])).toEqual([
      [alice.id, '5HkX', 'done'],
      [alice.id, 'nothing', 'not-done:not-found'],
      [bob.id, '5HkX', 'done'],
    ])
  })

  it.each([
    ['there is no such alert', undefined, 'not-done:not-found'],
    ['she may not read', 403, 'not-done:forbidden'],
  ])(
    'keeps only the beginning of a colleague’s token that is typed as a key, where the service says that %s',
    async (_, status, outcome) => {
      const world = await openWorld({ isAliceConnected: 'in the form' })
      const { alice, general, service } = world
      if (status !== undefined) service.trouble.answer(status, { only: 'GET' })

      await alice.types(`/alert ${bobToken}`, general)

      await expect.poll(() => actsOf(world), soon).toContain(`look-up ${outcome}`)
      await world.slack.idle()
      const seen = (await trailOf(world)).filter(({ act }) => act === 'look-up')
      expect(seen.map(({ ks }) => ks)).toEqual(['bob-… (16 characters)'])
      expect(world.databaseBytes().includes(bobToken)).toBe(false)
    },
  )

  it('keeps no more of one that is typed as the key of what is to be done', async () => {
    const world = await openWorld()
    const { alice, general } = world
    await alice.types(`/alert close ${bobToken} "done"`, general)
    await alice.sees('Not done', general)
    await world.slack.idle()
    expect((await trailOf(world)).flatMap(({ act, ks }) => (act === 'close' ? [ks] : []))).toEqual([
      'bob-… (16 characters)',
    ])
  })

  it('knows who gave whom what', async () => {
    const world = await openWorld({ isAliceConnected: 'in the form' })
    const { alice, general, service } = world
    service.addUser({ email: 'Erin@Example.com', authProvider: 'Google' })
    await alice.types('/grant 12 Erin@Example.com READ API member via Google', general)
    await alice.sees('✅ Granted', general)

    expect(await last(world)).toMatchObject({
      act: 'grant',
      userId: alice.id,
      containerId: 12,
      email: 'erin@example.com',
      permissions: ['READ', 'API'],
      member: true,
      authProvider: 'Google',
      reference: expect.stringMatching(/./),
    })
    expect((await verdictOn(world)).isSound).toBe(true)
  })

  it('holds no secret', async () => {
    const world = await openWorld({ isAliceConnected: 'in the form' })
    const { alice, general, service, slack, env } = world
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX', general)
    await alice.sees('Disk full', general)
    await alice.types('/grant 12 dave@example.com viewer', general)
    await alice.sees('Granted', general)
    await world.restart()

    const database = openFile(world.env.DATABASE_URL)
    const kept = JSON.stringify(database.prepare('select * from audit_records').all())
    expect(kept).toContain('dave@example.com')
    const key = String(env.ENCRYPTION_KEYS).split(':')[1] ?? ''
    for (const secret of [
      aliceToken,
      slack.botToken,
      slack.signingSecret,
      key,
      'Alice Archer',
      'Disk full',
    ]) {
      expect(kept).not.toContain(secret)
    }
  })
})

describe('a database that takes no audit record', () => {
  function refuse(world: World) {
    const database = openFile(world.env.DATABASE_URL)
    database.exec(
      `create trigger refuse before insert on audit_records begin select raise(abort, 'refused'); end`,
    )
    return () => database.exec('drop trigger refuse')
  }
  const logged = ({ log }: World, words: string) => log.filter((line) => line.includes(words))

  it('keeps nobody from their grant; the record comes as soon as it can', async () => {
    const world = await openWorld({ isAliceConnected: 'in the form' })
    const { alice, general } = world
    const mend = refuse(world)
    await alice.types('/grant 12 dave@example.com viewer', general)
    await alice.sees('✅ Granted', general)
    expect(await actsOf(world)).toEqual(['connect done'])
    expect(logged(world, 'an audit record could not be written')[0]).toContain('"level":"error"')

    mend()

    await expect.poll(() => actsOf(world), soon).toEqual(['connect done', 'grant done'])
  })
})

describe('AUDIT_DAYS', () => {
  it('says how long the trail goes back, which verifies all the same', async () => {
    const world = await openWorld({ isAliceConnected: 'in the form', env: { AUDIT_DAYS: '30' } })
    const { alice, general, service, clock } = world
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX', general)
    await alice.sees('Disk full', general)
    clock.advance(29 * dayMs)
    await world.restart()
    await alice.types('/grant 12 dave@example.com viewer', general)
    await alice.sees('✅ Granted', general)
    expect(await actsOf(world)).toEqual(['connect done', 'look-up done', 'grant done'])

    clock.advance(2 * dayMs)
    await world.restart()

    await expect.poll(() => actsOf(world), soon).toEqual(['grant done', 'cut done'])
    const { isSound, lines } = await verdictOn(world)
    expect(isSound).toBe(true)
    expect(lines).toContainEqual(
      expect.stringMatching(/^Records 1 to 2 were older than AUDIT_DAYS/),
    )
  })
})

describe('the log', () => {
  it('names each record by number and mac, so that it shows when somebody cuts off the end', async () => {
    const world = await openWorld({ isAliceConnected: 'in the form' })
    await world.connect(world.bob, bobToken)
    await world.slack.idle()

    const heads = world.log.flatMap((line) => /"auditHead":"([^"]+)"/.exec(line)?.[1] ?? [])
    expect(heads).toEqual([expect.stringMatching(/^1:/), expect.stringMatching(/^2:/)])
    expect((await verdictOn(world)).lines).toContain(`It ends at ${heads[1]}`)
  })
})
