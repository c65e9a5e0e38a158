// A channel that follows a container gets one message a day: how the night went.
import { describe, expect, it } from 'vitest'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { minuteMs } from '../../src/work/durations.ts'
import { bobToken, type World } from '../world.ts'
import { brings, clockIn, comesTo, goes, inWords, looksUntil, seesDailies } from './daily.ts'
import { followed, inChannel, openCustomer, opens, passes } from './follow.ts'

/** Times are those of the test’s clock. */
const withoutTimes = ({ plain }: SeenMessage) =>
  plain.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, '{time}')

/** #general follows container 12, with a daily message in so many minutes. */
async function followedDaily(world: World, minutes = 3): Promise<void> {
  await followed(world, ` daily ${clockIn(world, minutes)}`)
}

/** Bob’s account reads container 13 for #general, at the same time. */
async function bobFollows(world: World, time: string): Promise<void> {
  const { bob, general, service } = world
  service.addContainer(13, { name: 'Customer 2' })
  await world.connect(bob, bobToken)
  await bob.types(`/alert follow 13 daily ${time}`, general)
  await bob.presses('Follow', await bob.sees('Follow Customer 2 (13) in this channel?', general))
  await bob.sees('Following Customer 2 (13)', general)
  await world.slack.idle()
}

async function hours(world: World, count: number): Promise<void> {
  for (let one = 0; one < count; one += 1) {
    await passes(world, 61 * minuteMs)
    await world.slack.idle(20)
  }
}

async function agrees({ alice, general, slack }: World, line: string, change: string) {
  await alice.types(line, general)
  const question = await alice.sees('in this channel?', general)
  await alice.presses('Follow', question)
  expect(question.plain).toContain(change)
  await alice.sees(`I follow Customer 1 (12) with alice’s account now. ${change}`, general)
  await slack.idle()
}

