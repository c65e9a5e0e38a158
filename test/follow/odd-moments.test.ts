// What a followed channel says of troubles that came and went, and to whom.
import { expect, it } from 'vitest'
import type { World } from '../world.ts'
import { followed, inChannel, openCustomer, opens, passes, stormed } from './follow.ts'

const pinged = '<!subteam^S0ONCALL>'

/** A minute, and the look in it. */
async function looks(world: World, times = 1, ms?: number) {
  const read = () =>
    world.service.requests.filter(({ path }) => path === '/container/12/alerts').length
  for (let one = 0; one < times; one += 1) {
    const before = read()
    await passes(world, ms)
    await expect.poll(read).toBeGreaterThan(before)
    await world.slack.idle()
  }
}

async function refusedMinute(world: World) {
  const refused = world.slack.trouble.fail(
    'chat.postMessage',
    { error: 'restricted_action' },
    { times: 9 },
  )
  await passes(world)
  await world.slack.idle()
  refused.cancel()
}

it('a card that comes late says how its alert is by then, tells nothing as worse, and calls whoever is to be called', async () => {
  const world = await openCustomer()
  world.expectRefusals()
  const { alice, bob, general, slack } = world
  await followed(world, ' call @bob')
  const disk = opens(world, 'disk', { message: 'Disk full', severity: 3 })
  await refusedMinute(world)
  disk.hit({ severity: 2 })
  await alice.types('/alert follow 12 call @oncall', general)
  await alice.presses('Follow', await alice.sees('in this channel?', general))
  await alice.sees('I follow Customer 1 (12) with alice’s account now.', general)
  for (let minutes = 0; minutes < 2; minutes += 1) await passes(world)
  const card = await bob.sees('🔴 Disk full', general)
  expect(card.pings).toEqual([pinged])
  await slack.idle()
  await passes(world)
  await slack.idle()
  expect(card.thread.map(({ plain }) => plain)).toEqual([])
})

it('a call is in the line that stands for a card that Slack does not take', async () => {
  const world = await openCustomer()
  world.expectRefusals()
  const { bob, general, slack } = world
  await followed(world, ' call @oncall')
  opens(world, 'disk', { severity: 0 })
  slack.trouble.fail('chat.postMessage', { error: 'msg_too_long' })
  await passes(world)
  expect((await bob.sees('1 new alert can’t be shown', general)).pings).toEqual([pinged])
})

it('stopped while a look is under way: its message says so', async () => {
  const world = await openCustomer()
  const { bob, general, slack } = world
  const own = await followed(world)
  await looks(world, 9)
  opens(world, 'disk')
  const slow = slack.trouble.slow('chat.postMessage', 1_500, { times: 1 })
  await slack.idle()
  world.clock.advance(66_000)
  await expect.poll(() => slow.isWaiting).toBe(false)
  await bob.presses('Stop following', own)
  await bob.sees('bob stopped following', general)
  await slack.idle(2_000)
  await expect.poll(() => own.plain).toContain('This channel followed')
  await slack.idle(500)
  expect(own.plain).toContain('This channel followed')
})

it('a silence is told as over, though Slack takes no edit just then', async () => {
  const world = await openCustomer()
  world.expectRefusals()
  const { bob, general, service, slack } = world
  await followed(world)
  service.trouble.answer(503)
  for (let minutes = 0; minutes < 25; minutes += 1) await passes(world)
  const told = await bob.sees('⚠️ I can’t look at Customer 1 (12) just now', general)
  await slack.idle()
  service.trouble.clear()
  slack.trouble.rateLimit('chat.update', { retryAfterSeconds: 1 })
  await passes(world, 11 * 60_000)
  await slack.idle()
  for (let minutes = 0; minutes < 3; minutes += 1) await passes(world)
  await slack.idle()
  expect(told.plain).toContain('couldn’t appear here')
  expect(inChannel(bob.messages(general), 'couldn’t appear here')).toHaveLength(1)
})

it('a list is not drawn again where another organisation reads by now', async () => {
  const world = await openCustomer()
  world.expectRefusals()
  const { general, service } = world
  opens(world, 'one')
  await followed(world)
  const first = await world.bob.sees('1 open in Customer 1 (12) already', general)
  general.isShared = true
  // What Slack said before counts for ten minutes.
  await looks(world, 9)
  service.alert('one')?.hit({ message: 'a secret of ours' })
  for (let minutes = 0; minutes < 4; minutes += 1) await passes(world)
  await world.bob.sees('I no longer follow a container here', general)
  expect(first.plain).not.toContain('a secret of ours')
})

