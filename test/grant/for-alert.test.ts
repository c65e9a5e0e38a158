// Grant access, from the menu of an alert's card: one story in one thread.
import { describe, expect, it } from 'vitest'
import { aliceToken, bobToken, connects, diskFull, openWorld, type World } from '../world.ts'
import { aliceLooksUp, grantsOn, readWish } from './dave.ts'

async function shown() {
  const world = await openWorld()
  const { alice } = world
  const card = await aliceLooksUp(world)
  await alice.sees('No actions on this alert yet.', card)
  return { ...world, card }
}

describe('Grant access on a card', () => {
  it('opens the form with the alert as its reason; the receipt lands in the card’s thread for all, from where whose own token may undoes it', async () => {
    const world = await shown()
    const { alice, bob, card, service, general } = world

    await alice.presses('Grant access', card)
    const form = await alice.seesModal('Grant access')
    expect(form.plain).toContain(
      'For alert “Disk full” (5HkX). The result will appear in the alert’s thread.',
    )
    await alice.submits({ fields: readWish })

    const thread = await bob.sees('Disk full', general)
    const receipt = await bob.sees('Granted', thread)
    expect(receipt.isEphemeral).toBe(false)
    expect(receipt.plain).toContain('requested by alice, for alert “Disk full” (5HkX)')
    expect(receipt.pings).toEqual([])
    expect(receipt.buttons).toEqual(['Change…', 'Remove…'])
    expect(service.membersOf(12).map(({ email }) => email)).toEqual(['dave@example.com'])

    await world.connect(bob, bobToken)
    await bob.presses('Remove…', receipt)
    expect((await bob.sees('Your token lacks CONTAINER_ACCESS there.', thread)).isEphemeral).toBe(
      true,
    )
    await alice.presses('Remove…', await alice.sees('Granted', card))
    await alice.presses('Remove access', await alice.sees('Remove Dave Doe', card))

    const removed = await bob.sees('✅ Removed: dave@example.com is no longer on', thread)
    expect(removed.plain).toContain('requested by alice, for alert “Disk full” (5HkX)')
    expect(service.membersOf(12)).toEqual([])
  })

  it('stays in the thread after the account was connected', async () => {
    const world = await shown()
    const { alice, bob, general } = world
    const seen = await bob.sees('Disk full', general)
    await grantsOn(bob, seen, readWish)
    await connects(bob, aliceToken, await bob.sees('I need your monitoring account', seen))

    const receipt = await alice.sees('requested by bob', await alice.sees('Disk full', general))
    expect(receipt.isEphemeral).toBe(false)
  })

  it.each([
    ['another organisation reads', () => {}],
    [
      'Slack doesn’t say who reads',
      ({ slack, expectRefusals }: World) => {
        slack.trouble.fail('conversations.info', { error: 'internal_error' }, { times: 100 })
        expectRefusals()
      },
    ],
  ])('where %s is told to them alone, and isn’t shared there', async (_, happens) => {
    const world = await openWorld()
    const { alice, bob, slack, service } = world
    const both = slack.addChannel({
      name: 'both',
      members: [alice, bob],
      botIsMember: true,
      isShared: true,
    })
    happens(world)
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX', both)
    const card = await alice.sees('Disk full', both)
    await alice.presses('Grant access', card)
    expect((await alice.seesModal('Grant access')).plain).not.toContain('thread')
    await alice.submits({ fields: readWish })
    const receipt = await alice.sees('✅ Granted', card)
    await alice.presses('Share in channel', receipt)
    await alice.sees(/another organisation reads in this channel/i, card)

    await slack.idle()
    expect(bob.screen(both)).not.toContain('dave@example.com')
  })

  it('tells nothing in a channel that another organisation has come to since the form was opened', async () => {
    const { alice, bob, card, clock, general, slack } = await shown()
    await alice.presses('Grant access', card)
    await alice.seesModal('Grant access')
    clock.advance(61_000)
    general.isShared = true
    await alice.submits({ fields: readWish })
    expect((await alice.sees('✅ Granted', card)).isEphemeral).toBe(true)
    await slack.idle()
    expect(bob.screen(general)).not.toContain('dave@example.com')
  })

  it('on a card that only they see is told to them alone', async () => {
    const { alice, bob, general, service } = await openWorld()
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX private', general)
    await alice.presses('Grant access', await alice.sees('Disk full', general))
    const form = await alice.seesModal('Grant access')
    expect(form.plain).not.toContain('thread')
    await alice.submits({ fields: readWish })

    expect((await alice.sees('Granted', general)).isEphemeral).toBe(true)
    expect(bob.messages(general)).toEqual([])
  })
})
