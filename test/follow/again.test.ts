// A call that nobody answers is made again, until somebody is there.
import { describe, expect, it } from 'vitest'
import {
  calling,
  callingOncall,
  leads,
  minutesPass,
  nobody,
  oncall,
  outage,
  outcomes,
  repeats,
} from './calling.ts'
import { followed, inChannel, openCustomer, opens, passes } from './follow.ts'

describe('a call that nobody answers', () => {
  it('is made again after ten minutes, after thirty to somebody else, and then no more', async () => {
    const story = await callingOncall()
    expect(story.own.plain).toContain(
      'It calls @oncall for ERROR and worse, at most once in five minutes.\nUntil somebody takes or watches the alert, it calls again after 10 minutes, and @leads after 30.',
    )
    const { card } = await outage(story)
    expect(card.pings).toEqual([oncall])

    await minutesPass(story, 9, 1)
    expect(repeats(story)).toEqual([])
    await minutesPass(story, 1)
    const again = await story.bob.sees('Nobody has taken this for 10 minutes.', card)
    expect(again.pings).toEqual([oncall])

    await minutesPass(story, 19)
    expect(repeats(story)).toHaveLength(1)
    await minutesPass(story, 1)
    const third = await story.bob.sees('Nobody has taken this for 30 minutes.', card)
    expect(third.pings).toEqual([leads])
    await minutesPass(story, 40)
    const says = 'Nobody has taken this for some minutes.'
    expect(repeats(story)).toEqual([
      { says, pings: [oncall] },
      { says, pings: [leads] },
    ])
    expect(await outcomes(story)).toEqual({ '{outcome="never"}': 1 })
  })

  it('is one for many at once, and answered when each that is grave enough is', async () => {
    const story = await callingOncall()
    const { world, bob, general } = story
    const alerts = Array.from({ length: 7 }, (_, at) =>
      opens(world, `host ${at}`, { severity: at === 0 ? 4 : 2 }),
    )
    await minutesPass(story, 1)
    const storm = await bob.sees('7 new alerts', general)
    expect(storm.pings).toEqual([oncall])

    for (const alert of alerts.slice(2)) alert.close('AutoClose')
    await minutesPass(story, 11)
    expect(repeats(story)).toEqual([
      { says: 'Nobody has taken 1 of these for some minutes.', pings: [oncall] },
    ])
    await bob.sees(nobody, storm)

    alerts[1]?.act({ kind: 'Assign', data: { userId: 8, ownerId: 8, message: '' } })
    await minutesPass(story, 40)
    expect(repeats(story)).toHaveLength(1)
    expect(await outcomes(story)).toEqual({ '{outcome="within_30_minutes"}': 1 })
  })

  it('is for what was told within five minutes of it, too: nobody was mentioned for that', async () => {
    const story = await callingOncall()
    const first = await outage(story)
    await minutesPass(story, 2)
    const { card } = await outage(story, 'raid')
    expect(card.pings).toEqual([])
    first.alert.close('AutoClose')
    await minutesPass(story, 9)
    expect(repeats(story)).toHaveLength(1)
    await story.bob.sees(nobody, card)
  })

  it('is made five minutes later for what was told just after a repeat', async () => {
    const story = await callingOncall()
    const first = await outage(story)
    await minutesPass(story, 11)
    expect(repeats(story)).toHaveLength(1)
    const { card } = await outage(story, 'raid')
    expect(card.pings).toEqual([])
    first.alert.close('AutoClose')
    await minutesPass(story, 5)
    const { pings, plain } = await story.bob.sees(nobody, card)
    expect([plain, pings]).toEqual([expect.stringContaining('for 5 minutes.'), [oncall]])
  })

  it.each([
    { when: 'meanwhile', after: 6, before: 0 },
    { when: 'after the third', after: 50, before: 2 },
  ])('begins anew when its alert gets worse $when', async ({ after, before }) => {
    const story = await callingOncall()
    const { alert, card } = await outage(story, 'disk', 3)
    await minutesPass(story, after)
    alert.hit({ severity: 1 })
    await minutesPass(story, 1)
    await story.bob.sees('⬆️ ERROR → ALERT', card)
    await minutesPass(story, 8)
    expect(repeats(story)).toHaveLength(before)
    await minutesPass(story, 3)
    expect(repeats(story)).toHaveLength(before + 1)
  })
})

