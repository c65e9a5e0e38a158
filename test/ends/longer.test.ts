// Making access last longer needs what giving it needed: whoever may give it does so, whoever only asked asks again. And what a
// question or a request shows is judged again, by the settings and the list of the moment in which it is sent.
import { describe, expect, it } from 'vitest'
import { clockTime } from '../../src/grant/input/until.ts'
import type { Flag } from '../../src/grant/roles.ts'
import {
  asked,
  asks,
  asksOn,
  type Colleagues,
  givesReason,
  openColleagues,
} from '../approval/colleagues.ts'
import { trailOf } from '../audit/read.ts'
import { aliceToken, openWorld, type World, type WorldOptions } from '../world.ts'

const hourMs = 3_600_000
const minuteMs = 60_000
const viewer: readonly Flag[] = ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG']
const line = '/grant 12 dave@example.com viewer for 4h'

const has = ({ service }: World) => service.membersOf(12).find(({ id }) => id === 9)?.permissions
const writes = ({ service }: World) => service.requests.filter(({ method }) => method !== 'GET')

/** Carol, who may give all of Viewer, has approved for an hour what Bob asked for. */
async function approved() {
  const world = await openColleagues()
  const { bob, carol, general, service, slack } = world
  const flags = ['CONTAINER_ACCESS', 'API', 'READ', 'REPORTING_VIEW', 'VIEW_LOG'] as const
  service.addToken({ token: 'carol-token', name: 'carol', flags: [...flags] })
  await asks(bob, line, general)
  const card = await carol.sees('🔑 bob asks: Viewer on', general)
  await carol.presses('Approve for 1 hour', card)
  await bob.sees('✅ Granted by carol', bob.dm)
  await slack.idle()
  return { ...world, world, card }
}

async function asksForMore({ bob, general }: Colleagues, label = 'Ask for 4 hours more') {
  await bob.types('/grant due', general)
  await bob.presses(label, await bob.sees('dave@example.com · Viewer', general))
}

