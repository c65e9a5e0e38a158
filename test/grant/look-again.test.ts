// A grant that got no answer is settled by looking who is on the container: three times within seconds, and by *Look again*,
// which reads once, with the token of whoever sent it, and never sends.
import { describe, expect, it } from 'vitest'
import { actsOf } from '../audit/read.ts'
import { addsDaveTo, died } from '../send/left-behind.ts'
import { openWorld, posts, type World, type WorldOptions } from '../world.ts'
import { aliceLooksUp, grantsOn, readWish, viewer } from './dave.ts'
import { addsDave, lists, losesAnswer, member, noMember, patient } from './look-again-world.ts'
import { openSeveral } from './several-world.ts'

const seconds = 1_000

const grants = async (world: World) =>
  (await actsOf(world)).filter((act) => act.startsWith('grant'))

describe('a grant without an answer', () => {
  it('that monitoring shows is told as what it is: they have it now, and nobody says by whom', async () => {
    const world = await openWorld({ lateMs: 50, budgetMs: 300 })
    const { alice, general, service } = world
    service.trouble.hang({ only: 'POST', takesEffect: true, times: 1 })

    await alice.types(noMember, general)

    const receipt = await alice.sees(
      '✅ Granted: dave@example.com now has READ and API on container 12',
      general,
    )
    expect(receipt.plain).toContain('Monitoring lists them, but doesn’t say who added them.')
    expect(receipt.text).toContain('doesn’t say who added them')
    expect(receipt.buttons).toEqual(['Share in channel', 'Change…', 'Remove…'])
    expect(posts(world)).toHaveLength(1)
    expect(lists(world)).toHaveLength(1)
    expect(await grants(world)).toEqual(['grant done'])
  })

  it('that monitoring shows a moment later is granted: they were not listed before', async () => {
    const world = await openWorld({ lateMs: 50 })
    world.service.behaves({ visible: { reads: 2 } })
    losesAnswer(world, true)

    await world.alice.types(noMember, world.general)

    await world.alice.sees('✅ Granted: dave@example.com now has', world.general)
    expect(lists(world)).toHaveLength(3)
    expect(world.waits.slice(-2)).toEqual([1 * seconds, 2 * seconds])
    expect(await grants(world)).toEqual(['grant done'])
  })

  it.each<[string, (world: World) => void]>([
    ['nobody is listed who is no member', () => undefined],
    ['they have other flags', (world) => addsDave(world, ['READ'])],
    ['the list can’t be read', ({ service }) => void service.trouble.answer(503, { only: 'GET' })],
  ])('is not certain where %s', async (_, arrange) => {
    const world = await openWorld({ lateMs: 50, budgetMs: 300 })
    arrange(world)
    losesAnswer(world, false)

    await world.alice.types(noMember, world.general)

    const receipt = await world.alice.sees('❓ Not certain', world.general)
    expect(receipt.plain).toContain('Check in monitoring before trying again.')
    expect(receipt.buttons).toEqual(['Look again'])
    expect(await grants(world)).toEqual(['grant uncertain:connection-lost'])
  })

  it('is told as before with MONITOR_OPERATIONS=basic: nothing is read, and there is no button', async () => {
    const world = await openWorld({ lateMs: 50, env: { MONITOR_OPERATIONS: 'basic' } })
    losesAnswer(world, true)

    await world.alice.types(member, world.general)

    const receipt = await world.alice.sees('❓ Not certain', world.general)
    expect(receipt.plain).toContain(
      'The request went out, but the connection broke before monitoring answered. Check in monitoring before trying again. I won’t resend it.',
    )
    expect(receipt.buttons).toEqual([])
    expect(lists(world)).toEqual([])
    expect(world.waits).not.toContain(1 * seconds)
  })
})

