// What one person hears at one time is one message, of however many grants it is; and what stands of several is true.
import { describe, expect, it } from 'vitest'
import type { Channel } from '../../playground/slack/model/model.ts'
import type { Person } from '../../playground/slack/person/person.ts'
import { clockTime } from '../../src/grant/input/until.ts'
import { flags } from '../../src/grant/roles.ts'
import { asksIn, asksOn, carolMay, openColleagues } from '../approval/colleagues.ts'
import { aliceToken, openWorld, type World } from '../world.ts'
import { disconnects, hourMs, minuteMs } from './given.ts'
import { gave, times, untilWarned } from './many.ts'

const away = { times: Number.POSITIVE_INFINITY } as const

/** In four hours, as Alice types it: all end at the same moment. It is a whole minute now, as a line has no seconds. */
function inFourHours({ alice, clock }: World): string {
  clock.advance(minuteMs - (clock.now() % minuteMs))
  return clockTime(clock.now() + 4 * hourMs, alice.member.tz).slice(-5)
}

/** Ten minutes before that. */
const almost = 4 * hourMs - 10 * minuteMs

const saying = (person: Person, words: string | RegExp, channel: Channel = person.dm) =>
  person.messages(channel).filter(({ plain }) => plain.search(words) >= 0)

/** Alice has given Dave Viewer on three containers, and Erin on the first, each by a line of its own. */
async function given() {
  const world = await openColleagues()
  const { alice, general, service, slack } = world
  const until = inFourHours(world)
  service.addUser({ email: 'erin@example.com', id: 31 })
  for (const containerId of [13, 14]) service.addContainer(containerId)
  for (const [containerId, name] of [
    [12, 'dave'],
    [13, 'dave'],
    [14, 'dave'],
    [12, 'erin'],
  ] as const) {
    await alice.types(`/grant ${containerId} ${name}@example.com viewer until ${until}`, general)
    await expect
      .poll(() => service.membersOf(containerId).map(({ email }) => email))
      .toContain(`${name}@example.com`)
    await slack.idle()
  }
  return { ...world, world }
}

/** The card of an alert, and what an end that was given for it knows of it. */
async function aliceSees({ alice, general, service }: World) {
  service.addAlert({ ks: '5HkX', message: 'Disk full', containerId: 12 })
  await alice.types('/alert 5HkX', general)
  const card = await alice.sees('Disk full', general)
  const thread = { channelId: general.id, threadTs: card.message.ts }
  return { card, about: { name: 'Disk full', isForAll: true, ...thread } }
}