it('a lost carrier is not told to another organisation', async () => {
  const world = await openCustomer()
  world.expectRefusals()
  const { alice, bob, general, slack } = world
  await followed(world)
  general.isShared = true
  await looks(world, 8)
  await passes(world, 3 * 60_000)
  await alice.types('/alert disconnect', alice.dm)
  await passes(world)
  await alice.sees('no longer', alice.dm)
  await slack.idle(1000)
  expect(inChannel(bob.messages(general), 'I can’t read')).toEqual([])
})

it('a lost carrier is told once, though the channel takes nothing for a while', async () => {
  const world = await openCustomer()
  world.expectRefusals()
  const { alice, bob, general, slack } = world
  await followed(world)
  const only = (args: Record<string, unknown>) => args.channel === general.id
  const out = slack.trouble.fail(
    'chat.postMessage',
    { error: 'fatal_error' },
    { times: 9999, only },
  )
  await alice.types('/alert disconnect', alice.dm)
  for (let minutes = 0; minutes < 4; minutes += 1) await passes(world)
  await slack.idle()
  out.cancel()
  await passes(world)
  await bob.sees('can’t read', general)
  await slack.idle()
  expect(inChannel(alice.messages(alice.dm), 'gets no new alerts')).toHaveLength(1)
})

it('a follow that is lost, or stopped, during an outage promises nothing any more', async () => {
  for (const isStopped of [false, true]) {
    const world = await openCustomer()
    const { alice, bob, general, service, slack } = world
    const own = await followed(world)
    service.trouble.answer(503)
    for (let minutes = 0; minutes < 25; minutes += 1) await passes(world)
    const told = await bob.sees('⚠️ I can’t look at Customer 1 (12) just now', general)
    if (isStopped) await bob.presses('Stop following', own)
    else await alice.types('/alert disconnect', alice.dm)
    await passes(world)
    await bob.sees(isStopped ? 'bob stopped following' : 'can’t read', general)
    await slack.idle()
    expect(told.plain).not.toContain('New alerts appear here')
  }
})

it('a limit that has passed is no trouble any more, once nothing waits', async () => {
  const world = await openCustomer()
  world.expectRefusals()
  const { bob, general, slack } = world
  await followed(world)
  const alert = opens(world, 'disk', { message: 'Disk full' })
  slack.trouble.rateLimit('chat.postMessage', { retryAfterSeconds: 3 })
  await passes(world)
  await slack.idle()
  alert.close('AutoClose')
  for (let minutes = 0; minutes < 7; minutes += 1) await passes(world)
  await slack.idle()
  await bob.types('/alert doctor', general)
  const doctor = await bob.sees(/🟢|🔴|🟡/, general)
  expect.soft(doctor.plain).not.toContain('haven’t appeared here')
  opens(world, 'raid', { message: 'Array degraded' })
  await passes(world)
  await bob.sees('Array degraded', general)
  await slack.idle()
  expect(inChannel(bob.messages(general), 'couldn’t appear here')).toEqual([])
})

