// A call that nobody answers is made again: what else ends it, moves it, or hinders it.
import { describe, expect, it } from 'vitest'
import {
  calling,
  callingOncall,
  minutesPass,
  nobody,
  oncall,
  outage,
  outcomes,
  repeats,
  type Story,
} from './calling.ts'
import { followed, inChannel, openCustomer, opens } from './follow.ts'

describe('a call that nobody answers', () => {
  it('goes to the same a third time where nobody else was named', async () => {
    const story = await callingOncall(' call @oncall')
    expect(story.own.plain).toContain('it calls again after 10 and 30 minutes.')
    await outage(story)
    await minutesPass(story, 35)
    expect(repeats(story).map(({ pings }) => pings)).toEqual([[oncall], [oncall]])
  })

  it.each([
    [
      'somebody takes it',
      async ({ alice, service }: Story, { card }: Awaited<ReturnType<typeof outage>>) => {
        service.addMember(12, { email: 'alice@example.com', member: true })
        await alice.presses('Assign to me', card)
        await alice.sees('Alice Archer took it', card)
      },
    ],
    [
      'it gets an owner in monitoring, whom nobody can name',
      async (_: Story, { alert }: Awaited<ReturnType<typeof outage>>) =>
        alert.act({ kind: 'Assign', data: { userId: 99, ownerId: 99, message: '' } }),
    ],
    [
      'somebody watches it, only for themselves',
      async ({ bob, slack }: Story) => {
        await bob.types('/alert disk watch', bob.dm)
        await bob.sees('👁️', bob.dm)
        await slack.idle()
      },
    ],
    [
      'it is closed',
      async (_: Story, { alert }: Awaited<ReturnType<typeof outage>>) => alert.close('AutoClose'),
    ],
  ])('is answered once %s: nothing more is said, and it counts as answered', async (_, happens) => {
    const story = await callingOncall()
    const outageNow = await outage(story)
    await minutesPass(story, 3)
    await happens(story, outageNow)
    await minutesPass(story, 45)
    expect(repeats(story)).toEqual([])
    expect(await outcomes(story)).toEqual({ '{outcome="within_10_minutes"}': 1 })
  })

  it('is asked of what is so then: who only looked in is called again', async () => {
    const story = await callingOncall()
    const { bob } = story
    const { card } = await outage(story)
    await bob.presses('Watch', card)
    await bob.sees('👁️ bob', story.general)
    await bob.presses('Stop watching', card)
    await minutesPass(story, 12)
    expect(repeats(story)).toHaveLength(1)
  })

  it('says how many more wait', async () => {
    const story = await callingOncall()
    await outage(story)
    await outage(story, 'raid')
    await minutesPass(story, 11)
    expect(repeats(story)[0]?.says).toBe('Nobody has taken this and 1 more for some minutes.')
  })

  it('waits until the mention before it is five minutes old, but for what is graver', async () => {
    const story = await callingOncall()
    await outage(story, 'disk', 3)
    await minutesPass(story, 7)
    const { card } = await outage(story, 'raid', 3)
    expect(card.pings).toEqual([oncall])
    await minutesPass(story, 4)
    expect(repeats(story)).toEqual([])
    await minutesPass(story, 2)
    expect(repeats(story)).toEqual([
      { says: 'Nobody has taken this for some minutes.', pings: [oncall] },
    ])
  })

  it('is not held up by a call for something less grave', async () => {
    const story = await callingOncall()
    await outage(story, 'core', 1)
    await minutesPass(story, 8)
    await outage(story, 'raid', 3)
    await minutesPass(story, 2)
    expect(repeats(story)).toHaveLength(1)
  })

  it('ends where its alert is less grave than what calls by then', async () => {
    const story = await callingOncall()
    const { alert } = await outage(story)
    alert.hit({ severity: 5 })
    await minutesPass(story, 45)
    expect(repeats(story)).toEqual([])
    expect(await outcomes(story)).toEqual({ '{outcome="within_10_minutes"}': 1 })
  })

  it('isn’t counted for an alert that somebody had from the start', async () => {
    const story = await callingOncall()
    const { world, bob, general } = story
    const alert = opens(world, 'disk', { severity: 2 })
    alert.act({ kind: 'Assign', data: { userId: 8, ownerId: 8, message: '' } })
    await minutesPass(story, 12)
    await bob.sees('disk is broken', general)
    expect(await outcomes(story)).toEqual({})
  })

  it('ends once the follow calls nobody', async () => {
    const story = await callingOncall()
    const { alice, general } = story
    await outage(story)
    await alice.types('/alert follow 12 call nobody', general)
    await alice.presses('Follow', await alice.sees('in this channel?', general))
    await alice.sees('calls nobody in place of @oncall', general)
    await minutesPass(story, 45)
    await alice.types('/alert follow 12 call @oncall', general)
    await alice.presses('Follow', await alice.sees('in this channel?', general))
    await alice.sees('in place of nobody', general)
    await minutesPass(story, 8)
    expect(repeats(story)).toEqual([])
  })

  it('isn’t made for what was open when the follow began', async () => {
    const world = await openCustomer()
    opens(world, 'old', { severity: 0 })
    await followed(world, calling)
    const story = { ...world, world, own: await world.alice.sees('Following', world.general) }
    await minutesPass(story, 45)
    expect(repeats(story)).toEqual([])
  })
})

