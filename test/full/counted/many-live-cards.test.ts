// Live cards on one process, as many as it keeps up with, in simulated time: how fast this machine is makes no difference.
import { expect, it } from 'vitest'
import { simulate } from '../../../bench/soak/simulated.ts'

it('5,000 live cards of five workspaces on one process keep their interval, what they promise and Slack’s limits, tell every action once, and need no more memory with time', async () => {
  const simulated = await simulate({ watches: 1_000, workspaces: 5, minutes: 10 })
  const { interval, meanOfCard, actions, heapMb, refused, mostOverdue } = simulated

  expect(interval.mean).toBeGreaterThan(27)
  expect(interval.mean).toBeLessThan(33)
  // A card whose turn to be drawn has come is looked at once more in between.
  expect(interval.longest).toBeLessThan(36)
  expect(meanOfCard.shortest).toBeGreaterThan(25)
  expect(meanOfCard.longest).toBeLessThan(33)
  expect(actions.happened).toBeGreaterThan(500)
  expect(actions.toldOnce).toBe(actions.happened)
  expect({ refused, mostOverdue }).toEqual({ refused: 0, mostOverdue: 0 })
  // What grows a little is the history that the simulated service keeps.
  const [first = 0, last = 0] = heapMb
  expect(first).toBeGreaterThan(0)
  expect(last).toBeLessThan(first * 1.2)
}, 900_000)