describe('whoever only asked', () => {
  it('can ask for more: a colleague decides, the end moves, and whoever gave it hears of it', async () => {
    const { world, alice, bob, carol, general, clock, slack, card } = await approved()
    await bob.types('/grant due', general)
    const due = await bob.sees('dave@example.com · Viewer', general)
    expect(due.buttons).toEqual([
      'Ask for 1 hour more',
      'Ask for 4 hours more',
      'Ask for 1 day more',
      'Remove now',
    ])
    await bob.presses('Ask for 4 hours more', due)
    await givesReason(bob)
    const more = await alice.sees('🔑 bob asks: 4 hours more of Viewer on', general)
    expect(more.plain).toMatch(/Until 20\d\d-[^,]*\./)
    expect(more.plain).not.toContain('approver’s account')
    const sent = writes(world).length

    await alice.presses('Approve', more)
    await bob.sees('✅ Extended by alice', bob.dm)
    await carol.sees('dave@example.com keeps Viewer on container 12 until', carol.dm)
    await slack.idle()
    expect(writes(world)).toHaveLength(sent)
    expect(card.thread.at(-1)?.plain).toContain('dave@example.com keeps Viewer')
    expect((await trailOf(world)).filter(({ act }) => act === 'extend')).toMatchObject([
      { outcome: 'done', until: expect.any(Number) },
    ])

    clock.advance(4 * hourMs)
    await slack.idle(200)
    expect(has(world)).toEqual(viewer)
    clock.advance(hourMs + 1_000)
    await carol.sees('✅ Ended: dave@example.com', carol.dm)
    await expect.poll(() => card.thread.at(-1)?.plain).toContain('no longer has Viewer on')
    expect(writes(world).at(-1)).toMatchObject({ method: 'DELETE', token: 'carol' })
  })

  it.each(['keep', '1d', 'nonsense'])(
    'can’t make it last by a button’s value: %s',
    async (what) => {
      const { world, bob, carol, clock, general, slack } = await approved()
      await bob.types('/grant due', general)
      const due = await bob.sees('dave@example.com · Viewer', general)
      const menu = JSON.parse(JSON.stringify(due.blocks).replaceAll('ask-1h ', `${what} `))
      expect(JSON.stringify(menu)).toContain(`${what} `)
      Object.assign(due.message, { blocks: menu })
      await bob.presses('Ask for 1 hour more', due)
      await slack.idle(200)
      clock.advance(hourMs + 1_000)
      await carol.sees('✅ Ended', carol.dm)
      expect(has(world)).toBeUndefined()
    },
  )

  it('asks once at a time, and in time: afterwards it has lapsed, which is said', async () => {
    const { world, bob, carol, clock, general, slack, ...rest } = await approved()
    const colleagues = { ...rest, bob, carol, clock, general, slack }
    await asksForMore(colleagues)
    await givesReason(bob)
    const more = await carol.sees('4 hours more of Viewer', general)
    await asksForMore(colleagues, 'Ask for 1 hour more')
    await bob.sees('Somebody has asked for more time already', general)

    clock.advance(hourMs + 1_000)
    await carol.sees('✅ Ended', carol.dm)
    await bob.sees('⌛ Expired: nobody decided in time', bob.dm)
    expect(more.buttons).toEqual([])
    expect(has(world)).toBeUndefined()
  })

  it('is not its own colleague: neither they nor whoever has it may approve more', async () => {
    const { bob, dave, general, world, ...rest } = await approved()
    await asksForMore({ ...rest, bob, dave, general })
    await givesReason(bob)
    const more = await dave.sees('4 hours more of Viewer', general)
    await bob.presses('Approve', more)
    await bob.sees('You asked for this yourself', general)
    await dave.presses('Approve', more)
    await dave.sees('This is your own access', general)
    expect(more.buttons).toContain('Approve')
    expect(has(world)).toEqual(viewer)
  })

  it('is told no where the colleague couldn’t give it, and the request waits for another', async () => {
    const { alice, bob, carol, general, service, world, ...rest } = await approved()
    await asksForMore({ ...rest, alice, bob, carol, general, service })
    await givesReason(bob)
    const more = await alice.sees('4 hours more of Viewer', general)
    service.addToken({
      token: aliceToken,
      name: 'alice',
      flags: ['API', 'READ', 'CONTAINER_ACCESS'],
    })
    await alice.presses('Approve', more)
    await alice.sees('The request stays open.', general)
    await carol.presses('Approve', more)
    await bob.sees('✅ Extended by carol', bob.dm)
    expect(has(world)).toEqual(viewer)
  })
})

describe('more time that a colleague approves', () => {
  it.each<[string, (colleagues: Colleagues) => Promise<unknown>]>([
    [
      'whoever has it is done with it, though nobody’s account could end it yet',
      async ({ clock, dave, service, slack }) => {
        clock.advance(50 * minuteMs)
        service.revoke('carol-token')
        await dave.presses('I’m done', await dave.sees('Your Viewer on', dave.dm))
        await slack.idle(200)
      },
    ],
    [
      'its flags may not last that long any more',
      ({ restart }) => restart({ TIMED_FLAGS: 'READ:2h' }),
    ],
  ])('is none once %s', async (_, happens) => {
    const { world, alice, bob, general, ...rest } = await approved()
    const colleagues = { ...rest, alice, bob, general }
    world.expectRefusals()
    await asksForMore(colleagues)
    await givesReason(bob)
    const more = await alice.sees('4 hours more of Viewer', general)
    await happens(colleagues)
    await alice.presses('Approve', more)
    await alice.sees('The request stays open.', general)
    expect(bob.screen(bob.dm)).not.toContain('Extended')
  })

  it('is none while it is being taken back', async () => {
    const { world, alice, bob, carol, general, service, ...rest } = await approved()
    await asksForMore({ ...rest, alice, bob, carol, general, service })
    await givesReason(bob)
    const more = await alice.sees('4 hours more of Viewer', general)
    await carol.types('/grant due', general)
    const due = await carol.sees('dave@example.com · Viewer', general)
    const letGo = service.trouble.hold({ only: 'DELETE' })
    const removing = carol.presses('Remove now', due)
    await expect.poll(() => writes(world).at(-1)?.method).toBe('DELETE')
    await alice.presses('Approve', more)
    await alice.sees('The request stays open.', general)
    letGo()
    await removing
    await carol.sees('✅ Ended', general)
    expect(has(world)).toBeUndefined()
  })
})

