// The loop for what falls due, where more is due than anybody can look at at once.
import { expect, it, onTestFinished } from 'vitest'
import { keepUp, type TakeDue } from '../../src/work/poller.ts'
import { openHouse } from '../house.ts'

it('looks at fifty of a kind at the same time, and at the rest as those are done', async () => {
  const house = await openHouse()
  const gate = Promise.withResolvers<void>()
  const counts = { due: 120, underWay: 0, most: 0, done: 0, turns: 0 }
  const look = async () => {
    counts.underWay += 1
    counts.most = Math.max(counts.most, counts.underWay)
    await gate.promise
    counts.underWay -= 1
    counts.done += 1
  }
  const takeMany: TakeDue = async (_, most) => {
    const taken = Math.min(most, counts.due)
    counts.due -= taken
    return Array.from({ length: taken }, () => look)
  }
  const takeNone: TakeDue = async () => {
    counts.turns += 1
    return []
  }
  const loop = keepUp(house, [takeMany, takeNone])
  loop.start()
  onTestFinished(() => loop.stop())

  await expect.poll(() => counts.underWay).toBe(50)
  house.poller.wake()
  await expect.poll(() => counts.turns, { timeout: 5_000 }).toBeGreaterThan(2)
  expect(counts).toMatchObject({ most: 50, due: 70 })

  gate.resolve()
  await expect.poll(() => counts.done, { timeout: 10_000 }).toBe(120)
  expect(counts.most).toBe(50)
})
