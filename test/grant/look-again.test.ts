// A grant that is left in doubt is settled by looking who is on the container, three times within seconds.
import { describe, expect, it } from 'vitest'
import type { Flag } from '../../src/grant/flags.ts'
import { actsOf } from '../audit/read.ts'
import { addsDaveTo, died } from '../send/left-behind.ts'
import { openWorld, type World } from '../world.ts'
import { absent, addsDave, lists, losesAnswer, member, noMember, patient, posts } from './look-again-world.ts'
import { openSeveral } from './several-world.ts'

const seconds = 1_000

const grants = async (world: World) => (await actsOf(world)).filter((act) => act.startsWith('grant'))

describe('a grant that is answered', () => {
  it('stays one request', async () => {
    const world = await openWorld({ lateMs: 50 })
    const before = world.service.requests.length
    await world.alice.types(noMember, world.general)
    const receipt = await world.alice.sees('✅ Granted', world.general)
    expect(world.service.requests.slice(before)).toMatchObject([{ method: 'POST', status: 204 }])
    expect(receipt.buttons).toEqual(['Share in channel'])
  })
})

describe('a grant without an answer', () => {
  it('that monitoring shows is told as what it is: they have it now, and nobody says by whom', async () => {
    const world = await openWorld({ lateMs: 50, budgetMs: 300 })
    const { alice, general, service } = world
    service.trouble.hang({ only: 'POST', takesEffect: true, times: 1 })

    await alice.types(noMember, general)

    const receipt = await alice.sees(
      '✅ Granted: dave@example.com is on container 12 with these flags now',
      general,
    )
    expect(receipt.plain).toContain('Monitoring lists them, but doesn’t say who added them.')
    expect(receipt.text).toContain('doesn’t say who added them')
    expect(receipt.buttons).toEqual(['Share in channel'])
    expect(posts(world)).toHaveLength(1)
    expect(lists(world)).toHaveLength(1)
    expect(await grants(world)).toEqual(['grant done'])
  })

  it('that monitoring shows a moment later is granted: they were not listed before', async () => {
    const world = await openWorld({ lateMs: 50 })
    world.service.behaves({ visible: { reads: 2 } })
    losesAnswer(world, true)

    await world.alice.types(noMember, world.general)

    await world.alice.sees('✅ Granted: dave@example.com is now', world.general)
    expect(lists(world)).toHaveLength(3)
    expect(world.waits.slice(-2)).toEqual([1 * seconds, 2 * seconds])
    expect(await grants(world)).toEqual(['grant done'])
  })

  it('of a member who is not there was not seen, and may still take effect', async () => {
    const world = await openWorld({ lateMs: 50, budgetMs: 300 })
    const { alice, general, service } = world
    service.trouble.hang({ only: 'POST', times: 1 })

    await alice.types(member, general)

    const receipt = await alice.sees(absent, general)
    expect(receipt.plain).toContain('❓ Not certain: dave@example.com may or may not be on container 12')
    expect(receipt.plain).toContain(
      'The request timed out and may still take effect, so look again before you send another.',
    )
    expect(receipt.buttons).toEqual(['Look again'])
    expect(await grants(world)).toEqual(['grant uncertain:not-seen'])
  })

  it.each<[string, string, (world: World) => void]>([
    ['nobody is listed who is no member', 'but it doesn’t list everyone', () => undefined],
    [
      'addresses are hidden',
      'but it hides some addresses from you',
      ({ service }) => {
        service.addMember(12, { email: 'erin@example.com', member: true, hidesEmail: true })
      },
    ],
    [
      'they have other flags',
      'dave@example.com is on container 12, but without everything you asked for',
      (world) => addsDave(world, ['READ']),
    ],
    [
      'they come from a parent',
      'on container 12 only through another container',
      ({ service }) => {
        service.addMember(12, {
          email: 'dave@example.com',
          member: true,
          permissions: ['READ', 'API'],
          inherit: true,
        })
      },
    ],
    [
      'the list can’t be read',
      'I couldn’t read the list of people in monitoring, so look again in a moment.',
      ({ service }) => void service.trouble.answer(503, { only: 'GET' }),
    ],
  ])('is not certain where %s', async (_, words, arrange) => {
    const world = await openWorld({ lateMs: 50, budgetMs: 300 })
    arrange(world)
    losesAnswer(world, false)

    await world.alice.types(noMember, world.general)

    const receipt = await world.alice.sees('❓ Not certain', world.general)
    expect(receipt.plain).toContain(words)
    expect(receipt.plain).toContain('Check container 12 in monitoring before you try again.')
    expect(receipt.buttons).toEqual(['Look again'])
    expect(await grants(world)).toEqual(['grant uncertain:connection-lost'])
  })

  it('says that a token without READ shows nothing', async () => {
    const world = await openWorld({ lateMs: 50 })
    const { bob, general, service } = world
    const flags = ['API', 'CONTAINER_ACCESS'] satisfies Flag[]
    service.addToken({ token: 'writes-only', name: 'bob', flags, userId: 8 })
    await world.connect(bob, 'writes-only')
    losesAnswer(world, true)

    await bob.types(member, general)

    const receipt = await bob.sees('I can’t look, because your token lacks READ on container 12.', general)
    expect(receipt.buttons).toEqual(['Look again'])
    expect(lists(world)).toHaveLength(1)
  })

  it('is told as before with MONITOR_OPERATIONS=basic: nothing is read, and there is no button', async () => {
    const world = await openWorld({ lateMs: 50, env: { MONITOR_OPERATIONS: 'basic' } })
    losesAnswer(world, true)

    await world.alice.types(member, world.general)

    const receipt = await world.alice.sees('❓ Not certain', world.general)
    expect(receipt.plain).toContain(
      'The request went out, but the connection broke before monitoring answered. Check container 12 in monitoring before you try again. Bellhop won’t resend it.',
    )
    expect(receipt.buttons).toEqual([])
    expect(lists(world)).toEqual([])
    expect(world.waits).not.toContain(1 * seconds)
  })

  it('is told as before where the service has no such list', async () => {
    const world = await openWorld({ lateMs: 50 })
    world.service.trouble.answer(405, { only: 'GET' })
    losesAnswer(world, true)

    await world.alice.types(member, world.general)

    const receipt = await world.alice.sees('❓ Not certain', world.general)
    expect(receipt.plain).not.toContain('look')
    expect(receipt.buttons).toEqual([])
    expect(lists(world)).toHaveLength(1)
  })

  it('that was for somebody by a provider isn’t proved by the same address with another', async () => {
    const world = await openWorld({ lateMs: 50 })
    const { service, alice, general } = world
    service.addMember(12, {
      email: 'dave@example.com',
      authProvider: 'Microsoft',
      permissions: ['READ', 'API'],
    })
    losesAnswer(world, false)
    await alice.types(`${noMember} via Google`, general)
    expect((await alice.sees('❓ Not certain', general)).plain).toContain('doesn’t list dave@example.com')
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
    expect(told.plain).toContain('Here’s the result of a grant you asked for earlier')
    await alice.presses('Look again', told)
    await alice.sees('✅ Granted: dave@example.com is on container 12', alice.dm)
    expect(alice.messages(alice.dm)).toHaveLength(1)
    expect(await grants(world)).toEqual(['grant uncertain:stopped', 'grant done'])
    expect(posts(world)).toEqual([])
  })
})

