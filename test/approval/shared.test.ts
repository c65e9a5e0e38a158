// Requests for approval are not for other organisations: not where they read along.
import { describe, expect, it } from 'vitest'
import { allBut } from '../doctor/scopes.ts'
import { asks, asksIn, beginsToAsk, givesReason, line, openColleagues } from './colleagues.ts'

describe('a request for approval', () => {
  it('is not posted in an approval channel that is shared with another organisation', async () => {
    const world = await openColleagues()
    const { bob, carol, general, slack, log } = world
    const approvals = await asksIn(world, carol)
    approvals.isShared = true
    await asks(bob, line, general)

    await bob.sees(
      'Another organisation can read it. Choose another channel, or ask whoever runs Bellhop.',
      general,
    )
    await slack.idle()
    await carol.doesNotSee('🔑', approvals)
    expect(log.some((one) => one.includes('a request for approval can’t be posted'))).toBe(true)
  })

  it('asks where to post where it was asked for in a shared channel', async () => {
    const world = await openColleagues()
    const { bob, carol, general, ops, slack } = world
    ops.members.add(slack.workspace.bot.userId)
    await slack.share(general)
    const modal = await beginsToAsk(bob, general)
    expect(modal.labels).toEqual(['Reason', 'Post to'])

    await givesReason(bob, { 'Post to': ops.id })

    await carol.sees('🔑', ops)
    await slack.idle()
    await carol.doesNotSee('🔑', general)
  })

  it('is not posted where Slack does not say whether a channel is shared, and is told what to do', async () => {
    const world = await openColleagues({ slack: { botScopes: allBut('channels:read') } })
    world.expectRefusals()
    const { bob, carol, general } = world
    await asks(bob, line, general, { 'Post to': general.id })

    await bob.sees('can’t see whether another organisation reads there.', general)
    await carol.doesNotSee('🔑', general)
  })
})
