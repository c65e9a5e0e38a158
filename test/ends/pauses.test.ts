// How long an end waits that no read has shown yet.
import { expect, it } from 'vitest'
import { triedStep } from '../../src/send/ends.ts'
import { runningEnd } from './sample.ts'

it('is looked for after a minute, five and a quarter of an hour, then hourly', () => {
  let end = runningEnd
  const pauses = Array.from({ length: 5 }, () => {
    end = triedStep('uncertain')(end, 0)
    return (end.dueAt ?? 0) / 60_000
  })
  expect(pauses).toEqual([1, 5, 15, 60, 60])
})