describe('several people without an answer', () => {
  it('are looked for with one read, and each is told apart', async () => {
    const { world, line } = await openSeveral(4)
    const { alice, general, service } = world
    service.trouble.cut({ when: 'after-effect', only: 'POST', times: 2 })
    service.trouble.cut({ when: 'before-answer', only: 'POST', times: 1 })

    await alice.types(`${line} member`, general)

    const result = await alice.sees('3 of 4 granted', general)
    expect(result.plain.match(/✅ p\d@example.com: on the container now/g)).toHaveLength(2)
    expect(result.plain.match(/❓ p\d@example.com: not certain, not on the container yet/g)).toHaveLength(1)
    expect(result.plain).toContain('Some aren’t on container 12 as of')
    expect(result.plain).toContain('monitoring lists them, but doesn’t say who added them')
    expect(result.buttons).toContain('Look again')
    expect(posts(world)).toHaveLength(4)
    expect(lists(world)).toHaveLength(3)
  })
})

describe('a doubtful grant for an alert', () => {
  it('tells everybody in the thread the doubt, and what was seen only to whoever sent it', async () => {
    const world = await openWorld({ lateMs: 50 })
    const { alice, bob, general, service } = world
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('Disk full', general)
    await alice.sees('No actions on this alert yet.', card)
    await alice.presses('Grant access', card)
    await alice.seesModal('Grant access')
    losesAnswer(world, false)
    const wish = {
      Container: '12',
      Email: 'dave@example.com',
      Role: 'Custom',
      Viewing: ['View the container'],
    }

    await alice.submits({ fields: wish })

    const shared = await bob.sees('❓ Not certain', await bob.sees('Disk full', general))
    expect(shared.plain).not.toContain('list')
    expect(shared.buttons).toEqual([])
    const own = await alice.sees('but it doesn’t list everyone', card)
    expect(own.isEphemeral).toBe(true)
    expect(own.buttons).toEqual(['Look again'])
  })
})
