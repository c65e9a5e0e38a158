// A quiet channel stays quiet: requests for approval go elsewhere.
import { describe, expect, it } from 'vitest'
import { givesReason, line, openColleagues } from './colleagues.ts'

async function refusedInQuiet() {
  const world = await openColleagues()
  const { alice, bob, general } = world
  await alice.types('/alert style quiet', general)
  await alice.sees('made Bellhop quiet', general)
  await bob.types(line, general)
  const refused = await bob.sees('Not granted', general)
  return { ...world, refused }
}

describe('asking for approval in a quiet channel', () => {
  it('asks where to post, and posts there alone', async () => {
    const { bob, carol, general, ops, refused, slack } = await refusedInQuiet()
    await bob.presses('Ask for approval', refused)
    expect((await bob.seesModal('Ask for approval')).labels).toEqual(['Reason', 'Post to'])
    await givesReason(bob, { 'Post to': ops.id })
    await carol.sees('🔑', ops)
    await bob.sees('Asked for approval in #ops', general)
    await slack.idle()
    await carol.doesNotSee('🔑', general)
  })

  it('does not take the quiet channel itself', async () => {
    const { bob, carol, general, refused } = await refusedInQuiet()
    await bob.presses('Ask for approval', refused)
    const modal = await bob.seesModal('Ask for approval')
    await bob.submits({ fields: { Reason: 'On call', 'Post to': general.id } })
    expect(modal.errors).toEqual({ 'Post to': 'That channel is set to quiet. Choose another one.' })
    await carol.doesNotSee('🔑', general)
  })

  it('goes to APPROVAL_CHANNEL where there is one', async () => {
    const world = await refusedInQuiet()
    const { bob, carol, general, refused, slack } = world
    const approvals = slack.addChannel({ name: 'approvals', members: [carol], botIsMember: true })
    await world.restart({ APPROVAL_CHANNEL: approvals.id })
    await bob.presses('Ask for approval', refused)
    expect((await bob.seesModal('Ask for approval')).labels).toEqual(['Reason'])
    await givesReason(bob)
    await carol.sees('🔑', approvals)
    await carol.doesNotSee('🔑', general)
  })
})

describe('a channel that is set to quiet while the modal is open', () => {
  it('is not posted to, and the request can be asked again', async () => {
    const world = await openColleagues()
    const { alice, bob, carol, general, ops, slack } = world
    await bob.types(line, general)
    const refused = await bob.sees('Not granted', general)
    await bob.presses('Ask for approval', refused)
    await bob.seesModal('Ask for approval')
    await alice.types('/alert style quiet', general)
    await alice.sees('made Bellhop quiet', general)
    await givesReason(bob)
    await bob.sees('This channel is now set to quiet, so the request wasn’t posted.', general)
    await slack.idle()
    await carol.doesNotSee('🔑', general)

    await bob.presses('Ask for approval', refused)
    await givesReason(bob, { 'Post to': ops.id })
    await carol.sees('🔑', ops)
  })
})
