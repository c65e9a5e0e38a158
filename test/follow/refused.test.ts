// A place that refuses for good hands its words to whoever carries the follow, and a card that is gone or fixed silences no alert.
import { describe, expect, it } from 'vitest'
import { bobToken, type World } from '../world.ts'
import { carded, followed, inChannel, openCustomer, opens, passes } from './follow.ts'

/** A minute in which the channel takes nothing new, though other places do. */
async function passesRefused(
  world: World,
  error = 'restricted_action_read_only_channel',
): Promise<void> {
  const { slack } = world
  const refused = slack.trouble.fail('chat.postMessage', { error })
  await passes(world)
  await slack.idle()
  refused.cancel()
}

describe('a channel that takes no new messages', () => {
  it('has its carrier told directly, once, says so on the follow’s message and to doctor, and is told all of it afterwards', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { alice, bob, general } = world
    const own = await followed(world)
    opens(world, 'disk', { message: 'Disk full', severity: 0 })
    opens(world, 'raid', { message: 'Array degraded' })
    for (let looks = 0; looks < 7; looks += 1) await passesRefused(world)

    const told = await alice.sees(
      'I can’t post in #general any more: only some people may post in this channel.',
      alice.dm,
    )
    expect(told.plain).toContain('2 alerts are waiting to be told: /alert open 12')
    expect(inChannel(alice.messages(alice.dm), 'I can’t post')).toHaveLength(1)
    await expect.poll(() => own.plain).toContain('⚠️ Customer 1 (12): I can’t post new alerts here')
    await bob.types('/alert doctor', general)
    const doctor = await bob.sees('🔴', general)
    expect(doctor.plain).toMatch(
      /New alerts of Customer 1 \(12\) haven’t appeared here for \d+ min/,
    )

    for (let looks = 0; looks < 2; looks += 1) await passes(world)

    await bob.sees('🚨 Disk full', general)
    await bob.sees('🔴 Array degraded', general)
    await bob.sees('New alerts of Customer 1 (12) couldn’t appear here from', general)
    await expect.poll(() => own.plain).toContain('Following Customer 1 (12)')
  })

  it('has its carrier told of a change, too, that its thread doesn’t take', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { alice, slack } = world
    const { alert } = await carded(world)
    alert.hit({ severity: 1 })
    slack.trouble.fail('chat.postMessage', { error: 'restricted_action' })
    for (let looks = 0; looks < 3; looks += 1) await passes(world)
    await alice.sees('Changes to its alerts don’t appear there', alice.dm)
  })
})

describe('an alert whose card was deleted', () => {
  it('has another one once it is worse, and once it is open again', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { bob, general, slack, service } = world
    const { alert, card } = await carded(world)
    slack.workspace.remove(card.message)
    alert.hit({ severity: 1 })
    for (let minutes = 0; minutes < 2; minutes += 1) await passes(world)
    const second = await bob.sees('🟣 Disk full', general)
    await slack.idle()

    slack.workspace.remove(second.message)
    alert.close('AutoClose')
    for (let minutes = 0; minutes < 2; minutes += 1) await passes(world)
    service.reopen('disk')
    for (let minutes = 0; minutes < 2; minutes += 1) await passes(world)
    await bob.sees('🟣 Disk full', general)
  })

  it('has another one as soon as it is worse, however many others are new just then', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { bob, general, slack } = world
    const { alert, card } = await carded(world)
    for (let at = 0; at < 7; at += 1) opens(world, `host ${at}`, { severity: 0 })
    await passes(world)
    await bob.sees('7 new alerts', general)
    slack.workspace.remove(card.message)
    alert.hit({ severity: 1 })
    for (let minutes = 0; minutes < 2; minutes += 1) await passes(world)
    await bob.sees('🟣 Disk full', general)
  })

  it('has none while it only says something else', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { bob, general, slack } = world
    const { alert, card } = await carded(world)
    slack.workspace.remove(card.message)
    alert.hit({ message: 'Disk fuller' })
    for (let minutes = 0; minutes < 4; minutes += 1) await passes(world)
    await slack.idle()
    expect(inChannel(bob.messages(general), 'Disk full')).toEqual([])
  })
})

