// Whoever a follow calls is looked at again: in the channel, out of it, or nobody knows.
import { describe, expect, it } from 'vitest'
import { bobToken } from '../world.ts'
import { followed, inChannel, openCustomer, opens, passes } from './follow.ts'

type Story = Awaited<ReturnType<typeof callingDave>>

/** #general follows container 12, and calls Dave, who is in it. */
async function callingDave({ members = 0 } = {}) {
  const world = await openCustomer()
  const { general, slack } = world
  const dave = slack.addPerson({ name: 'dave', realName: 'Dave Doe', email: 'dave@example.com' })
  for (let at = 0; at < members; at += 1) general.members.add(`U0CROWD${at}`)
  general.members.add(dave.id)
  const own = await followed(world, ' call @dave')
  return { ...world, world, dave, own, pinged: `<@${dave.id}>` }
}

/** Later, a grave alert is new. @returns Its card. */
async function outage({ world, bob, general, slack }: Story, ks = 'disk', inMinutes = 10) {
  await passes(world, inMinutes * 60_000)
  await slack.idle()
  opens(world, ks, { severity: 0 })
  await passes(world)
  const card = await bob.sees(`🚨 ${ks} is broken`, general)
  await passes(world)
  await slack.idle()
  return card
}

const words = 'I can’t call @dave in #general'

describe('somebody whom a channel calls', () => {
  it.each([
    ['was deactivated', ({ slack, dave }: Story) => slack.deactivate(dave)],
    ['has left the channel', ({ general, dave }: Story) => general.members.delete(dave.id)],
  ])(
    'and who %s isn’t called: channel and carrier hear so, once, its message and doctor too',
    async (_, leaves) => {
      const story = await callingDave()
      const { world, alice, bob, general, slack, own } = story
      await leaves(story)

      expect((await outage(story)).pings).toEqual([])
      expect((await outage(story, 'raid')).pings).toEqual([])

      for (const place of [alice.dm, general])
        expect(inChannel(alice.messages(place), words)).toHaveLength(1)
      for (let minutes = 0; minutes < 3; minutes += 1) await passes(world)
      await expect.poll(() => own.plain).toContain('@dave isn’t in the channel any more')
      await slack.idle()
      await bob.types('/alert doctor', general)
      await bob.sees('@dave, whom Customer 1 (12) calls, isn’t in this channel any more.', general)
    },
  )

  it('is called once they are back', async () => {
    const story = await callingDave()
    const { world, general, dave, own, pinged } = story
    general.members.delete(dave.id)
    await outage(story)
    general.members.add(dave.id)
    // Nobody was called a minute ago, so that doesn’t count.
    expect((await outage(story, 'raid', 1)).pings).toEqual([pinged])
    for (let minutes = 0; minutes < 3; minutes += 1) await passes(world)
    await expect.poll(() => own.plain).toContain('It calls @dave')
    general.members.delete(dave.id)
    await outage(story, 'mail')
    expect(inChannel(story.alice.messages(story.alice.dm), words)).toHaveLength(2)
  })

  it('keeps nobody from taking the follow over', async () => {
    const story = await callingDave()
    const { world, alice, bob, general, dave } = story
    await world.connect(bob, bobToken)
    general.members.delete(dave.id)
    await alice.types('/alert disconnect', alice.dm)
    await passes(world)
    await bob.presses('Take over with my account', await bob.sees('can’t read', general))
    await alice.sees('with bob’s account now.', general)
  })

  it('isn’t called for an alert that gets worse, either', async () => {
    const story = await callingDave()
    const { world, alice, bob, general, slack, dave } = story
    const disk = opens(world, 'disk', { severity: 3 })
    await passes(world)
    const card = await bob.sees('🟠 disk is broken', general)
    await slack.idle()
    general.members.delete(dave.id)
    await passes(world, 6 * 60_000)
    await slack.idle()
    disk.hit({ severity: 1 })
    await passes(world)
    expect((await bob.sees('⬆️ ERROR → ALERT', card)).pings).toEqual([])
    await slack.idle()
    for (const place of [alice.dm, general])
      expect(inChannel(alice.messages(place), words)).toHaveLength(1)
  })

  it.each([
    ['is told as out once the channel takes messages again', false],
    ['isn’t named there where another organisation reads by then', true],
  ])('%s', async (_, isShared) => {
    const story = await callingDave()
    const { world, alice, general, slack, dave } = story
    world.expectRefusals()
    general.members.delete(dave.id)
    const only = ({ text, channel }: Record<string, unknown>) =>
      channel === general.id && String(text).includes('I can’t call')
    const refused = slack.trouble.fail(
      'chat.postMessage',
      { error: 'fatal_error' },
      { times: 9, only },
    )
    await outage(story)
    general.isShared = isShared
    refused.cancel()
    await passes(world)
    await alice.sees(isShared ? 'I no longer follow a container here' : words, general)
    await slack.idle()
    for (const place of [alice.dm, general])
      expect(inChannel(alice.messages(place), words)).toHaveLength(isShared ? 0 : 1)
  })

  it.each([
    ['the channel has a thousand members', { members: 1_000 }, () => undefined],
    [
      'Slack doesn’t say who is in it',
      {},
      ({ slack }: Story) => slack.trouble.fail('conversations.members', { error: 'fatal_error' }),
    ],
    [
      'Slack doesn’t say whether they have left',
      {},
      ({ slack }: Story) => slack.trouble.rateLimit('users.info', { retryAfterSeconds: 90 }),
    ],
  ])('is called where %s', async (_, channel, troubles) => {
    const story = await callingDave(channel)
    story.world.expectRefusals()
    await passes(story.world, 10 * 60_000)
    troubles(story)
    opens(story.world, 'disk', { severity: 0 })
    await passes(story.world)
    const card = await story.bob.sees('🚨 disk is broken', story.general)
    expect(card.pings).toEqual([story.pinged])
  })

  it('costs Slack nothing until there is something to call for, and a storm little', async () => {
    const { world, bob, general, slack } = await callingDave()
    const asked = () =>
      slack.calls.filter(({ method }) => /^(conversations\.members|users\.info)$/.test(method))
        .length
    await slack.idle()
    const before = asked()
    opens(world, 'mail', { severity: 3 }).act({
      kind: 'Assign',
      data: { userId: 7, ownerId: 7, message: '' },
    })
    for (let minutes = 0; minutes < 5; minutes += 1) await passes(world)
    await bob.sees('🟠 mail is broken', general)
    await slack.idle()
    expect(asked()).toBe(before)
    for (let at = 0; at < 30; at += 1) opens(world, `host ${at}`)
    await passes(world)
    await bob.sees('30 new alerts', general)
    await slack.idle()
    expect(asked()).toBe(before + 2)
  })
})