describe('what ends at one time', () => {
  it('forty of one giver, by forty grants: two messages before, two after, and Slack refuses none', async () => {
    const world = await openWorld()
    const { alice, clock, service, slack } = world
    const ends = await gave(
      world,
      times(40).map((at) => ({ containerId: 100 + (at % 8) })),
    )
    const named = (words: string) =>
      saying(alice, words).flatMap(({ plain }) => plain.match(/person-\d+@/g) ?? [])

    clock.advance(hourMs - 10 * minuteMs)
    await expect.poll(() => named('has|have').length).toBe(40)
    await untilWarned(world)
    clock.advance(10 * minuteMs)
    await expect.poll(() => named('✅ Ended').length).toBe(40)

    await slack.idle(100)
    expect(new Set(named('✅ Ended')).size).toBe(40)
    expect(saying(alice, '✅ This has ended.')).toHaveLength(2)
    expect(alice.messages(alice.dm)).toHaveLength(4)
    expect(ends.flatMap(({ containerId }) => service.membersOf(containerId))).toEqual([])
  })

  it('is told to its giver and to whoever has it, in one message each, before and after', async () => {
    const { world, alice, dave, clock, slack, service } = await given()
    const before = dave.messages(dave.dm).length
    clock.advance(almost)
    const soon = await alice.sees(/dave@example\.com has Viewer[\s\S]*erin@example\.com/, alice.dm)
    expect(soon.plain).toMatch(
      /dave@example\.com has Viewer on Customer 2 \(13\) until .*\n.*\(14\)/,
    )
    expect(soon.plain.split('taken back with your account')).toHaveLength(2)
    expect(soon.buttons).toEqual([])
    const theirs = await dave.sees('Your Viewer on', dave.dm)
    expect(theirs.plain.match(/Your Viewer on Customer \d \(1[234]\) ends/g)).toHaveLength(3)
    await untilWarned(world)

    clock.advance(10 * minuteMs)
    const ended = await alice.sees('✅ Ended', alice.dm)
    expect(ended.plain.match(/✅ Ended: .*Customer \d \(1[234]\)/g)).toHaveLength(4)
    await dave.sees('Your Viewer on Customer 1 (12) has ended.', dave.dm)
    await slack.idle()
    expect(alice.messages(alice.dm)).toHaveLength(2)
    expect(dave.messages(dave.dm).slice(before)).toHaveLength(2)
    expect([12, 13, 14].flatMap((one) => service.membersOf(one))).toEqual([])
    expect([soon.plain, theirs.plain]).toEqual(['✅ This has ended.', '✅ This has ended.'])
  })

  it('is told once to somebody who has given it to themself', async () => {
    const world = await openWorld()
    const { alice, clock, service, slack } = world
    const has = { id: 7, email: 'alice@example.com' }
    await gave(world, [{ containerId: 12, has, flags: ['BILLING'], wasThere: true }])
    service.addMember(12, { ...has, permissions: [...flags] })
    clock.advance(hourMs - 10 * minuteMs)
    await alice.sees('alice@example.com has BILLING on', alice.dm)
    await untilWarned(world)
    clock.advance(10 * minuteMs)
    await alice.sees('✅ Ended: alice@example.com no longer has', alice.dm)
    await slack.idle(100)
    expect(alice.messages(alice.dm)).toHaveLength(2)
  })

  it('is one message below the alert that it was given for', async () => {
    const world = await openWorld()
    const { alice, clock } = world
    const { card, about } = await aliceSees(world)
    await gave(
      world,
      times(3).map(() => ({ containerId: 12, about })),
    )
    clock.advance(hourMs)
    const ended = await alice.sees(/✅ Ended: person-0@[\s\S]*person-1@[\s\S]*person-2@/, card)
    expect(ended.plain).toContain('on Customer 1 (12). Monitoring shows it.')
    await world.slack.idle()
    expect(card.thread.filter(({ plain }) => plain.includes('Ended'))).toHaveLength(1)
    expect(saying(alice, 'Ended')).toEqual([])
  })

  it('is told below the alert, and to whoever has ended it from elsewhere', async () => {
    const world = await openWorld()
    const { alice, bob, general } = world
    const { card, about } = await aliceSees(world)
    await gave(world, [{ containerId: 12, about }])
    await alice.types('/grant due', general)
    await alice.presses('Remove now', await alice.sees('person-0@example.com · ', general))
    await bob.sees('✅ Ended: person-0@example.com', card)
    const isWhispered = ({ plain }: { readonly plain: string }) => plain.includes('✅ Ended')
    await expect.poll(() => alice.messages(general).some(isWhispered)).toBe(true)
  })

  it('is one message to whoever had asked for it, and one below each request that was approved', async () => {
    const world = await openColleagues()
    const { bob, carol, clock, general, service, slack } = world
    carolMay(world, 'API', 'READ', 'CONTAINER_ACCESS', 'REPORTING_VIEW', 'VIEW_LOG')
    service.addUser({ email: 'erin@example.com' })
    const until = inFourHours(world)
    const cards = []
    for (const [at, name] of ['dave', 'erin'].entries()) {
      await bob.types(`/grant 12 ${name}@example.com viewer until ${until}`, general)
      await asksOn(bob, await bob.sees(new RegExp(`${name}@[\\s\\S]*Ask for approval`), general))
      const card = await carol.sees(`${name}@example.com`, general)
      await carol.presses('Approve', card)
      await expect.poll(() => saying(bob, '✅ Granted by carol').length).toBe(at + 1)
      await slack.idle()
      cards.push(card)
    }
    clock.advance(almost)
    await bob.sees(/dave@example\.com has Viewer on container 12[\s\S]*erin@example\.com/, bob.dm)
    await untilWarned(world)
    clock.advance(11 * minuteMs)
    await bob.sees(/✅ Ended: dave[\s\S]*✅ Ended: erin/, bob.dm)
    await carol.sees(/✅ Ended: dave[\s\S]*✅ Ended: erin/, carol.dm)
    await slack.idle()
    expect(cards.map(({ thread }) => thread.at(-1)?.plain)).toEqual([
      expect.stringContaining('✅ Ended: dave@example.com no longer has Viewer on container 12.'),
      expect.stringContaining('✅ Ended: erin@example.com no longer has Viewer on container 12.'),
    ])
    expect([bob, carol].flatMap((one) => saying(one, 'Ended'))).toHaveLength(2)
  })

  it.each(['alice', 'dave'] as const)(
    'is one message though Slack takes it only later, and nobody hears it twice: %s',
    async (late) => {
      const world = await openColleagues({ lateMs: 50 })
      const { alice, dave, clock, service, slack } = world
      world.expectRefusals()
      const has = { id: 9, email: 'dave@example.com' }
      await gave(
        world,
        times(3).map((at) => ({ containerId: 12 + at, has, dueAt: clock.now() + hourMs })),
      )
      const isLate = ({ channel }: { readonly channel?: unknown }) => channel === world[late].id
      const down = slack.trouble.fail(
        'chat.postMessage',
        { status: 500 },
        { ...away, only: isLate },
      )
      clock.advance(hourMs + 1_000)
      await expect.poll(() => times(3).flatMap((at) => service.membersOf(12 + at))).toEqual([])
      await slack.idle(300)
      down.cancel()
      clock.advance(minuteMs + 1_000)
      await dave.sees('has ended.', dave.dm)
      await slack.idle(200)
      for (const [person, words] of [
        [alice, /✅ Ended/g],
        [dave, /has ended/g],
      ] as const) {
        expect(person.messages(person.dm)).toHaveLength(1)
        expect(person.screen(person.dm).match(words)).toHaveLength(3)
      }
    },
  )
})