it.each(['edit_window_closed', 'cant_update_message'])(
  'a card that can’t be changed has everything in its thread, and is not called gone: %s',
  async (error) => {
    const world = await openCustomer()
    world.expectRefusals()
    const { alice, bob, general, slack } = world
    const { alert, card } = await carded(world)
    await alice.presses('Watch', card)
    await alice.sees('👁️ alice', general)
    await slack.idle()
    slack.trouble.fail('chat.update', { error }, { times: Number.POSITIVE_INFINITY })

    alert.hit({ severity: 1 })
    for (let minutes = 0; minutes < 2; minutes += 1) await passes(world)
    expect((await bob.sees('⬆️ ERROR → ALERT', card)).pings).toEqual([`<@${alice.id}>`])
    alert.close('AutoClose')
    for (let minutes = 0; minutes < 2; minutes += 1) await passes(world)

    await bob.sees('Closed automatically', card)
    expect(inChannel(alice.messages(alice.dm), 'gone')).toEqual([])
  },
)

describe('a channel that Bellhop is out of', () => {
  it.each([
    [
      'without Bellhop',
      ({ general, slack }: World) => void general.members.delete(slack.workspace.bot.userId),
      ({ general, slack }: World) => slack.addBot(general),
    ],
    [
      'archived',
      ({ general }: World) => {
        general.isArchived = true
      },
      ({ general }: World) => {
        general.isArchived = false
      },
    ],
  ])(
    'is read no more, its carrier is told once, and it goes on by itself: %s',
    async (_, leaves, returns) => {
      const world = await openCustomer()
      world.expectRefusals()
      const { alice, bob, general, service, slack } = world
      const { own, alert, card } = await carded(world)
      leaves(world)
      opens(world, 'raid', { message: 'Array degraded' })
      await passes(world)
      const told = await alice.sees('⚠️ Customer 1 (12): I’m not in the channel', alice.dm)
      expect(told.plain).toContain('In #general')
      expect(told.plain).toContain('type /invite @Bellhop')
      await slack.idle()
      const before = service.requests.length

      alert.close('AutoClose')
      for (let looks = 0; looks < 9; looks += 1) await passes(world)
      await slack.idle()
      expect(service.requests.slice(before)).toEqual([])
      expect(inChannel(alice.messages(alice.dm), 'I’m not in')).toHaveLength(1)
      await alice.types('/alert doctor', general)
      const doctor = await alice.sees('Nobody’s account has read Customer 1 (12)', general)
      expect(doctor.plain).toContain('Type /invite @Bellhop here, or unarchive the channel.')

      returns(world)
      for (let looks = 0; looks < 6; looks += 1) await passes(world)

      await bob.sees('Array degraded', general)
      await bob.sees('New alerts of Customer 1 (12) couldn’t appear here from', general)
      await expect.poll(() => card.plain).toContain('✅ Disk full')
      await expect.poll(() => own.plain).toContain('Following Customer 1 (12)')
    },
  )

  it('is told to its carrier as soon as Slack takes that', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { alice, general, slack } = world
    await followed(world)
    general.isArchived = true
    const down = slack.trouble.fail(
      'chat.postMessage',
      { status: 500 },
      { times: Number.POSITIVE_INFINITY },
    )
    opens(world, 'raid')
    for (let looks = 0; looks < 2; looks += 1) await passes(world)
    await slack.idle()
    down.cancel()
    for (let looks = 0; looks < 2; looks += 1) await passes(world)
    await alice.sees('I’m not in the channel', alice.dm)
  })

  it('is found out where a list alone is to be redrawn, which is right once it can be', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { alice, bob, general } = world
    const old = opens(world, 'old')
    await followed(world)
    const list = await bob.sees('1 open in Customer 1 (12) already', general)
    general.isArchived = true
    old.close('AutoClose')
    for (let looks = 0; looks < 3; looks += 1) await passes(world)
    await alice.sees('I’m not in the channel', alice.dm)
    general.isArchived = false
    for (let looks = 0; looks < 8; looks += 1) await passes(world)
    await expect.poll(() => list.plain).toContain('none still open')
  })

  it('is stopped from where its carrier reads that', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { alice, general, service, slack } = world
    await followed(world)
    general.isArchived = true
    opens(world, 'disk')
    await passes(world)
    const told = await alice.sees('I’m not in the channel', alice.dm)
    await alice.presses('Stop following', told)
    await slack.idle()
    const before = service.requests.length
    general.isArchived = false
    for (let looks = 0; looks < 6; looks += 1) await passes(world)
    await slack.idle()
    expect(service.requests.slice(before)).toEqual([])
  })

  it('was private, and whoever follows it anew takes it over at once', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { alice, bob, slack } = world
    await world.connect(bob, bobToken)
    const night = slack.addChannel({
      name: 'night',
      members: [alice, bob],
      isPrivate: true,
      botIsMember: true,
    })
    await followed(world, '', night)
    night.members.delete(slack.workspace.bot.userId)
    opens(world, 'disk', { message: 'Disk full' })
    await passes(world)
    await alice.sees('I’m not in the channel', alice.dm)
    slack.addBot(night)
    await bob.types('/alert follow 12', night)
    await bob.presses('Follow', await bob.sees('in this channel?', night))
    await alice.sees('I follow Customer 1 (12) with bob’s account now.', night)
    await alice.sees('Disk full', night)
  })

  it('says that its carrier is gone, too, once it can be reached', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { alice, bob, general } = world
    const own = await followed(world)
    general.isArchived = true
    await alice.types('/alert disconnect', alice.dm)
    for (let looks = 0; looks < 3; looks += 1) await passes(world)
    general.isArchived = false
    for (let looks = 0; looks < 6; looks += 1) await passes(world)
    await bob.sees('I no longer have alice’s token.', general)
    await expect.poll(() => own.plain).toContain('nobody’s account reads it')
  })

  it('isn’t followed at all, which is said before the question', async () => {
    const world = await openCustomer()
    const { alice, slack } = world
    const open = slack.addChannel({ name: 'open', members: [alice] })
    await alice.types('/alert follow 12', open)
    await alice.sees('Invite me with /invite @Bellhop', open)
  })
})

