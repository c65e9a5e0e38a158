// *Look again* on a receipt: reads once, with the token of whoever sent the grant, and never sends.
import { describe, expect, it } from 'vitest'
import { actsOf } from '../audit/read.ts'
import { interaction, send } from '../signed-request.ts'
import { aliceToken, bobToken, openWorld, type World, type WorldOptions } from '../world.ts'
import { absent, addsDave, lists, losesAnswer, member, noMember, posts } from './look-again-world.ts'
import { openSeveral } from './several-world.ts'

const seconds = 1_000

/** Alice was told that her grant is not certain. */
async function openDoubt(line = member, options: WorldOptions = {}) {
  const world = await openWorld({ lateMs: 50, ...options })
  losesAnswer(world, false)
  await world.alice.types(line, world.general)
  const receipt = await world.alice.sees('❓ Not certain', world.general)
  await world.slack.idle()
  return { world, receipt, read: lists(world).length }
}

/** Nobody is told anything else, however long it takes. */
async function staysQuiet({ clock, slack, alice, restart }: World): Promise<void> {
  clock.advance(400 * seconds)
  await restart()
  await slack.idle(100)
  expect(alice.messages(alice.dm)).toEqual([])
}

describe('Look again', () => {
  it('shows in place of the receipt that it was made, once, and says when it looked', async () => {
    const { world, receipt, read } = await openDoubt()
    const { alice, general } = world
    addsDave(world)

    await alice.presses('Look again', receipt)

    const now = await alice.sees('✅ Granted: dave@example.com', general)
    expect(now.plain).toContain('Looked again at')
    expect(now.buttons).toEqual(['Share in channel'])
    await alice.doesNotSee('❓ Not certain', general)
    expect(lists(world)).toHaveLength(read + 1)
    expect(posts(world)).toHaveLength(1)
    expect((await actsOf(world)).slice(-2)).toEqual(['grant uncertain:not-seen', 'grant done'])
    await staysQuiet(world)
  })

  it('says when it looked where nothing has changed, and stays', async () => {
    const { world, receipt } = await openDoubt()
    const { alice, general, slack } = world

    await alice.presses('Look again', receipt)

    const again = await alice.sees('Looked again at', general)
    expect(again.plain).toContain(absent)
    expect(again.buttons).toEqual(['Look again'])
    await slack.idle()
    addsDave(world)
    await alice.presses('Look again', again)
    await alice.sees('✅ Granted', general)
    expect(posts(world)).toHaveLength(1)
  })

  it('pressed twice at once is harmless', async () => {
    const { world, receipt, read } = await openDoubt()
    const { alice, general, slack } = world
    addsDave(world)

    await Promise.all([alice.presses('Look again', receipt), alice.presses('Look again', receipt)])

    await alice.sees('✅ ', general)
    await slack.idle(100)
    await alice.doesNotSee('❓ Not certain', general)
    expect(lists(world).length).toBeLessThanOrEqual(read + 2)
    expect(posts(world)).toHaveLength(1)
    expect((await actsOf(world)).filter((act) => act === 'grant done')).toHaveLength(1)
    await staysQuiet(world)
  })

  it('works after a restart, days later', async () => {
    const { world, receipt } = await openDoubt()
    const { alice, general, clock } = world
    clock.advance(3 * 24 * 3_600 * seconds)
    await world.restart()
    addsDave(world)

    await alice.presses('Look again', receipt)

    await alice.sees('✅ Granted', general)
    await staysQuiet(world)
  })

  it('on a grant that is no longer stored doesn’t say that nothing was sent: it says where to look', async () => {
    const { world, receipt } = await openDoubt()
    const { alice, general, clock, slack } = world
    clock.advance(91 * 24 * 3_600 * seconds)
    await world.restart()
    await slack.idle(100)

    await alice.presses('Look again', receipt)

    const told = await alice.sees('I no longer have this grant', general)
    expect(told.plain).toContain('Check the container in monitoring')
    expect(alice.screen(general)).not.toContain('expired')
  })

  it('says that nothing is new where the list can’t be read', async () => {
    const { world, receipt } = await openDoubt(member, { budgetMs: 300 })
    const { alice, general, service } = world
    service.trouble.answer(503, { only: 'GET' })

    await alice.presses('Look again', receipt)

    const now = await alice.sees('I couldn’t read the list of people in monitoring just now', general)
    expect(now.plain).toContain(absent)
    expect(now.plain).not.toContain('Looked again at')
    expect(now.buttons).toEqual(['Look again'])
  })

  it.each([
    ['a token that lacks READ by now', 'your token lacks READ on container 12'],
    ['a token that is refused by now', 'monitoring no longer accepts your token'],
  ])('says why it can’t look with %s', async (name, words) => {
    const { world, receipt } = await openDoubt()
    const { alice, general, service } = world
    service.revoke(aliceToken)
    if (name.includes('READ'))
      service.addToken({ token: aliceToken, name: 'alice', flags: ['API', 'CONTAINER_ACCESS'] })

    await alice.presses('Look again', receipt)

    expect((await alice.sees(words, general)).buttons).toEqual(['Look again'])
  })

  it('needs an account, and says so', async () => {
    const { world, receipt, read } = await openDoubt()
    const { alice, general } = world
    await alice.types('/alert disconnect', general)
    await alice.presses('Disconnect', await alice.sees('Disconnect', general)).catch(() => undefined)

    await alice.presses('Look again', receipt)

    await alice.sees('Connect your account with /alert connect first, then press Look again.', general)
    expect(lists(world)).toHaveLength(read)
  })

  it('does nothing with MONITOR_OPERATIONS=basic', async () => {
    const { world, receipt, read } = await openDoubt()
    await world.restart({ MONITOR_OPERATIONS: 'basic' })
    await world.alice.presses('Look again', receipt)
    await world.alice.sees('Bellhop can’t look that up here any more.', world.general)
    expect(lists(world)).toHaveLength(read)
    await staysQuiet(world)
  })

  it('of somebody else reads and tells nothing, though a request for it is signed', async () => {
    const { world, receipt, read } = await openDoubt()
    const { bob, general, slack } = world
    await world.connect(bob, bobToken)
    const { value } = receipt.control('Look again')?.element ?? {}
    await bob.types('/grant 12 alice@example.com viewer', general)
    const { payload } = await bob.presses('Edit and try again', await bob.sees('Not granted', general))
    await slack.idle()

    const actions = [{ action_id: 'grant.look', value, type: 'button' }]
    await send(world, interaction({ ...payload, actions }))
    await slack.idle()

    expect(lists(world)).toHaveLength(read)
    expect(bob.screen(general)).not.toContain('dave@example.com')
  })

  it('counts as one request of whoever presses it', async () => {
    const { world, receipt } = await openDoubt(noMember, { env: { RATE_PER_MINUTE: '3' } })
    const { alice, general, slack } = world
    for (let times = 0; times < 4; times += 1) {
      await alice.presses('Look again', receipt)
      await slack.idle()
    }
    await alice.sees(/too (many|fast)|minute/i, general)
  })

  it('on a receipt for several reads once for all of them', async () => {
    const { world, line } = await openSeveral(4)
    const { alice, general, service } = world
    service.trouble.cut({ when: 'before-answer', only: 'POST', times: 3 })
    await alice.types(`${line} member`, general)
    const receipt = await alice.sees('1 of 4 granted', general)
    await world.slack.idle()
    const read = lists(world).length
    for (const { email } of [1, 2, 3, 4].map((n) => ({ email: `p${n}@example.com` })))
      service.addMember(12, {
        email,
        member: true,
        permissions: ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG'],
      })

    await alice.presses('Look again', receipt)

    const now = await alice.sees('4 of 4 granted', general)
    expect(now.buttons).not.toContain('Look again')
    expect(lists(world)).toHaveLength(read + 1)
    expect(posts(world)).toHaveLength(4)
    await staysQuiet(world)
  })
})