it('an alert that its account may not read just then is told as worse later', async () => {
  const world = await openCustomer()
  const { bob, general, service } = world
  await followed(world)
  const disk = opens(world, 'disk', { message: 'Disk full', severity: 3 })
  await looks(world)
  const card = await bob.sees('🟠 Disk full', general)
  disk.hit({ severity: 1 })
  service.trouble.answer(403, { times: 1, only: { path: /^\/alert\// } })
  await looks(world, 3)
  await passes(world, 11 * 60_000)
  await bob.sees('⬆️ ERROR → ALERT', card)
})

it('an unassigned alert that joins many for which nobody was called has a card that calls', async () => {
  const world = await openCustomer()
  const { bob, general, slack } = world
  await followed(world, ' call @oncall from error')
  opens(world, 'big', { severity: 2 }).act({
    kind: 'Assign',
    data: { userId: 7, ownerId: 7, message: '' },
  })
  for (let at = 0; at < 7; at += 1) opens(world, `host ${at}`, { severity: 5 })
  await passes(world)
  await bob.sees('8 new alerts', general)
  await slack.idle()
  opens(world, 'pay', { severity: 2 })
  await passes(world)
  expect((await bob.sees('🔴 pay is broken', general)).pings).toEqual(['<!subteam^S0ONCALL>'])
})

it('an alert of many that gets grave enough to call has a card that calls, however grave others are', async () => {
  const world = await openCustomer()
  const { bob, general, slack } = world
  await followed(world, ' call @oncall from error')
  opens(world, 'big', { severity: 2 }).act({
    kind: 'Assign',
    data: { userId: 7, ownerId: 7, message: '' },
  })
  const [pay] = Array.from({ length: 7 }, (_, at) => opens(world, `host ${at}`, { severity: 5 }))
  await passes(world)
  await bob.sees('8 new alerts', general)
  await slack.idle()

  pay?.hit({ severity: 2 })
  await passes(world)

  expect((await bob.sees('🔴 host 0 is broken', general)).pings).toEqual(['<!subteam^S0ONCALL>'])
})

it('an alert that comes while somebody changes the severity is a new one, and calls', async () => {
  const world = await openCustomer()
  const { alice, bob, general } = world
  await followed(world, ' min error call @oncall')
  opens(world, 'old', { severity: 4 })
  opens(world, 'pay', { severity: 0 })
  await alice.types('/alert follow 12 min notice', general)
  await alice.presses('Follow', await alice.sees('in this channel?', general))
  await bob.sees('1 open in Customer 1 (12) already', general)
  await passes(world)
  expect((await bob.sees('🚨 pay is broken', general)).pings).toEqual(['<!subteam^S0ONCALL>'])
})

it('lines whose message is gone have a few cards when all of them get worse, not one each', async () => {
  const world = await openCustomer()
  world.expectRefusals()
  const { bob, general, slack } = world
  const { alerts } = await stormed(world, 20)
  slack.trouble.fail(
    'chat.update',
    { error: 'edit_window_closed' },
    { times: Number.POSITIVE_INFINITY },
  )
  alerts[0]?.close('AutoClose')
  await looks(world, 3)
  for (const alert of alerts.slice(1)) alert.hit({ severity: 1 })
  await looks(world, 3)
  const cards = () => inChannel(bob.messages(general), 'Assign to me').length
  await expect.poll(cards).toBe(5)
  await looks(world)
  expect(cards()).toBe(5)
})

/** Alice has #general follow container 12; its own message is there, and the first list meets trouble. */
async function begins(world: World, troubles: () => unknown): Promise<void> {
  const { alice, general, slack } = world
  await alice.types('/alert follow 12', general)
  const question = await alice.sees('in this channel?', general)
  const stop = slack.onChange((change) => {
    if (change.kind !== 'message' || !change.message.text.includes('Following')) return
    stop()
    troubles()
  })
  await alice.presses('Follow', question)
  await alice.sees('Following Customer 1 (12)', general)
  await slack.idle()
}

it('a first list that Slack may have taken isn’t told again, and none of it as new', async () => {
  const world = await openCustomer()
  world.expectRefusals()
  const { bob, general, slack } = world
  const alerts = ['one', 'two'].map((ks) => opens(world, ks))
  await begins(world, () => slack.trouble.cut('chat.postMessage', { takesEffect: true }))
  await bob.sees('2 open in Customer 1 (12) already', general)
  await looks(world, 9)
  opens(world, 'three')
  await passes(world)
  await bob.sees('🔴 three is broken', general)
  expect(inChannel(bob.messages(general), 'two is broken')).toHaveLength(1)
  expect(inChannel(bob.messages(general), 'is open in')).toEqual([])
  alerts[0]?.hit({ severity: 1 })
  await passes(world)
  await bob.sees('🟣 one is broken', general)
})

it('a first list that Slack has certainly not taken is told', async () => {
  const world = await openCustomer()
  world.expectRefusals()
  const { bob, general, slack } = world
  opens(world, 'one')
  const troubles = () => slack.trouble.rateLimit('chat.postMessage', { retryAfterSeconds: 3 })
  await begins(world, troubles)
  await looks(world, 2)
  await bob.sees('1 open in Customer 1 (12) already', general)
})

it('nobody is called any more where somebody says so while a call is under way', async () => {
  const world = await openCustomer()
  const { alice, bob, general, slack } = world
  const own = await followed(world, ' call @bob')
  await alice.types('/alert follow 12 call nobody', general)
  const question = await alice.sees('in this channel?', general)
  opens(world, 'disk', { severity: 0 })
  const slow = slack.trouble.slow('chat.postMessage', 1_500, { times: 1 })
  await passes(world)
  await expect.poll(() => slow.isWaiting).toBe(false)
  await alice.presses('Follow', question)
  await bob.sees('🚨 disk is broken', general)
  await slack.idle(2_000)
  for (let minutes = 0; minutes < 2; minutes += 1) await passes(world)
  await slack.idle()
  expect(own.plain).not.toContain('It calls')
})

it('an alert that gets worse just as less is left out still has its card, at the next look', async () => {
  const world = await openCustomer()
  const { alice, bob, general, slack } = world
  const old = opens(world, 'old', { message: 'Disk full', severity: 3 })
  await followed(world, ' min error')
  await alice.types('/alert follow 12 min debug', general)
  const question = await alice.sees('in this channel?', general)
  await slack.idle()
  old.hit({ severity: 1 })
  await alice.presses('Follow', question)
  await alice.sees('shows all severities in place of', general)
  for (let looks = 0; looks < 2; looks += 1) await passes(world)
  await bob.sees('🟣 Disk full', general)
})
