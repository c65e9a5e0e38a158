// The stand-in service on the page: its alerts, what people let happen to each, and its reset.
import { describe, expect, it } from 'vitest'
import type { WantedEvent } from '../../../playground/page/state/acts.ts'
import { pageWorld } from '../page-server-world.ts'

const world = pageWorld()

const reset = () => world.act('alice', { do: 'reset' })

const onCall = () => {
  const { slack } = world.playground
  const channel = slack.workspace.channels.get(world.channelId('on-call'))
  if (!channel) throw new Error('No #on-call')
  return channel
}

/** What the page says of it. */
async function happens(ks: string, what: WantedEvent): Promise<unknown> {
  const asked = await world.ask('/act', {
    method: 'POST',
    body: { as: 'alice', act: { do: 'event', ks, what } },
  })
  return { status: asked.status, ...JSON.parse(asked.body) }
}

describe('the alerts on the page', () => {
  it('begin with five that somebody on call could meet, and the edge cases are marked as such', async () => {
    const { state } = await world.live('alice')

    expect(state.alerts.filter(({ isEdgeCase }) => !isEdgeCase).map(({ message }) => message)).toEqual([
      'Disk /var is 96 % full',
      'shop.example.com answers 503',
      'Certificate expires in 6 days',
      'db-02 lags by 11 minutes',
      'No backup of db-01 for 26 hours',
    ])
    expect(state.alerts.slice(0, 5).every(({ isEdgeCase }) => !isEdgeCase)).toBe(true)
    expect(state.alerts.filter(({ isEdgeCase }) => isEdgeCase).map(({ ks }) => ks)).toContain('odd-kinds')
  })
})

describe('an event', () => {
  it('happens to the alert for which it was chosen, and to no other', async () => {
    const page = await world.live('alice')
    const others = page.state.alerts.filter(({ ks }) => ks !== 'replica-lag')

    expect(await happens('replica-lag', 'worse')).toEqual({
      status: 200,
      ok: true,
      said: 'replica-lag gets worse, from ERROR to CRITICAL. Press Refresh on its card to see it.',
    })

    await page.shows(({ alerts }) =>
      alerts.find(({ ks, severity }) => ks === 'replica-lag' && severity === 2),
    )
    expect(page.state.alerts.filter(({ ks }) => ks !== 'replica-lag')).toEqual(others)
  })

  it('that does not fit is refused: the page of somebody else was quicker', async () => {
    await happens('one-hit', 'close')

    expect(await happens('one-hit', 'close')).toEqual({
      status: 409,
      error: 'That can’t happen to this alert now.',
    })
    expect(await happens('nothing', 'next')).toMatchObject({ status: 409 })
  })

  it('of a kind that there is not is not understood', async () => {
    const body = { as: 'alice', act: { do: 'event', ks: 'disk-full', what: 'explode' } }

    expect(await world.ask('/act', { method: 'POST', body })).toMatchObject({ status: 400 })
  })
})

describe('a reset', () => {
  it('opens alerts again that were closed, and what is in Slack stays', async () => {
    const { slack } = world.playground
    const alice = slack.person('alice')
    await reset()
    for (let step = 0; step < 6; step += 1) await happens('disk-full', 'next')
    await world.types('alice', '/alert disk-full')
    await alice.sees(/Closed .* was CRITICAL/, onCall())
    await slack.idle()
    const before = slack.messagesIn(onCall()).length

    expect(await reset()).toBeUndefined()

    expect(slack.messagesIn(onCall())).toHaveLength(before)
    // Bellhop shares what one person read for a few seconds.
    await world.types('bob', '/alert disk-full')
    await alice.sees(/CRITICAL, was WARNING/, onCall())
  })

  it('is seen on a live card as soon as Bellhop looks again', async () => {
    const alice = world.playground.slack.person('alice')
    await reset()
    await world.types('alice', '/alert replica-lag watch')
    await alice.sees('● Live', onCall())
    await happens('replica-lag', 'worse')
    await happens('replica-lag', 'comment')
    await alice.sees(/db-02 lags by 30 minutes\n.*CRITICAL, was WARNING/, onCall())

    await reset()

    await alice.sees(/db-02 lags by 11 minutes\n.*ERROR, was WARNING/, onCall())
  })

  it('makes the members of containers what they were, so that a grant works once more', async () => {
    const { slack, service } = world.playground
    const alice = slack.person('alice')
    const members = () => service.membersOf(12).map(({ email }) => email)
    await reset()
    const before = members()
    await world.types('alice', '/grant 12 dave@example.com viewer')
    await alice.sees('Granted', onCall())
    expect(members()).toEqual([...before, 'dave@example.com'])

    await reset()

    expect(members()).toEqual(before)
  })

  it('is listed, and says what it did', async () => {
    const page = await world.live('alice')
    const asked = await world.ask('/act', { method: 'POST', body: { as: 'bob', act: { do: 'reset' } } })

    expect(JSON.parse(asked.body)).toEqual({
      ok: true,
      said: 'The stand-in service is back as it was at the start.',
    })
    expect(await page.over('bob reset the stand-in service')).toMatchObject({ steps: [] })
  })
})
