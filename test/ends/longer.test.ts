// Making access last longer needs what giving it needed: whoever may give it does so, whoever only asked asks again. And what a
// question or a request shows is judged again, by the settings and the list of the moment in which it is sent.
import { describe, expect, it } from 'vitest'
import { clockTime } from '../../src/grant/input/until.ts'
import type { Flag } from '../../src/grant/roles.ts'
import {
  approvedByCarol,
  asked,
  type Colleagues,
  carolMay,
  givesReason,
  openColleagues,
} from '../approval/colleagues.ts'
import { trailOf } from '../audit/read.ts'
import { daveIs, has, ids, viewer } from '../grant/dave.ts'
import { aliceToken, openWorld, type World } from '../world.ts'
import {
  dueOf,
  endsAfter,
  given,
  gives,
  hourMs,
  line,
  minuteMs,
  passes,
  warned,
  writes,
} from './given.ts'

/** Carol, who may give all of Viewer, has approved for an hour what Bob asked for. */
async function approved() {
  const world = await openColleagues()
  carolMay(world, 'CONTAINER_ACCESS', ...viewer)
  const card = await approvedByCarol(world, line, 'Approve for 1 hour')
  return { ...world, world, card }
}

/** Bob asks for four hours more; the card, as Alice sees it. */
async function asksForMore(world: Colleagues) {
  const { alice, bob, general } = world
  await bob.presses('Ask for 4 hours more', await dueOf(bob, world))
  await givesReason(bob)
  return alice.sees('🔑 bob asks: 4 hours more of Viewer on', general)
}

