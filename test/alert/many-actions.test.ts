// An alert on which very much happens: its thread misses and repeats nothing.
import { describe, expect, it } from 'vitest'
import { openWorld } from '../world.ts'

const start = 1_700_000_000
const step = (index: number) => ({
  kind: 'Comment',
  timestamp: start + Math.floor(index / 3),
  data: { message: `step ${index} of it` },
})
const steps = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => step(from + index))

describe('an alert with thousands of actions', () => {
  it('goes on in its thread', async () => {
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

    await alice.presses('Refresh', card)
    await slack.idle()
    expect(card.thread).toHaveLength(1)
    for (const action of steps(6_000, 6_002)) alert.act(action)
    await alice.presses('Refresh', card)

    const news = await alice.sees('step 6001 of it', card)
    expect(news.plain.split('\n')).toHaveLength(2)
  })
})