describe('a call that is made again', () => {
  it('goes to the carrier where the channel takes nothing any more', async () => {
    const story = await callingOncall()
    const { world, alice, slack } = story
    world.expectRefusals()
    await outage(story)
    slack.trouble.fail(
      'chat.postMessage',
      { error: 'restricted_action' },
      {
        times: Number.POSITIVE_INFINITY,
        only: ({ channel }) => channel === story.general.id,
      },
    )
    await minutesPass(story, 11)
    const told = await alice.sees(nobody, alice.dm)
    expect(told.plain).toMatch(
      /^I can’t call anybody in #general: only some people may post in this channel\. Nobody has taken 🔴 CRITICAL · disk is down for 1\d minutes\.$/,
    )
    await minutesPass(story, 5)
    expect(inChannel(alice.messages(alice.dm), nobody)).toHaveLength(1)
  })

  it('isn’t repeated for five minutes where Slack may have posted it', async () => {
    const story = await callingOncall()
    story.world.expectRefusals()
    await outage(story)
    await minutesPass(story, 8)
    story.slack.trouble.cut('chat.postMessage', { times: 1, takesEffect: true })
    await minutesPass(story, 5, 1)
    expect(repeats(story)).toHaveLength(1)
    await minutesPass(story, 5, 1)
    expect(repeats(story)).toHaveLength(2)
  })

  it('is tried again where Slack only fails for a moment', async () => {
    const story = await callingOncall()
    story.world.expectRefusals()
    await outage(story)
    await minutesPass(story, 8)
    story.slack.trouble.fail('chat.postMessage', { error: 'fatal_error' }, { times: 1 })
    await minutesPass(story, 12)
    expect(repeats(story)).toHaveLength(1)
  })

  it('isn’t in that warning where somebody had the alert', async () => {
    const story = await callingOncall()
    const { alice, bob, general } = story
    const { alert } = await outage(story)
    alert.act({ kind: 'Assign', data: { userId: 8, ownerId: 8, message: '' } })
    await minutesPass(story, 2)
    await alice.types('/alert disconnect', alice.dm)
    await minutesPass(story, 2)
    expect((await bob.sees('can’t read Customer 1 (12) any more', general)).pings).toEqual([])
  })

  it('says nothing in a channel that another organisation reads by then', async () => {
    const story = await callingOncall()
    const { alice, general } = story
    await outage(story)
    general.isShared = true
    await minutesPass(story, 12)
    await alice.sees('I no longer follow a container here', general)
    expect(repeats(story)).toEqual([])
  })
})
