// Requests for approval are not for other organisations: not where they read along.
import { describe, expect, it } from 'vitest'
import { allBut } from '../doctor/scopes.ts'
import { asked, givesReason, line, openColleagues } from './colleagues.ts'

const notThere =
  'The approval channel is shared with another organisation, so the request wasn’t posted. Ask whoever runs Bellhop.'

async function refusedWith(isShared: boolean) {
  const world = await openColleagues()
  const { bob, carol, general, slack } = world
  const approvals = slack.addChannel({ name: 'approvals', members: [carol], botIsMember: true })
  approvals.isShared = isShared
  await world.restart({ APPROVAL_CHANNEL: approvals.id })
  await bob.types(line, general)
  return { ...world, approvals, refused: await bob.sees('Not granted', general) }
}

describe('a request for approval', () => {
  it('is not posted in an approval channel that is shared with another organisation', async () => {
    const { bob, carol, general, approvals, refused, slack, log } = await refusedWith(true)

    await bob.presses('Ask for approval', refused)
    await bob.sees(notThere, general)
    await bob.presses('Ask for approval', refused)
    await slack.idle()

    expect(bob.modal).toBeUndefined()
    await carol.doesNotSee('🔑', approvals)
    const warned = log.filter((one) => one.includes('the approval channel is shared'))
    expect(warned).toHaveLength(1)
  })

  it('is not posted where the approval channel became shared while the form was open', async () => {
    const { bob, carol, general, approvals, refused, slack } = await refusedWith(false)
    await bob.presses('Ask for approval', refused)
    await bob.seesModal('Ask for approval')
    approvals.isShared = true

    await givesReason(bob)

    await bob.sees(notThere, general)
    await slack.idle()
    await carol.doesNotSee('🔑', approvals)
  })

  it('is not posted in an approval channel that was shared when Slack last said so', async () => {
    const world = await refusedWith(false)
    const { bob, carol, general, approvals, refused, slack, clock } = world
    await bob.presses('Ask for approval', refused)
    await bob.seesModal('Ask for approval')
    await slack.share(approvals)
    await slack.idle()
    world.expectRefusals()
    slack.trouble.fail('conversations.info', { error: 'internal_error' }, { times: 100 })

    await givesReason(bob)
    await bob.sees(notThere, general)
    clock.advance(11 * 60_000)
    await bob.presses('Ask for approval', refused)

    await slack.idle()
    expect(bob.modal).toBeUndefined()
    await carol.doesNotSee('🔑', approvals)
  })

  it('asks where to post where it was asked for in a shared channel', async () => {
    const world = await openColleagues()
    const { bob, carol, general, ops, slack } = world
    await slack.share(general)
    await bob.types(line, general)
    await bob.presses('Ask for approval', await bob.sees('Not granted', general))
    expect((await bob.seesModal('Ask for approval')).labels).toEqual(['Reason', 'Post to'])

    await givesReason(bob, { 'Post to': ops.id })

    await carol.sees('🔑', ops)
    await slack.idle()
    await carol.doesNotSee('🔑', general)
  })

  it('asks where to post where it was asked for in a thread of a shared channel', async () => {
    const world = await openColleagues()
    const { bob, carol, general, ops, slack } = world
    await slack.share(general)
    carol.says('Who may see the disk?', general)
    const parent = await bob.sees('Who may see the disk?', general)
    bob.says('@Bellhop grant 12 dave@example.com viewer', parent)
    await bob.presses('Ask for approval', await bob.sees('Not granted', parent))

    await givesReason(bob, { 'Post to': ops.id })

    await carol.sees('🔑', ops)
    await carol.doesNotSee('🔑', parent)
  })

  it('is not posted in a shared channel that was chosen before Slack left it out', async () => {
    const world = await openColleagues()
    const { bob, carol, ops, slack } = world
    const open = slack.addChannel({ name: 'partners', members: [bob, carol], botIsMember: true })
    await bob.types(line, bob.dm)
    const refused = await bob.sees('Not granted', bob.dm)
    await bob.presses('Ask for approval', refused)
    await bob.seesModal('Ask for approval')
    open.isShared = true
    await givesReason(bob, { 'Post to': open.id })

    await bob.sees('That channel is shared with another organisation, so the request wasn’t posted', bob.dm)
    await carol.doesNotSee('🔑', open)

    await bob.presses('Ask for approval', refused)
    await givesReason(bob, { 'Post to': ops.id })
    await carol.sees('🔑', ops)
  })

  it('that could not be posted at first is not posted once the channel is shared', async () => {
    const world = await openColleagues()
    world.expectRefusals()
    const { bob, carol, general, slack, clock } = world
    await bob.types(line, general)
    const refused = await bob.sees('Not granted', general)
    slack.trouble.fail('chat.postMessage', { status: 503 }, { times: 3 })
    await bob.presses('Ask for approval', refused)
    await givesReason(bob)
    await bob.sees('Your request is saved', general)
    slack.trouble.clear()
    await slack.share(general)
    clock.advance(11 * 60_000)

    await bob.sees('Another organisation can read that channel.', bob.dm)

    await slack.idle()
    await carol.doesNotSee('🔑', general)
  })

  it('is posted as before where Slack does not say whether a channel is shared', async () => {
    const world = await openColleagues({ slack: { botScopes: allBut('channels:read') } })
    await world.slack.share(world.general)

    await asked(world)
  })
})
