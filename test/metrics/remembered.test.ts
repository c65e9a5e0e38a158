// A figure from the database: asked for seldom, and no scrape hangs on it.
import { expect, it, onTestFinished, vi } from 'vitest'
import { remembered } from '../../src/metrics/metrics.ts'

function open(answer: () => Promise<number>) {
  let at = 0
  let asked = 0
  const read = remembered(
    () => {
      asked += 1
      return answer()
    },
    Number.NaN,
    () => at,
  )
  const later = (ms: number) => {
    at += ms
  }
  return { read, later, asked: () => asked }
}

it('is asked for every ten seconds, however often it is read', async () => {
  let cards = 4
  const { read, later, asked } = open(async () => cards)
  expect([await read(), await read()]).toEqual([4, 4])
  cards = 5
  later(9_999)
  expect(await read()).toBe(4)
  later(1)
  expect(await read()).toBe(5)
  expect(asked()).toBe(2)
})

it('is asked for once by two who read at a time', async () => {
  const answer = Promise.withResolvers<number>()
  const { read, later, asked } = open(() => answer.promise)
  const first = read()
  later(20_000)
  const both = Promise.all([first, read()])
  answer.resolve(7)
  expect(await both).toEqual([7, 7])
  expect(asked()).toBe(1)
})

it('is not a number while it cannot be had, and is had again', async () => {
  let isBroken = false
  const { read, later } = open(async () => {
    if (isBroken) throw new Error('no database')
    return 4
  })
  expect(await read()).toBe(4)
  isBroken = true
  later(10_000)
  expect(await read()).toBeNaN()
  isBroken = false
  later(10_000)
  expect(await read()).toBe(4)
})

it('is not waited for longer than a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { read } = open(() => new Promise(() => undefined))
  const waiting = read()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await waiting).toBeNaN()
})