describe('new alerts', () => {
  it('come though Slack refuses the card of one of them, which is a line', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { bob, general, slack } = world
    await followed(world)
    for (const ks of ['one', 'two', 'three']) opens(world, ks)
    slack.trouble.fail('chat.postMessage', { error: 'msg_too_long' })

    await passes(world)

    await bob.sees('1 new alert can’t be shown here: /alert open 12', general)
    await expect.poll(() => inChannel(bob.messages(general), 'is broken')).toHaveLength(2)
  })

  it('have two cards at most, however often Slack doesn’t confirm one, and hold up no other', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { bob, general, slack } = world
    await followed(world)
    opens(world, 'disk', { message: 'Disk full' })
    for (let looks = 0; looks < 5; looks += 1) {
      const cut = slack.trouble.cut('chat.postMessage', { takesEffect: true })
      await passes(world)
      await slack.idle()
      cut.cancel()
      if (looks !== 2) continue
      opens(world, 'raid', { message: 'Array degraded' })
      await passes(world)
      await bob.sees('🔴 Array degraded', general)
    }
    expect(inChannel(bob.messages(general), '🔴 Disk full').length).toBeLessThanOrEqual(2)
  })
})

it('a channel that became shared while Slack’s event was lost shows nothing more, changes neither', async () => {
  const world = await openCustomer()
  const { bob, general } = world
  const { alert, card } = await carded(world)
  general.isShared = true
  alert.hit({ severity: 1 })
  for (let minutes = 0; minutes < 2; minutes += 1) await passes(world)
  await bob.sees('I no longer follow a container here', general)
  expect(card.thread).toEqual([])
})
