// An outcome was told, and the store is asked to keep that: a store that fails is not the asker's trouble.

import { expect, it } from 'vitest'
import { createMarkTold } from '../../src/grant/mark-told.ts'
import { keepLog } from '../keep-log.ts'

function room() {
  const { log, lines } = keepLog('info')
  const waits: number[] = []
  const wait = async (ms: number) => void waits.push(ms)
  return { lines, waits, markTold: createMarkTold({ log, wait }) }
}

it('is said again to a store that fails for a moment, and nobody hears of it', async () => {
  const { lines, waits, markTold } = room()
  let times = 0
  const isFirst = await markTold(async () => {
    times += 1
    if (times < 3) throw new Error('the database is locked')
    return true
  })
  expect(isFirst).toBe(true)
  expect(times).toBe(3)
  expect(waits).toHaveLength(2)
  expect(lines).toEqual([])
})

it('is logged when the store fails for good, and does not reject', async () => {
  const { lines, markTold } = room()
  const isFirst = await markTold(() => Promise.reject(new Error('the database is away')))
  expect(isFirst).toBe(false)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('it is told once more')
})