describe('a call that is made again', () => {
  it('stands in the channel alone, with its alert, where the card was deleted', async () => {
    const story = await callingOncall()
    story.world.expectRefusals()
    const { card } = await outage(story)
    story.slack.workspace.remove(card.message)
    await minutesPass(story, 11)
    expect(repeats(story)).toEqual([
      { says: 'Nobody has taken 🔴 CRITICAL · disk is down for some minutes.', pings: [oncall] },
    ])
  })

  it('says when the alert was last seen open, where monitoring doesn’t answer', async () => {
    const story = await callingOncall()
    const { world, service } = story
    world.expectRefusals()
    await outage(story)
    service.trouble.answer(503)
    await minutesPass(story, 14, 1)
    const again = await story.bob.sees(nobody, story.general)
    expect(again.plain).toMatch(/minutes\. Monitoring doesn’t answer; last seen open at .* @/)
    expect(again.pings).toEqual([oncall])
  })

  it('is the channel’s warning, once, where nobody’s account reads any more', async () => {
    const story = await callingOncall()
    const { alice, bob, general } = story
    await outage(story)
    await alice.types('/alert disconnect', alice.dm)
    await minutesPass(story, 2)
    const warning = await bob.sees('can’t read Customer 1 (12) any more', general)
    expect(warning.pings).toEqual([oncall])
    await bob.presses('Take over with my account', warning)
    await bob.sees('with bob’s account now.', general)
    await minutesPass(story, 45)
    expect(repeats(story)).toEqual([])
  })

  it('comes in time where the follow looks only once an hour', async () => {
    const story = await callingOncall(calling, { env: { FOLLOW_INTERVAL_SECONDS: '3600' } })
    const { world, slack } = story
    opens(world, 'disk', { severity: 2 })
    await passes(world, 66 * 60_000)
    await slack.idle()
    await minutesPass(story, 10)
    expect(repeats(story)).toHaveLength(1)
    await minutesPass(story, 21)
    expect(repeats(story)).toHaveLength(2)
  })

  it('goes to the first where whoever is behind “then” isn’t there, and channel and carrier hear so', async () => {
    const world = await openCustomer()
    const { alice, general, slack } = world
    const dave = slack.addPerson({ name: 'dave', realName: 'Dave Doe', email: 'dave@example.com' })
    general.members.add(dave.id)
    const own = await followed(world, ' call @oncall then @dave')
    const story = { ...world, world, own }
    await outage(story)
    general.members.delete(dave.id)
    await minutesPass(story, 33)
    expect(repeats(story).map(({ pings }) => pings)).toEqual([[oncall], [oncall]])
    for (const place of [alice.dm, general])
      expect(inChannel(alice.messages(place), 'I can’t call @dave in #general')).toHaveLength(1)
    expect(own.plain).toContain('It calls @oncall')
    expect(own.plain).toContain('@dave isn’t in the channel any more, so they aren’t called.')
    await alice.types('/alert doctor', general)
    await alice.sees('@dave, whom Customer 1 (12) calls, isn’t in this channel any more.', general)
  })

  it('is made by one of two processes', async () => {
    const story = await callingOncall()
    const { world } = story
    await outage(story)
    await world.startAnother()
    await minutesPass(story, 40)
    expect(repeats(story)).toHaveLength(2)
  })

  it('is left to the process that took the follow from one that was slow', async () => {
    const story = await callingOncall()
    const { world } = story
    const { service, slack, clock } = world
    await outage(story)
    await minutesPass(story, 9, 1)
    const underWay = () =>
      service.requests.filter(
        ({ path, status }) => path.endsWith('/alerts') && status === undefined,
      )
    const letGo = service.trouble.hold({ only: { path: /alerts$/ } })
    clock.advance(61_000)
    await expect.poll(underWay).toHaveLength(1)
    await world.startAnother()
    clock.advance(31_000)
    await expect.poll(underWay).toHaveLength(2)
    letGo()
    await expect.poll(() => repeats(story)).toHaveLength(1)
    await slack.idle()
    expect(repeats(story)).toHaveLength(1)
  })
})

describe('whom a follow calls the third time', () => {
  it('is said before and after, and stays when somebody takes over', async () => {
    const story = await callingOncall(' call @oncall')
    const { world, alice, bob, general, slack } = story
    await alice.types('/alert follow 12 call @oncall then @leads', general)
    const question = await alice.sees('in this channel?', general)
    const change =
      'From now on, it calls @oncall for all severities, then @leads in place of @oncall for all severities.'
    expect(question.plain).toContain(change)
    await alice.presses('Follow', question)
    await alice.sees(change, general)
    await alice.types('/alert disconnect', alice.dm)
    await passes(world)
    await bob.presses('Take over with my account', await bob.sees('can’t read', general))
    await alice.sees('with bob’s account now.', general)
    await slack.idle()
    await outage(story)
    await minutesPass(story, 33)
    expect(repeats(story).map(({ pings }) => pings)).toEqual([[oncall], [leads]])
  })

  it.each([['then'], ['then @here'], ['then @bob @alice']])(
    'has to be one that can be called: %s',
    async (words) => {
      const world = await openCustomer()
      const { alice, general } = world
      await alice.types(`/alert follow 12 call @oncall ${words}`, general)
      await alice.sees('I can’t call that. After “call”, and after “then”,', general)
    },
  )
})
