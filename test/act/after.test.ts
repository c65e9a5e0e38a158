// Consequences of an act on an alert: its card, its thread, and other cards of the alert.
import { describe, expect, it } from 'vitest'
import { liveCard, repliesWith } from '../live/live.ts'
import type { World } from '../world.ts'
import { aliceCard, closesOn, commentsOn, onCallWithBob, withAlert, withCard } from './on-card.ts'

function asked({ service }: World) {
  return service.requests.map(
    ({ method, path, token }) => `${token} ${method} ${path.split('?')[0]}`,
  )
}

function called({ slack }: World, method: string) {
  return slack.calls.filter((call) => call.method === method).length
}

describe('an act on a card', () => {
  it('redraws it at once from the read after, and tells its thread once', async () => {
    const { world, alice, general, slack, card } = await withCard()
    const before = asked(world).length
    const [drawn, posted] = [called(world, 'chat.update'), called(world, 'chat.postMessage')]

    await closesOn(card, alice)
    await alice.sees('✅ Disk full', general)
    await slack.idle()

    expect(card.plain).toMatch(/^✅ .*\nClosed/)
    expect(card.plain).toContain('Old logs removed.')
    expect(repliesWith(card, 'Old logs removed.')).toHaveLength(1)
    expect(asked(world).slice(before)).toEqual([
      'alice GET /alert/5HkX',
      'alice PUT /alert/5HkX/close',
      // For the verdict and the card.
      'alice GET /alert/5HkX',
    ])
    expect(called(world, 'chat.update') - drawn).toBe(1)
    expect(called(world, 'chat.postMessage') - posted).toBe(1)
  })

  it('shows on a card that only its asker sees', async () => {
    const { world, alice, general, slack } = await withAlert()
    const card = await aliceCard(world, '/alert 5HkX private')
    await closesOn(card, alice)
    await alice.sees('✅ Disk full', general)
    await slack.idle()
    const shown = alice.messages(general).map(({ plain }) => plain)
    expect(shown.filter((plain) => plain.includes('\nClosed by Alice Archer 2'))).toHaveLength(1)
    expect(shown.join()).toContain('Old logs removed.')
  })

  it('that came too late shows how the alert is', async () => {
    const { alice, general, slack, alert, card } = await withCard()
    alert.close('AutoClose')
    await closesOn(card, alice, 'mine')
    await alice.sees('already closed', general)
    await slack.idle()
    expect(card.plain).toContain('✅')
    expect(card.plain).not.toContain('mine')
  })

  it('whose card is gone is told all the same', async () => {
    const { world, alice, general, slack, card } = await withCard()
    world.expectRefusals()
    slack.trouble.fail('chat.update', { error: 'message_not_found' })
    await closesOn(card, alice)
    await alice.sees('Closed: alert', general)
  })
})

describe('other cards of an alert that was acted on', () => {
  it('are looked at at once where they are live, with their own watchers’ tokens', async () => {
    const { world, alice, bob, ops, slack } = await onCallWithBob()
    const live = await liveCard(world)
    await bob.types('/alert 5HkX private', ops)
    const own = await bob.sees('Disk full', ops)
    await slack.idle()
    const before = asked(world).length

    await commentsOn(own, bob, 'From Bob')

    await alice.sees('From Bob', live)
    await slack.idle()
    expect(asked(world).slice(before)).toContain('alice GET /alert/5HkX')
    expect(repliesWith(live, 'From Bob')).toHaveLength(1)
    expect(live.plain).not.toContain('refreshed by')
  })

  it('and the pressed one tell each action once, though watchers find it at the same time', async () => {
    const { world, alice, slack, clock } = await withAlert()
    const card = await liveCard(world)
    await slack.idle()
    clock.advance(31_000)
    await commentsOn(card, alice, 'told once')
    await alice.sees('told once', card)
    await slack.idle(200)
    expect(repliesWith(card, 'told once')).toHaveLength(1)
    expect(card.plain).toContain('👁')
  })
})
