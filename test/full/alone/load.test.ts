import { expect, it } from 'vitest'
import { holdLoad } from '../load/hold-load.ts'

// A smaller machine can be asked for less.
const perSecond = Number(process.env.LOAD_PER_SECOND ?? 100)
const seconds = 60

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length

it(`${perSecond} commands a second for a minute, from 600 people in 600 channels: each has its card, no ack is late, memory is flat`, async () => {
  const held = await holdLoad({ perSecond, seconds, people: 600, latencyMs: 80 })
  console.log(JSON.stringify(held))

  expect(held.commands).toBeGreaterThanOrEqual(perSecond * (seconds - 1))
  expect({ cards: held.cards, replies: held.replies }).toEqual({
    cards: held.commands,
    replies: held.commands,
  })
  // Slack gives up after it.
  expect(held.ackMs.longest).toBeLessThan(3_000)
  // While it lasts: of the second half, the end against the beginning.
  const heap = held.heap.slice(0, -1).map(({ heapMb }) => heapMb)
  const quarter = Math.floor(heap.length / 4)
  expect(quarter).toBeGreaterThan(1)
  const [third, fourth] = [mean(heap.slice(-2 * quarter, -quarter)), mean(heap.slice(-quarter))]
  expect(fourth).toBeLessThan(third * 1.1 + 2)
}, 240_000)
