// A channel becomes shared with another organisation: what the service says is not for them, so nothing goes on by itself.
import { describe, expect, it } from 'vitest'
import { openWorld } from '../world.ts'
import { comment, diskFull, liveCard, passes, repliesWith } from './live.ts'

const minutes = 60_000
const last = 'Stopped updating: people of another organisation may read in this channel now.'

describe('a card that is live in a channel that becomes shared', () => {
  it('is live no longer, as its thread tells, and a private one goes on', async () => {
    const world = await openWorld()
    const { alice, general, service, slack } = world
    const alert = service.addAlert(diskFull)
    await alice.types('/alert 5HkX private watch', general)
    const own = await alice.sees('👁', alice.dm)
    const card = await liveCard(world)

    await slack.share(general)

    await alice.sees(last, card)
    await alice.doesNotSee('👁', general)
    await slack.idle()
    alert.act(comment('for us alone'))
    await passes(world)
    await alice.sees('for us alone', own)
    expect(repliesWith(card, 'for us alone')).toEqual([])
    expect(repliesWith(card, last)).toHaveLength(1)
  })

  it('ends as well where Slack does not say who reads there', async () => {
    const world = await openWorld()
    world.expectRefusals()
    const { alice, general, service, slack } = world
    service.addAlert(diskFull)
    const card = await liveCard(world)
    await slack.idle()
    slack.trouble.fail('conversations.info', { error: 'internal_error' }, { times: 100 })

    await slack.share(general)

    await alice.sees(last, card)
    await alice.doesNotSee('👁', general)
  })

  it('is noticed at one of the next looks where Slack did not tell', async () => {
    const world = await openWorld()
    const { alice, general, service, slack } = world
    service.addAlert(diskFull)
    const card = await liveCard(world)
    general.isShared = true
    await passes(world, 9 * minutes)
    await slack.idle()
    expect(repliesWith(card, last)).toEqual([])

    await passes(world, 2 * minutes)

    await alice.sees(last, card)
  })

  it('stays live where it is shared within the organisation', async () => {
    const world = await openWorld({ slack: { isGrid: true } })
    const { alice, general, service, slack } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    await slack.event({
      type: 'channel_shared',
      connected_team_id: 'T0SISTER1',
      channel: general.id,
    })
    alert.act(comment('still there'))
    await passes(world)
    await alice.sees('still there', card)
  })
})