describe('the daily message', () => {
  it('tells what came, what went and how, and what is still open', async () => {
    const world = await openCustomer()
    const time = clockIn(world, 20)
    const own = await followed(world, ` daily ${time}`)
    expect(own.plain).toContain(
      `Posts how the night went every day at ${inWords(time)} (Europe/Amsterdam).`,
    )
    const [disk, mail, raid] = ['disk', 'mail', 'raid'].map((ks) => opens(world, ks))
    opens(world, 'swap', { severity: 1 }).act({
      kind: 'Assign',
      data: { userId: 8, ownerId: 8, message: '' },
    })
    await brings(world, 'swap is broken')
    for (let at = 0; at < 9; at += 1) opens(world, `host ${at}`, { severity: 4 })
    await brings(world, '9 new alerts')
    disk?.close('Close', { userId: 8 })
    mail?.close('AutoClose')
    world.service.alert('host 8')?.close('AutoClose')
    await brings(world, '✅ mail is broken')
    mail?.reopen()
    raid?.close('Close', { userId: 99 })
    await goes(world, 18)

    const [daily] = await seesDailies(world, 1)

    expect(daily && withoutTimes(daily)).toBe(`Customer 1 (12) since {time}
13 new, 4 no longer open: 1 closed by Bob Baker, 1 by somebody, 1 by itself, 1 not looked at · flapped once
10 still open · 9 unassigned
🔴 CRITICAL · mail is broken
since {time} · unassigned · mail
[Show card]
${[7, 6, 5, 4, 3, 2, 1]
  .map(
    (at) => `🟡 WARNING · host ${at} is broken
since {time} · unassigned · host ${at}
[Show card]`,
  )
  .join('\n')}
and 2 more: /alert open 12 lists them`)
    expect(daily?.pings).toEqual([])
  })

  it('is one line after a quiet night, and counts nothing twice', async () => {
    const world = await openCustomer({ env: { FOLLOW_INTERVAL_SECONDS: '3600' } })
    await comesTo(world, 'Tue 07:30')
    await followed(world, ' daily 8:00')
    const disk = opens(world, 'disk')
    await hours(world, 2)
    const [first] = await seesDailies(world, 1)
    expect(first?.plain).toContain('1 new')
    disk.close('AutoClose')
    await hours(world, 24)
    const [, second] = await seesDailies(world, 2)
    expect(second?.plain).toContain('Nothing new, 1 no longer open: 1 by itself')
    await hours(world, 24)

    const [, , third] = await seesDailies(world, 3)

    expect(third && withoutTimes(third)).toBe(
      'Customer 1 (12) since {time}: nothing new, nothing open.',
    )
  })

  it('comes at its time, however rarely the follow looks', async () => {
    const world = await openCustomer({ env: { FOLLOW_INTERVAL_SECONDS: '3600' } })
    await followedDaily(world, 5)
    await goes(world, 3)
    await seesDailies(world, 0)
    await goes(world, 3)
    await seesDailies(world, 1)
  })

  it('comes from Monday to Friday alone, and on Monday tells of the weekend', async () => {
    const world = await openCustomer()
    await comesTo(world, 'Fri 07:57')
    await followed(world, ' weekdays 08:00')
    await goes(world, 5)
    await seesDailies(world, 1)
    opens(world, 'disk')
    await comesTo(world, 'Sat 08:01')
    await goes(world, 2)
    await comesTo(world, 'Sun 08:01')
    await goes(world, 2)
    await seesDailies(world, 1)
    await comesTo(world, 'Mon 08:01')

    const [, monday] = await seesDailies(world, 2)

    expect(monday?.plain).toContain('1 new')
    expect(monday?.plain).not.toContain('didn’t come')
    expect(monday?.plain).toMatch(/I couldn’t look .*from/)
  })

  it('says before and after what changes, is kept by lines that don’t name it, and ends', async () => {
    const world = await openCustomer()
    const { alice, general } = world
    const own = await followed(world)
    const time = clockIn(world, 60)
    const when = `every day at ${inWords(time)} (Europe/Amsterdam)`
    const change = `From now on, it posts how the night went ${when}.`
    await agrees(world, `/alert follow 12 daily ${time}`, change)
    await passes(world)
    await agrees(world, '/alert follow 12 min error', 'From now on, it shows ERROR and worse')
    await passes(world)
    await expect.poll(() => own.plain).toContain(`every day at ${inWords(time)}`)
    await alice.types(`/alert follow 12 daily ${time}`, general)
    await alice.sees('This channel follows Customer 1 (12) already', general)

    const off = 'From now on, it no longer posts how the night went.'
    await agrees(world, '/alert follow 12 daily off', off)

    await goes(world, 62)
    await seesDailies(world, 0)
  })

  it('goes by the clock of whoever types it, also once somebody else takes over', async () => {
    const world = await openCustomer()
    const { alice, bob, general, slack } = world
    const nina = slack.addPerson({ name: 'nina', tz: 'America/New_York' })
    general.members.add(nina.id)
    await world.connect(nina, bobToken)
    await comesTo(world, 'Tue 13:57')
    await nina.types('/alert follow 12 daily 8am', general)
    await nina.presses('Follow', await nina.sees('in this channel?', general))
    await alice.sees('every day at 8:00 AM (America/New_York)', general)
    await slack.idle()
    await nina.types('/alert disconnect', nina.dm)
    await passes(world)
    const lost = await alice.sees('I can’t read Customer 1 (12) any more', general)

    await alice.presses('Take over with my account', lost)

    const moved = await bob.sees('with alice’s account now.', general)
    expect(moved.plain).not.toContain('From now on')
    await goes(world, 4)
    await seesDailies(world, 1)
  })

  it.each(['noon', '8', '25:00', '13pm', '8a', '08:00 Mars/Base'])(
    'can’t be asked for at “%s”',
    async (time) => {
      const { alice, general } = await openCustomer()
      await alice.types(`/alert follow 12 daily ${time}`, general)
      await alice.sees(`I can’t read “daily ${time}”. Type when I should`, general)
    },
  )

  it('is one for all follows of the same time, each read with its own account', async () => {
    const world = await openCustomer()
    const { service } = world
    const time = clockIn(world, 5)
    await followed(world, ` daily ${time}`)
    await bobFollows(world, time)
    opens(world, 'disk')
    service.addAlert({ ks: 'mx', containerId: 13, severity: 3, message: 'Queue grows' })
    await goes(world, 7)

    const [daily] = await seesDailies(world, 1)

    expect(daily?.plain).toMatch(/Customer 1 \(12\) since.*disk.*Customer 2 \(13\) since.*Queue/s)
    const reads = (path: string) =>
      new Set(service.requests.filter((one) => one.path === path).map(({ token }) => token))
    expect([...reads('/container/12/alerts')]).toEqual(['alice'])
    expect([...reads('/container/13/alerts')]).toEqual(['bob'])
  })

  it('says which follow nobody’s account reads any more', async () => {
    const world = await openCustomer()
    const time = clockIn(world, 6)
    await followed(world, ` daily ${time}`)
    await bobFollows(world, time)
    await world.alice.types('/alert disconnect', world.alice.dm)
    await goes(world, 8)

    const [daily] = await seesDailies(world, 1)

    expect(daily?.plain).toMatch(/Customer 1 \(12\) since.*Nobody’s account has read it since/s)
    expect(daily?.plain).toMatch(/Customer 2 \(13\) since .*: nothing new, nothing open\./)
  })

  it('comes though the service is away, and says so', async () => {
    const world = await openCustomer()
    await followedDaily(world, 8)
    opens(world, 'disk')
    await brings(world, 'disk is broken')
    world.service.trouble.answer(503)
    await goes(world, 10)

    const [daily] = await seesDailies(world, 1)

    expect(daily?.plain).toContain('1 new')
    expect(daily?.plain).toContain('I can’t read what is open now.')
    expect(daily?.plain).not.toContain('still open')
  })

  it('comes up to four hours late; after that, the next one says that it didn’t come', async () => {
    const world = await openCustomer()
    await comesTo(world, 'Tue 07:50')
    await followed(world, ' daily 08:00')
    await comesTo(world, 'Tue 11:59')
    const [late] = await seesDailies(world, 1)
    expect(late?.plain).not.toContain('didn’t come')
    await comesTo(world, 'Wed 12:01')
    await goes(world, 2)
    await seesDailies(world, 1)
    await comesTo(world, 'Thu 08:00')

    const [, next] = await seesDailies(world, 2)

    expect(next && withoutTimes(next)).toContain('The message for {time} didn’t come.')
  })

  it('is posted by one of two processes', async () => {
    const world = await openCustomer()
    await world.startAnother()
    const time = clockIn(world, 4)
    await followed(world, ` daily ${time}`)
    await bobFollows(world, time)
    await goes(world, 8)
    await seesDailies(world, 1)
  })

  it('comes again where Slack didn’t take it, and once', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    await followedDaily(world)
    await goes(world, 2)
    world.slack.trouble.rateLimit('chat.postMessage', { retryAfterSeconds: 1 })
    await goes(world, 6)
    await seesDailies(world, 1)
  })

  it('comes again where Slack doesn’t confirm it, but not at each look', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { bob, general, slack } = world
    await followedDaily(world)
    slack.trouble.cut('chat.postMessage', { takesEffect: true, times: 99 })
    const came = () => inChannel(bob.messages(general), 'nothing new').length
    await looksUntil(world, () => came() > 0)
    await goes(world, 8)
    expect(came()).toBe(1)
    await looksUntil(world, () => came() > 1)
    expect(came()).toBe(2)
  })

  it('is said to wait, to each carrier, where the channel takes no messages', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { alice, bob, general, slack } = world
    const time = clockIn(world, 5)
    await followed(world, ` daily ${time}`)
    await bobFollows(world, time)
    const only = (args: Record<string, unknown>) => args.channel === general.id
    const refusal = { error: 'restricted_action' }
    slack.trouble.fail('chat.postMessage', refusal, { times: 999, only })
    await goes(world, 8)

    const mine = await alice.sees('I can’t post how the night of Customer 1 (12) went', alice.dm)
    expect(mine.plain).toContain('in #general: only some people may post')
    await bob.sees('I can’t post how the night of Customer 2 (13) went', bob.dm)
    await slack.idle(30)
    expect(inChannel(alice.messages(alice.dm), 'how the night of')).toHaveLength(1)
    await alice.types('/alert since yesterday', alice.dm)
    await alice.sees('Customer 1 (12) since', alice.dm)
  })

  it('is not shown to another organisation', async () => {
    const world = await openCustomer()
    const { bob, general } = world
    await followedDaily(world, 6)
    await goes(world, 2)
    general.isShared = true
    await goes(world, 6)
    await bob.sees('I no longer follow a container here', general)
    await seesDailies(world, 0)
  })

  it('shows the eight worst of 2,000 that are open', async () => {
    const world = await openCustomer()
    for (let at = 0; at < 2_000; at += 1) opens(world, `host ${at}`, { message: 'x'.repeat(300) })
    await followedDaily(world)
    await goes(world, 5)

    const [daily] = await seesDailies(world, 1)

    expect(daily?.plain).toContain('2000 still open · 2000 unassigned')
    expect(daily?.plain).toContain('and 1992 more: /alert open 12 lists them')
  })
})