describe('a grant of a process that died while it was sent', () => {
  it('is told as not certain, once, and a look shows that it was made after all', async () => {
    const world = await openWorld({ lateMs: 50 })
    const { alice } = world
    await died(world, 'sending', addsDaveTo(12, { member: true }))
    world.clock.advance(12 * seconds)
    addsDave(world)

    await world.restart()

    const told = await alice.sees('❓ Not certain', alice.dm, patient)
    expect(told.plain).toContain('Here’s the result of what you asked for earlier')
    await alice.presses('Look again', told)
    await alice.sees('✅ Granted: dave@example.com now has READ and API on container 12', alice.dm)
    expect(alice.messages(alice.dm)).toHaveLength(1)
    expect(await grants(world)).toEqual(['grant uncertain:stopped', 'grant done'])
    expect(posts(world)).toEqual([])
  })
})

describe('a doubtful grant for an alert', () => {
  it('tells everybody in the thread the doubt, and what was seen only to whoever sent it', async () => {
    const world = await openWorld({ lateMs: 50 })
    const { alice, bob, general } = world
    const card = await aliceLooksUp(world)
    await alice.sees('No actions on this alert yet.', card)
    losesAnswer(world, false)

    await grantsOn(alice, card, readWish)

    const shared = await bob.sees('❓ Not certain', await bob.sees('Disk full', general))
    expect(shared.plain).not.toContain('list')
    expect(shared.buttons).toEqual([])
    const own = await alice.sees(/^❓ Not certain(?![\s\S]*requested by)/, card)
    expect(own.isEphemeral).toBe(true)
    expect(own.buttons).toEqual(['Look again'])
  })
})

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
  it('says when it looked, stays where nothing has changed, and shows in place of the receipt that it was made', async () => {
    const { world, receipt, read } = await openDoubt()
    const { alice, general, slack } = world
    await alice.presses('Look again', receipt)
    const again = await alice.sees('Looked again at', general)
    expect(again.buttons).toEqual(['Look again'])
    await slack.idle()
    addsDave(world)

    await alice.presses('Look again', again)

    const now = await alice.sees('✅ Granted: dave@example.com', general)
    expect(now.plain).toContain('Looked again at')
    expect(now.buttons).toEqual(['Share in channel', 'Change…', 'Remove…'])
    await alice.doesNotSee('❓ Not certain', general)
    expect(lists(world)).toHaveLength(read + 2)
    expect(posts(world)).toHaveLength(1)
    expect((await actsOf(world)).slice(-2)).toEqual([
      'grant uncertain:connection-lost',
      'grant done',
    ])
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

    await alice.sees('I couldn’t read the list of people in monitoring just now', general)
    const now = await alice.sees('❓ Not certain', general)
    expect(now.plain).not.toContain('Looked again at')
    expect(now.buttons).toEqual(['Look again'])
  })

  it('needs an account, and says so', async () => {
    const { world, receipt, read } = await openDoubt()
    const { alice, general } = world
    await alice.types('/alert disconnect', general)
    await alice
      .presses('Disconnect', await alice.sees('Disconnect', general))
      .catch(() => undefined)

    await alice.presses('Look again', receipt)

    await alice.sees('Connect your account with /alert connect first, then try again.', general)
    expect(lists(world)).toHaveLength(read)
  })

  it('on a receipt for several, which tells each apart, reads once for all of them', async () => {
    const { world, emails, line } = await openSeveral(4)
    const { alice, general, service } = world
    service.trouble.cut({ when: 'after-effect', only: 'POST', times: 1 })
    service.trouble.cut({ when: 'before-answer', only: 'POST', times: 2 })
    await alice.types(`${line} member`, general)
    const receipt = await alice.sees('2 of 4 granted', general)
    expect(receipt.plain).toContain('✅ p1@example.com')
    expect(receipt.plain.match(/❓ p\d@example.com may or may not be on/g)).toHaveLength(2)
    expect(receipt.plain).toContain('Monitoring lists them, but doesn’t say who added them')
    await world.slack.idle()
    const read = lists(world).length
    for (const email of emails) service.addMember(12, { email, member: true, permissions: viewer })

    await alice.presses('Look again', receipt)

    const now = await alice.sees('4 of 4 granted', general)
    expect(now.buttons).not.toContain('Look again')
    expect(lists(world)).toHaveLength(read + 1)
    expect(posts(world)).toHaveLength(4)
    await staysQuiet(world)
  })
})
