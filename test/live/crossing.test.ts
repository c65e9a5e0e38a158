// Two things at the same moment: what somebody presses crosses a look that is under way.
import { describe, expect, it } from 'vitest'
import { bobToken, openWorld, type World } from '../world.ts'
import {
  begins,
  comment,
  diskFull,
  intervalMs,
  liveCard,
  passes,
  repliesWith,
  timesRead,
} from './live.ts'

/** There, Refresh stays on a live card. */
const onlyReads = { env: { MONITOR_OPERATIONS: 'basic' } }

/** Slack takes this long over the next such call; resolves when it has begun. */
function holdsUp(world: World, method: string, ms: number): Promise<void> {
  world.slack.trouble.slow(method, ms, { times: 1 })
  return begins(world, method)
}

/** A card with news that wait, for 1.5 s, for the turn of their channel. */
async function waitingForItsTurn(world: World) {
  const { alice, service, general, clock } = world
  const other = service.addAlert({ ks: 'other', message: 'Other' })
  await alice.types('/alert other watch', general)
  const otherCard = await alice.sees(/Other[\s\S]*👁/, general)
  const alert = service.addAlert(diskFull)
  const card = await liveCard(world)
  await passes(world)
  await world.slack.idle(100)
  other.act(comment('other news'))
  const isBusy = holdsUp(world, 'chat.postMessage', 1_500)
  await alice.presses('Watch', otherCard)
  await isBusy
  const read = timesRead(world)
  alert.act(comment('news'))
  clock.advance(intervalMs * 1.1)
  await world.serviceWasAsked('/alert/5HkX', read + 1)
  return card
}

describe('news that wait long for the turn of their channel', () => {
  it('are told once, though somebody presses Refresh meanwhile', async () => {
    const world = await openWorld(onlyReads)
    const card = await waitingForItsTurn(world)
    world.clock.advance(31_000)

    await world.alice.presses('Refresh', card)

    await world.alice.sees('news', card)
    await world.alice.sees('other news', await world.alice.sees('other · asked', world.general))
    await world.slack.idle(300)
    await passes(world)
    await world.slack.idle(100)
    expect(repliesWith(card, 'news')).toHaveLength(1)
  })

  it('are told soon by the next bot when theirs is stopped, and once', async () => {
    const world = await openWorld()
    const card = await waitingForItsTurn(world)

    await world.restart()

    await world.alice.sees('news', card)
    await passes(world, 60_000)
    await world.slack.idle(100)
    expect(repliesWith(card, 'news')).toHaveLength(1)
  })
})

describe('Refresh', () => {
  it('that lands after the watch was stopped leaves no card that says Live', async () => {
    const world = await openWorld(onlyReads)
    const { alice, bob, service, slack, general } = world
    await world.connect(bob, bobToken)
    service.addAlert(diskFull)
    const card = await liveCard(world)
    await slack.idle()
    const isBusy = holdsUp(world, 'chat.update', 600)
    await bob.presses('Refresh', await bob.sees('Disk full', general))
    await isBusy

    await alice.presses('Stop watching', card)

    await alice.sees('Stopped updating: alice pressed Stop watching.', card)
    await slack.idle(700)
    expect(card.plain).not.toContain('👁')
  })
})
