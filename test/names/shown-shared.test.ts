// Names on cards that several people see: those that the asker's token has shown, and of whoever's read it is drawn from.
import { describe, expect, it } from 'vitest'
import { liveCard, passes } from '../live/live.ts'
import type { World } from '../world.ts'
import {
  asked,
  connectBob,
  link,
  namedCard,
  namesPath,
  nextCard,
  openShown,
  taken,
} from './shown-world.ts'

/** Dave has it now, whom the card has not named yet. */
function goesToDave({ service }: World): void {
  service.alert('5HkX')?.act({ ...taken(7, 9), timestamp: 1_700_000_200 })
}

describe('a card that somebody else refreshes', () => {
  it('has the names that its asker’s token has shown', async () => {
    const world = await openShown()
    const { alice, bob, general } = world
    const card = await namedCard(world)
    await connectBob(world)
    // His own token shows everybody.
    const own = await nextCard(world, `/alert ${link}`, bob)
    await alice.sees(/asked by bob[\s\S]*/, general)
    await expect.poll(() => own.plain).toContain('Customer 1 (12)')
    goesToDave(world)

    await bob.presses('Refresh', await bob.sees('asked by alice', general))
    const news = await alice.sees('assigned it', card)
    expect(news.plain).toContain('Alice Archer assigned it to Dave Doe: “I take this one.”')
    await expect.poll(() => card.plain).toMatch(/ · assigned to Dave Doe\n[\s\S]*Customer 1 \(12\)/)
  })

  it('gets the names that Bob’s token shows where its asker’s has shown none', async () => {
    const world = await openShown()
    const { alice, bob, general, service, slack } = world
    service.trouble.answer(403, { only: { path: namesPath }, times: 1 })
    await alice.types(`/alert ${link}`, general)
    const card = await alice.sees('Disk full', general)
    await slack.idle()
    await connectBob(world)
    const own = await nextCard(world, `/alert ${link}`, bob)
    await expect.poll(() => own.plain).toContain('Alice Archer')

    await bob.presses('Refresh', await bob.sees('asked by alice', general))

    await alice.sees('refreshed by bob', general)
    expect(card.plain).toMatch(/ · assigned to Alice Archer\n[\s\S]*Customer 1 \(12\)/)
  })
})

describe('a channel', () => {
  it.each([
    ['that another organisation reads as well', true],
    ['of which Slack doesn’t say who reads it', false],
  ])('%s is shown no names, whoever asks, refreshes and grants there', async (_, isShared) => {
    const world = await openShown()
    const { alice, general, service, slack, clock } = world
    const before = await namedCard(world)
    clock.advance(11 * 60_000)
    if (!isShared) world.expectRefusals()
    const silence = slack.trouble.fail(
      'conversations.info',
      { error: 'internal_error' },
      { times: 100 },
    )
    if (isShared) silence.cancel()
    general.isShared = isShared

    const card = await nextCard(world, '/alert 5HkX')
    await alice.sees('Somebody took it', card)
    await slack.idle()
    expect(card.plain).toMatch(/ · assigned\n/)
    expect(card.plain).not.toMatch(/Customer 1|Alice|asset-34/)
    await alice.presses('Refresh', before)
    await expect.poll(() => before.plain).toMatch(/ · assigned\n/)
    expect(before.plain).not.toContain('Customer 1')
    service.addUser({ email: 'grace@example.com', id: 10, name: 'Grace' })
    await alice.types('/grant 12 grace@example.com viewer', general)
    const receipt = await alice.sees('✅ Granted', general)
    expect(receipt.plain).toContain('Customer 1 (12)')
    const own = await nextCard(world, '/alert 5HkX private')
    expect(own.plain).toMatch(/asset-34[\s\S]*Customer 1 \(12\)/)

    silence.cancel()
    general.isShared = false
    clock.advance(11 * 60_000)
    await alice.presses('Refresh', before)
    await expect.poll(() => before.plain).toContain('Customer 1 (12)')
  })
})

describe('a live card', () => {
  it('of its asker says who took it as soon as it knows, in its thread too', async () => {
    const world = await openShown({}, { ownerId: null, actions: [] })
    const { alice, general } = world
    await alice.types(`/alert ${link} watch`, general)
    const card = await alice.sees(/👁[\s\S]*Customer 1 \(12\)/, general)
    goesToDave(world)
    await passes(world)

    await alice.sees('Alice Archer assigned it to Dave Doe: “I take this one.”', card)
    await expect.poll(() => card.plain).toMatch(/ · assigned to Dave Doe\n/)
  })

  it('that somebody else alone watches keeps its names, for which nothing is asked', async () => {
    const world = await openShown()
    const { alice, bob, general, service, clock } = world
    const card = await namedCard(world)
    await connectBob(world)
    await bob.presses('Watch', await bob.sees('asked by alice', general))
    await alice.sees('👁', general)
    expect(card.plain).toContain(' · assigned to Alice Archer\n')
    goesToDave(world)
    await passes(world)

    const news = await alice.sees('assigned it', card)
    expect(news.plain).toContain('Alice Archer assigned it to Dave Doe: “')
    await expect.poll(() => card.plain).toMatch(/ · assigned to Dave Doe\n/)
    expect(asked(world).filter((path) => namesPath.test(path) && path.endsWith('bob'))).toEqual([])

    clock.advance(1_000)
    service.alert('5HkX')?.close('Close', { userId: 7, message: 'Rotated.' })
    await passes(world)
    await alice.sees('Alice Archer closed it: “Rotated.”', card)
    await alice.sees('Closed by Alice Archer', general)
  })

  it('costs no read of names at looks that find nothing', async () => {
    const world = await openShown({}, { ownerId: null, actions: [] })
    const { service, slack } = world
    service.trouble.answer(403, { only: { path: namesPath } })
    await liveCard(world)
    const before = service.requests.length
    for (const _ of [1, 2, 3]) {
      await passes(world)
      await slack.idle()
    }
    expect(asked(world, before).filter((path) => path.startsWith('/container'))).toEqual([])
  })
})
