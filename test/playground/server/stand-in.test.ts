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

describe('an event', () => {
  it('that does not fit is refused: the page of somebody else was quicker', async () => {
    await happens('one-hit', 'close')

    expect(await happens('one-hit', 'close')).toEqual({
      status: 409,
      error: 'That can’t happen to this alert now.',
    })
    expect(await happens('nothing', 'next')).toMatchObject({ status: 409 })
  })
})

describe('a reset', () => {
  it('is seen on a live card as soon as Bellhop looks again', async () => {
    const alice = world.playground.slack.person('alice')
    await reset()
    await world.types('alice', '/alert replica-lag watch')
    await alice.sees('👁', onCall())
    await happens('replica-lag', 'worse')
    await happens('replica-lag', 'comment')
    await alice.sees(/db-02 lags by 30 minutes\n.*CRITICAL, was WARNING/, onCall())

    await reset()

    await alice.sees(/db-02 lags by 11 minutes\n.*ERROR, was WARNING/, onCall())
  })
})