describe('whoever only asked', () => {
  it('can ask for more: a colleague decides, the end moves, and whoever gave it hears of it', async () => {
    const { world, alice, bob, carol, clock, slack, card } = await approved()
    expect((await dueOf(bob, world)).buttons).toEqual([
      ...['Ask for 1 hour more', 'Ask for 4 hours more', 'Ask for 1 day more'],
      'Remove now',
    ])
    const more = await asksForMore(world)
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

    await passes(world, 4 * hourMs)
    expect(has(world)).toEqual(viewer)
    clock.advance(hourMs + 1_000)
    await carol.sees('✅ Ended: dave@example.com', carol.dm)
    await expect.poll(() => card.thread.at(-1)?.plain).toContain('no longer has Viewer on')
    expect(writes(world).at(-1)).toMatchObject({ method: 'DELETE', token: 'carol' })
  })

  it.each(['keep', '1d', 'nonsense'])(
    'can’t make it last by a button’s value: %s',
    async (what) => {
      const { world, bob, carol, clock, slack } = await approved()
      const due = await dueOf(bob, world)
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
    const { world, bob, carol, clock, general } = await approved()
    const more = await asksForMore(world)
    await bob.presses('Ask for 1 hour more', await dueOf(bob, world))
    await bob.sees('Somebody has asked for more time already', general)

    clock.advance(hourMs + 1_000)
    await carol.sees('✅ Ended', carol.dm)
    await bob.sees('⌛ Expired: nobody decided in time', bob.dm)
    expect(more.buttons).toEqual([])
    expect(has(world)).toBeUndefined()
  })

  it('is not its own colleague: neither they nor whoever has it may approve more', async () => {
    const { bob, dave, general, world } = await approved()
    const more = await asksForMore(world)
    await bob.presses('Approve', more)
    await bob.sees('You asked for this yourself', general)
    await dave.presses('Approve', more)
    await dave.sees('This is your own access', general)
    expect(more.buttons).toContain('Approve')
    expect(has(world)).toEqual(viewer)
  })

  it('is told no where the colleague couldn’t give it, and the request waits for another', async () => {
    const { alice, bob, carol, general, world } = await approved()
    const more = await asksForMore(world)
    aliceMay(world, 'API', 'READ', 'CONTAINER_ACCESS')
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
    const { world, ...colleagues } = await approved()
    const { alice, bob, general } = colleagues
    world.expectRefusals()
    const more = await asksForMore(colleagues)
    await happens(colleagues)
    await alice.presses('Approve', more)
    await alice.sees('The request stays open.', general)
    expect(bob.screen(bob.dm)).not.toContain('Extended')
  })

  it('is none while it is being taken back', async () => {
    const { world, alice, carol, general, service } = await approved()
    const more = await asksForMore(world)
    const due = await dueOf(carol, world)
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

/** What her token may do from now on. */
function aliceMay({ service }: World, ...flags: readonly Flag[]): void {
  service.addToken({ token: aliceToken, name: 'alice', flags })
}

describe('whoever gave it', () => {
  it.each<[string, string, (world: World) => void]>([
    [
      'their token is refused',
      'Not extended: monitoring no longer accepts your token',
      ({ service }) => service.revoke(aliceToken),
    ],
    [
      'they may no longer give access',
      'Not extended: your token lacks',
      (world) => aliceMay(world, ...viewer),
    ],
    [
      'they lack a flag of it by now',
      'Not extended: your token lacks',
      (world) => aliceMay(world, 'API', 'READ', 'CONTAINER_ACCESS'),
    ],
  ])('can’t make it last once %s', async (_, words, happens) => {
    const { world, alice, general, receipt } = await given()
    happens(world)
    for (const label of ['Keep for good', 'Extend by 1 hour']) {
      await alice.presses(label, receipt)
      await alice.sees(words, general)
    }
    await dueOf(alice, world)
    expect(alice.screen(general)).not.toContain('keeps Viewer')
  })

  it('extends flags that are given for a time by no more than that, in all', async () => {
    const { alice, clock, general, receipt } = await given(
      '/grant 12 dave@example.com READ,BILLING for 4h',
      { env: { TIMED_FLAGS: 'BILLING:8h' } },
    )
    clock.advance(3 * hourMs)
    await alice.presses('Extend by 4 hours', receipt)
    await alice.sees('keeps READ and BILLING', general)
    clock.advance(4 * hourMs)
    await alice.presses('Extend by 1 hour', receipt)
    await alice.sees('BILLING can’t last that long here.', general)
  })

  it('reads once that it lasts, in place of what said otherwise', async () => {
    const { world, alice, clock, slack } = await given()
    const soon = await warned(world)
    await alice.presses('Extend by 1 hour', soon)
    await expect.poll(() => soon.plain).toContain('dave@example.com keeps Viewer on')
    await slack.idle()
    expect(alice.messages(alice.dm)).toHaveLength(1)
    clock.advance(hourMs + 11 * minuteMs)
    await expect.poll(() => soon.plain).toContain('✅ This has ended.')
  })

  it('extends once what was pressed twice at the same moment', async () => {
    const { world, alice, general, receipt, service, slack } = await given()
    const letGo = service.trouble.hold({ only: { method: 'GET' } })
    const presses = [1, 2].map(() => alice.presses('Extend by 1 hour', receipt))
    await slack.idle(100)
    letGo()
    await Promise.all(presses)
    await alice.sees('dave@example.com keeps Viewer on', general)
    await slack.idle(100)
    expect(alice.screen(general)).not.toContain('I’m taking it back')
    await endsAfter(world, 5 * hourMs)
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
      const { bob, carol, clock, slack } = world
      const time = clockTime(clock.now() + 20 * hourMs, bob.member.tz).slice(-5)
      const until = lasts === 'for good' ? '' : ` until ${time}`
      const card = await asked(world, `/grant 12 dave@example.com WEBHOOKS${until}`)
      await world.restart({ TIMED_FLAGS: 'WEBHOOKS:4h' })
      await carol.presses('Approve', card)
      await bob.sees('✅ Granted by carol', bob.dm)
      await slack.idle()
      clock.advance(4 * hourMs + 1_000)
      await carol.sees('✅ Ended', carol.dm)
      expect(has(world)).toBeUndefined()
    },
  )

  it('is for no longer than that, for a question that waited', async () => {
    const world = await openWorld()
    const { alice, general, slack } = world
    await alice.types('/grant 12 dave@example.com WEBHOOKS', general)
    const question = await alice.sees('[Grant access]', general)
    await world.restart({ TIMED_FLAGS: 'WEBHOOKS:4h' })
    await alice.presses('Grant access', question)
    const receipt = await alice.sees('✅ Granted', general)
    expect(receipt.plain).toContain('then taken back with your account.')
    await slack.idle()
    await endsAfter(world, 4 * hourMs)
    expect(has(world)).toBeUndefined()
  })

  it('says on the colleague’s card what stays for good with it', async () => {
    const world = await openColleagues()
    await gives(world)
    const card = await asked(world, '/grant change 12 dave@example.com +READ,+API,+BILLING')
    expect(card.plain).toContain('No longer ends by itself: READ and API.')
  })

  it('is nothing where the person got it otherwise meanwhile, which is what everybody reads', async () => {
    const world = await openColleagues()
    const { bob, carol } = world
    const card = await asked(world, line)
    await gives(world, '/grant 12 dave@example.com viewer')
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
      const { alice, general, service } = world
      const permissions = ['READ', 'API', 'CONTAINER_ACCESS']
      service.addMember(12, { id: 7, email: 'alice@example.com', permissions })
      service.addMember(12, { id: 8, email: 'bob@example.com', permissions })
      await gives(world)
      await alice.types(typed, general)
      const question = await alice.sees(words, general)
      expect(question.plain).toContain('is taken back with their account. After this, I can’t.')
    },
  )

  it('keeps nothing for good that may only be had for a time by then', async () => {
    const world = await openWorld()
    const { alice, general, slack } = world
    await gives(world, '/grant 12 dave@example.com READ,BILLING for 4h')
    await alice.types('/grant change 12 dave@example.com +BILLING,+API', general)
    const question = await alice.sees('No longer ends by itself: BILLING.', general)
    await world.restart({ TIMED_FLAGS: 'BILLING:8h' })
    await alice.presses('Change access', question)
    await alice.sees('✅ Changed', general)
    await slack.idle()
    await endsAfter(world, 4 * hourMs)
    expect(has(world)).toEqual(['API'])
  })

  it('leaves nobody without CONTAINER_ACCESS unsaid: the second of two is asked about again', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    const permissions = ['READ', 'CONTAINER_ACCESS']
    daveIs(world, { permissions })
    service.addMember(12, { id: 31, email: 'erin@example.com', permissions })
    await alice.types('/grant remove 12 dave@example.com', general)
    const first = await alice.sees('Remove Dave Doe', general)
    await alice.types('/grant remove 12 erin@example.com', general)
    const second = await alice.sees('Remove Erin', general)
    await alice.presses('Remove access', first)
    await alice.sees('✅ Removed: dave', general)
    await alice.presses('Remove access', second)
    await alice.sees('After this, nobody I can see there has CONTAINER_ACCESS.', general)
    expect(ids(world)).toEqual([31])
  })

  it('warns the colleague as it would the asker', async () => {
    const world = await openColleagues()
    daveIs(world, { permissions: ['READ', 'CONTAINER_ACCESS'] })
    const card = await asked(world, '/grant remove 12 dave@example.com')
    expect(card.plain).toContain('After this, nobody I can see there has CONTAINER_ACCESS.')
  })
})
