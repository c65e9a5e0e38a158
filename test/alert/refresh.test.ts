import { describe, expect, it } from 'vitest'
import { withAlert, withCard } from '../act/on-card.ts'
import { bobToken, connects, diskFull, openWorld, type World } from '../world.ts'

const comment = (message: string, timestamp = 1_700_000_060) => ({
  kind: 'Comment',
  timestamp,
  data: { userId: 7, message },
})

async function cardIn(world: World, channel = world.general) {
  await world.alice.types('/alert 5HkX', channel)
  return world.alice.sees('Disk full', channel)
}

describe('Refresh', () => {
  it('makes the card true again, and tells what is new in the thread, once', async () => {
    const world = await openWorld()
    const { alice, service } = world
    const alert = service.addAlert({ ...diskFull, actions: [comment('begun')] })
    const card = await cardIn(world)
    await alice.sees('begun', card)
    alert.act(comment('second', 1_700_000_120))
    alert.close('Close', { userId: 7, message: 'done' })

    await alice.presses('Refresh', card)
    await alice.sees('second', card)
    await alice.presses('Refresh', card)
    await world.slack.idle()

    expect(card.plain).toMatch(/^✅ .*\nClosed .* · was CRITICAL/)
    expect(card.thread.map(({ plain }) => plain.match(/begun|second|done/g))).toEqual([
      ['begun'],
      ['second', 'done'],
    ])
  })

  it('tells an action once when two people press at the same moment', async () => {
    const { world, alice, bob, slack, alert, card } = await withCard()
    await world.connect(bob, bobToken)
    const bobsCard = await bob.sees('Disk full', world.general)
    await alice.sees('No actions on this alert yet', card)
    alert.act(comment('news'))

    await Promise.all([alice.presses('Refresh', card), bob.presses('Refresh', bobsCard)])
    await slack.idle()

    expect(card.thread.filter(({ plain }) => plain.includes('news'))).toHaveLength(1)
  })

  it('by somebody without an account asks them to connect, privately, goes on with their token, and names them', async () => {
    const { world, alice, bob, service, general, alert } = await withAlert()
    await cardIn(world)
    alert.hit({ message: 'Disk fuller' })

    await bob.presses('Refresh', await bob.sees('Disk full', general))
    const prompt = await bob.sees('I need your monitoring account', general)
    expect(prompt.isEphemeral).toBe(true)
    await alice.doesNotSee('I need your monitoring account', general)
    await connects(bob, bobToken, prompt)

    await bob.sees(/Disk fuller[\s\S]*asked by alice · refreshed by bob/, general)
    expect(service.requests.filter(({ path }) => path === '/alert/5HkX').at(-1)?.token).toBe('bob')
    await bob.doesNotSee('I need your monitoring account', general)
  })

  it('replaces a card that has no thread, history and all', async () => {
    const { world, alice, bob, ops, alert } = await withAlert()
    const card = await cardIn(world, ops)
    alert.act(comment('news'))

    await alice.presses('Refresh', card)

    const fresh = await bob.sees('news', ops)
    expect(fresh.plain).toContain('Disk full')
    expect(bob.messages(ops)).toHaveLength(1)
  })

  it('replaces a private card', async () => {
    const { alice, general, alert } = await withAlert()
    await alice.types('/alert 5HkX private', general)
    const card = await alice.sees('Disk full', general)
    alert.act(comment('news'))

    await alice.presses('Refresh', card)

    const fresh = await alice.sees('news', general)
    expect(fresh.isEphemeral).toBe(true)
    expect(fresh.buttons).toContain('Share in channel')
  })

  it('never shows an older answer of the service over a newer one', async () => {
    const { world, alice, bob, slack, alert, card } = await withCard()
    await world.connect(bob, bobToken)
    const bobsCard = await bob.sees('Disk full', world.general)
    slack.trouble.slow('chat.update', 150, { times: 1 })

    const older = alice.presses('Refresh', card)
    await world.serviceWasAsked('/alert/5HkX', 2)
    alert.close('Close', { userId: 7 })
    await Promise.all([older, bob.presses('Refresh', bobsCard)])

    await alice.sees('Somebody closed it', card)
    await alice.sees('\nClosed', world.general)
    await slack.idle(300)
    expect(card.plain).toContain('\nClosed')
  })

  it('of a card that is long forgotten says so', async () => {
    const { world, alice, clock, card } = await withCard()
    clock.advance(91 * 24 * 60 * 60_000)
    await world.restart()

    await alice.presses('Refresh', card)

    await alice.sees('This card is too old', world.general)
  })
})