describe('whoever gave it', () => {
  async function given(options?: WorldOptions) {
    const world = await openWorld(options)
    await world.alice.types(line, world.general)
    const receipt = await world.alice.sees('✅ Granted', world.general)
    await world.slack.idle()
    return { ...world, world, receipt }
  }

  it.each<[string, string, (world: World) => void]>([
    [
      'their token is refused',
      'Not extended: monitoring no longer accepts your token',
      ({ service }) => service.revoke(aliceToken),
    ],
    [
      'they may no longer give access',
      'Not extended: your token lacks',
      ({ service }) => service.addToken({ token: aliceToken, name: 'alice', flags: [...viewer] }),
    ],
    [
      'they lack a flag of it by now',
      'Not extended: your token lacks',
      ({ service }) =>
        service.addToken({
          token: aliceToken,
          name: 'alice',
          flags: ['API', 'READ', 'CONTAINER_ACCESS'],
        }),
    ],
  ])('can’t make it last once %s', async (_, words, happens) => {
    const { world, alice, general, receipt } = await given()
    happens(world)
    for (const label of ['Keep for good', 'Extend by 1 hour']) {
      await alice.presses(label, receipt)
      await alice.sees(words, general)
    }
    await alice.types('/grant due', general)
    await alice.sees('dave@example.com · Viewer', general)
    expect(alice.screen(general)).not.toContain('keeps Viewer')
  })

  it('asks a colleague too, once one has to approve what it holds', async () => {
    const world = await openWorld()
    const { alice, general, slack } = world
    await alice.types('/grant 12 dave@example.com READ,BILLING for 4h', general)
    const receipt = await alice.sees('✅ Granted', general)
    await slack.idle()
    await world.restart({ APPROVAL_FLAGS: 'BILLING' })
    await alice.presses('Keep for good', receipt)
    await alice.sees('choose Ask for 4 hours more', general)
    await alice.types('/grant due', general)
    const { buttons } = await alice.sees('dave@example.com · ', general)
    expect(buttons).toContain('Ask for 1 day more')
  })

  it('extends flags that are given for a time by no more than that, in all', async () => {
    const world = await openWorld({ env: { TIMED_FLAGS: 'BILLING:8h' } })
    const { alice, clock, general, slack } = world
    await alice.types('/grant 12 dave@example.com READ,BILLING for 4h', general)
    const receipt = await alice.sees('✅ Granted', general)
    await slack.idle()
    clock.advance(3 * hourMs)
    await alice.presses('Extend by 4 hours', receipt)
    await alice.sees('keeps READ and BILLING', general)
    clock.advance(4 * hourMs)
    await alice.presses('Extend by 1 hour', receipt)
    await alice.sees('BILLING can’t last that long here.', general)
  })

  it('reads once that it lasts, in place of what said otherwise', async () => {
    const { alice, clock, slack } = await given()
    clock.advance(4 * hourMs - 10 * minuteMs)
    const soon = await alice.sees('dave@example.com has Viewer on', alice.dm)
    await slack.idle()
    await alice.presses('Extend by 1 hour', soon)
    await expect.poll(() => soon.plain).toContain('dave@example.com keeps Viewer on')
    await slack.idle()
    expect(alice.messages(alice.dm)).toHaveLength(1)
    clock.advance(hourMs + 11 * minuteMs)
    await expect.poll(() => soon.plain).toContain('✅ This has ended.')
  })

  it('extends once what was pressed twice at the same moment', async () => {
    const { world, alice, clock, general, receipt, service, slack } = await given()
    const letGo = service.trouble.hold({ only: { method: 'GET' } })
    const presses = [1, 2].map(() => alice.presses('Extend by 1 hour', receipt))
    await slack.idle(100)
    letGo()
    await Promise.all(presses)
    await alice.sees('dave@example.com keeps Viewer on', general)
    await slack.idle(100)
    expect(alice.screen(general)).not.toContain('I’m taking it back')
    clock.advance(5 * hourMs + 1_000)
    await alice.sees('✅ Ended', alice.dm)
    expect(has(world)).toBeUndefined()
  })

  it('can’t keep it while a colleague removes it', async () => {
    const { world, alice, general, receipt, service, slack } = await given()
    const carol = slack.addPerson({ name: 'carol', email: 'carol@example.com' })
    const approvals = slack.addChannel({ name: 'approvals', members: [carol], botIsMember: true })
    await world.restart({ APPROVAL_CHANNEL: approvals.id })
    service.addToken({
      token: 'carol-token',
      name: 'carol',
      flags: ['API', 'READ', 'CONTAINER_ACCESS'],
    })
    general.members.add(carol.id)
    await world.connect(carol, 'carol-token')
    await alice.types('/alert disconnect', general)
    await alice.presses('Disconnect', await alice.sees('If you disconnect, I can’t', general))
    const stuck = await carol.sees('Alice Archer’s account can’t take it back', approvals)
    await world.connect(alice, aliceToken)
    service.trouble.slow(1_000, { only: 'DELETE' })
    const removing = carol.presses('Remove now', stuck)
    await expect.poll(() => writes(world).length).toBe(2)
    await alice.presses('Keep for good', receipt)
    await alice.sees('I’m taking it back right now.', general)
    await removing
    await carol.sees('no longer has Viewer on Customer 1 (12). Monitoring shows it.', approvals)
    expect(has(world)).toBeUndefined()
  })
})

