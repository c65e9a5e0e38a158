// An alert on which very much happens: what is kept of it stays small, and its thread misses and repeats nothing.
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openWorld, type World } from '../world.ts'

const start = 1_700_000_000
const step = (index: number) => ({
  kind: 'Comment',
  timestamp: start + Math.floor(index / 3),
  data: { message: `step ${index} of it` },
})
const steps = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => step(from + index))

function keptOf(world: World): { readonly marks: number; readonly characters: number } {
  const database = new DatabaseSync(String(world.env.DATABASE_URL).replace('file:', ''), { timeout: 5_000 })
  onTestFinished(() => database.close())
  const doc = String(database.prepare("select doc from docs where kind = 'card'").get()?.doc)
  return { marks: JSON.parse(doc).told.length, characters: doc.length }
}

describe('an alert with thousands of actions', () => {
  it('keeps some thousand marks a card, and its thread goes on', async () => {
    const world = await openWorld()
    const { alice, general, service, slack } = world
    const alert = service.addAlert({
      ks: '5HkX',
      message: 'Disk full',
      timestamp: start,
      actions: steps(0, 6_000),
    })
    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('Disk full', general)
    await alice.sees('newest 15 of 6000 actions', card)
    expect(keptOf(world).marks).toBeLessThanOrEqual(2_601)
    expect(keptOf(world).characters).toBeLessThan(60_000)

    await alice.presses('Refresh', card)
    await slack.idle()
    expect(card.thread).toHaveLength(1)
    for (const action of steps(6_000, 6_002)) alert.act(action)
    await alice.presses('Refresh', card)

    await alice.sees('New · 2 actions', card)
  })

  it('tells the newest 2,000 where more come at once, and the next one by itself', async () => {
    const world = await openWorld()
    const { alice, general, service, slack } = world
    const alert = service.addAlert({
      ks: '5HkX',
      message: 'Disk full',
      timestamp: start,
      actions: steps(0, 100),
    })
    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('Disk full', general)
    for (const action of steps(100, 5_100)) alert.act(action)

    await alice.presses('Refresh', card)
    const told = await alice.sees('New · newest 15 of 2000 actions', card)
    expect(keptOf(world).marks).toBeLessThanOrEqual(2_601)
    await alice.presses('Refresh', card)
    await slack.idle()
    alert.act(step(5_100))
    await alice.presses('Refresh', card)

    await alice.sees('New · 1 action', card)
    expect(card.thread).toHaveLength(3)
    await alice.presses('Show earlier', told)
    await alice.seesModal('Alert history')
    await expect
      .poll(() => alice.modal?.plain, { timeout: 30_000, interval: 5 })
      .toContain('Actions 5076 to 5085')
  })

  it('tells nothing again when more than the newest 2,000 are kept', async () => {
    const world = await openWorld()
    const { alice, general, service, slack } = world
    const alert = service.addAlert({
      ks: '5HkX',
      message: 'Disk full',
      timestamp: start,
      actions: steps(0, 1_999),
    })
    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('Disk full', general)
    for (const action of steps(1_999, 2_003)) alert.act(action)

    await alice.presses('Refresh', card)
    await alice.sees('New · 4 actions', card)
    await alice.presses('Refresh', card)
    await slack.idle()
    expect(card.thread).toHaveLength(2)
  })
})