describe('what can’t be taken back at one time', () => {
  async function stuck(count = 3) {
    const world = await openColleagues()
    const { carol, clock, service, slack } = world
    const approvals = await asksIn(world, carol)
    await gave(
      world,
      times(count).map((at) => ({ containerId: 12 + at })),
    )
    service.revoke(aliceToken)
    clock.advance(hourMs + 1_000)
    await carol.sees('⚠️ person-0@example.com still has READ and API on container 12.', approvals)
    await slack.idle(100)
    return { ...world, approvals, messages: () => carol.messages(approvals) }
  }

  it('is one message where somebody can do something about it; whoever does leaves the others in it', async () => {
    const { carol, approvals, messages, slack } = await stuck()
    expect(messages()).toHaveLength(1)
    const [all] = messages()
    if (all === undefined) throw new Error('nobody heard of it')
    expect(all.plain.match(/still has READ and API/g)).toHaveLength(3)
    expect(all.buttons).toEqual(['Remove now', 'Remove now', 'Remove now'])

    await carol.presses('Remove now', all)
    await carol.sees('✅ Ended: person-0@example.com no longer has', approvals)
    await slack.idle()
    expect(all.plain.match(/person-\d/g)).toEqual(['person-1', 'person-2'])
  })

  it('is said before, once, where their giver’s account is gone', async () => {
    const world = await openWorld()
    const { bob, slack } = world
    const approvals = await asksIn(world, bob)
    await gave(
      world,
      times(3).map((at) => ({ containerId: 12 + at })),
    )
    await disconnects(world)
    const said = () => bob.screen(approvals).match(/person-\d@example\.com still has/g) ?? []
    await expect.poll(() => said().length).toBe(3)
    await slack.idle(200)
    expect(said()).toHaveLength(3)
    // One, or two where the first was marked a moment before the others.
    expect(bob.messages(approvals).length).toBeLessThan(3)
  })
})

describe('a warning of several ends', () => {
  it('shows those that are left, whichever gets more time or has ended', async () => {
    const { world, alice, clock, general, slack, service } = await given()
    clock.advance(almost)
    const soon = await alice.sees(/dave@example\.com has Viewer[\s\S]*erin@example\.com/, alice.dm)
    await untilWarned(world)
    await alice.types('/grant due', general)
    // The menus are one below another, in the order in which they were given.
    await alice.presses('Extend by 4 hours', await alice.sees('dave@example.com · Viewer', general))
    await alice.sees('dave@example.com keeps Viewer on Customer 1 (12) until', general)
    await expect.poll(() => soon.plain).toContain('erin@example.com has Viewer on Customer 1 (12)')
    await slack.idle()

    clock.advance(11 * minuteMs)
    await alice.sees('✅ Ended: erin@example.com', alice.dm)
    await slack.idle()
    expect(soon.plain).toMatch(/^dave@example\.com has Viewer on Customer 1 \(12\) until/)
    expect(soon.buttons).toContain('Extend by 1 hour')
    expect(service.membersOf(12).map(({ email }) => email)).toEqual(['dave@example.com'])

    clock.advance(4 * hourMs)
    await expect.poll(() => soon.plain).toBe('✅ This has ended.')
  })
})