describe('what is sent', () => {
  it('is nothing, once the time has passed that it was to last until', async () => {
    const world = await openWorld()
    const { alice, clock, general } = world
    const until = clockTime(clock.now() + 20 * minuteMs, alice.member.tz).slice(-5)
    await alice.types(`/grant 12 @bob viewer until ${until}`, general)
    const question = await alice.sees('[Grant access]', general)
    clock.advance(21 * minuteMs)
    await alice.presses('Grant access', question)
    await alice.sees('Nothing was sent', general)
    expect(writes(world)).toEqual([])
  })

  it.each(['for good', 'until a time'])(
    'is for no longer than today’s settings allow, for a request that waited: %s',
    async (lasts) => {
      const world = await openColleagues()
      const { bob, carol, clock, general, slack } = world
      const time = clockTime(clock.now() + 20 * hourMs, bob.member.tz).slice(-5)
      const until = lasts === 'for good' ? '' : ` until ${time}`
      await asked(world, `/grant 12 dave@example.com WEBHOOKS${until}`)
      await world.restart({ TIMED_FLAGS: 'WEBHOOKS:4h' })
      await carol.presses('Approve', await carol.sees('🔑', general))
      await bob.sees('✅ Granted by carol', bob.dm)
      await slack.idle()
      clock.advance(4 * hourMs + 1_000)
      await carol.sees('✅ Ended', carol.dm)
      expect(has(world)).toBeUndefined()
    },
  )

  it('is for no longer than that, for a question that waited', async () => {
    const world = await openWorld()
    const { alice, clock, general, slack } = world
    await alice.types('/grant 12 dave@example.com WEBHOOKS', general)
    const question = await alice.sees('[Grant access]', general)
    await world.restart({ TIMED_FLAGS: 'WEBHOOKS:4h' })
    await alice.presses('Grant access', question)
    const receipt = await alice.sees('✅ Granted', general)
    expect(receipt.plain).toContain('then taken back with your account.')
    await slack.idle()
    clock.advance(4 * hourMs + 1_000)
    await alice.sees('✅ Ended', alice.dm)
    expect(has(world)).toBeUndefined()
  })

  it('says on the colleague’s card what stays for good with it', async () => {
    const world = await openColleagues()
    const { alice, bob, general, slack } = world
    await alice.types('/grant 12 dave@example.com viewer for 1h', general)
    await alice.sees('✅ Granted', general)
    await slack.idle()
    await bob.types('/grant change 12 dave@example.com +READ,+API,+BILLING', general)
    await asksOn(bob, await bob.sees('[Ask for approval]', general))
    const card = await alice.sees('🔑 bob asks', general)
    expect(card.plain).toContain('No longer ends by itself: READ and API.')
  })

  it('is nothing where the person got it otherwise meanwhile, which is what everybody reads', async () => {
    const world = await openColleagues()
    const { alice, bob, carol, general, slack } = world
    await asked(world, line)
    const card = await carol.sees('🔑 bob asks', general)
    await alice.types('/grant 12 dave@example.com viewer', general)
    await alice.sees('✅ Granted', general)
    await slack.idle()
    const sent = writes(world).length
    await carol.presses('Approve', card)
    const heard = await bob.sees('⚠️ Approved by carol, but nothing was done', bob.dm)
    expect(heard.plain).toContain('they are on container 12 already')
    await expect.poll(() => card.plain).toContain('they are on container 12 already')
    expect(writes(world)).toHaveLength(sent)
  })

  it.each([
    ['removes', '/grant remove 12 alice@example.com', 'Remove Alice Archer'],
    ['changes', '/grant change 12 alice@example.com viewer', 'Change Alice Archer'],
  ])(
    '%s somebody who is needed to take access back only once that is said',
    async (_, typed, words) => {
      const world = await openWorld()
      const { alice, general, service, slack } = world
      const permissions = ['READ', 'API', 'CONTAINER_ACCESS']
      service.addMember(12, { id: 7, email: 'alice@example.com', permissions })
      service.addMember(12, { id: 8, email: 'bob@example.com', permissions })
      await alice.types(line, general)
      await alice.sees('✅ Granted', general)
      await slack.idle()
      await alice.types(typed, general)
      const question = await alice.sees(words, general)
      expect(question.plain).toContain('is taken back with their account. After this, I can’t.')
    },
  )

  it('keeps nothing for good that may only be had for a time by then', async () => {
    const world = await openWorld()
    const { alice, clock, general, slack } = world
    await alice.types('/grant 12 dave@example.com READ,BILLING for 4h', general)
    await alice.sees('✅ Granted', general)
    await slack.idle()
    await alice.types('/grant change 12 dave@example.com +BILLING,+API', general)
    const question = await alice.sees('No longer ends by itself: BILLING.', general)
    await world.restart({ TIMED_FLAGS: 'BILLING:8h' })
    await alice.presses('Change access', question)
    await alice.sees('✅ Changed', general)
    await slack.idle()
    clock.advance(4 * hourMs + 1_000)
    await alice.sees('✅ Ended', alice.dm)
    expect(has(world)).toEqual(['API'])
  })

  it('leaves nobody without CONTAINER_ACCESS unsaid: the second of two is asked about again', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    const permissions = ['READ', 'CONTAINER_ACCESS']
    service.addMember(12, { id: 9, email: 'dave@example.com', permissions })
    service.addMember(12, { id: 31, email: 'erin@example.com', permissions })
    await alice.types('/grant remove 12 dave@example.com', general)
    const first = await alice.sees('Remove Dave Doe', general)
    await alice.types('/grant remove 12 erin@example.com', general)
    const second = await alice.sees('Remove Erin', general)
    await alice.presses('Remove access', first)
    await alice.sees('✅ Removed: dave', general)
    await alice.presses('Remove access', second)
    await alice.sees('After this, nobody I can see there has CONTAINER_ACCESS.', general)
    expect(service.membersOf(12).map(({ id }) => id)).toEqual([31])
  })

  it('warns the colleague as it would the asker', async () => {
    const world = await openColleagues()
    const { alice, bob, general, service } = world
    service.addMember(12, {
      id: 9,
      email: 'dave@example.com',
      permissions: ['READ', 'CONTAINER_ACCESS'],
    })
    await bob.types('/grant remove 12 dave@example.com', general)
    await asksOn(bob, await bob.sees('[Ask for approval]', general))
    const card = await alice.sees('🔑 bob asks', general)
    expect(card.plain).toContain('After this, nobody I can see there has CONTAINER_ACCESS.')
  })
})
