// How long an end waits: for a read that shows it, and for somebody to hear of it.
import { expect, it } from 'vitest'
import {
  endingAtStep,
  orphanStep,
  triedStep,
  waitingStep,
  warnAgainStep,
} from '../../src/ends/states.ts'
import { runningEnd } from './sample.ts'

const minuteMs = 60_000
const endsAt = 100 * minuteMs

it('is looked for after a minute, five and a quarter of an hour, then hourly', () => {
  let end = runningEnd
  const pauses = Array.from({ length: 5 }, () => {
    end = triedStep('uncertain')(end, 0)
    return (end.dueAt ?? 0) / minuteMs
  })
  expect(pauses).toEqual([1, 5, 15, 60, 60])
})

it.each([
  ['hears that it ends soon', warnAgainStep, 50, 51],
  ['hears that it ends soon', warnAgainStep, 99.5, 100],
  ['hears whose account is gone', orphanStep(undefined), 50, 65],
  ['hears whose account is gone', orphanStep(undefined), 99.5, 100],
])('where nobody %s, is due again soon, and at its time in any case', (_, step, now, due) => {
  expect(step({ ...runningEnd, endsAt }, now * minuteMs).dueAt).toBe(due * minuteMs)
})

it.each([
  ['keeps its time', 50, 85],
  ['is due again in a moment, once its time has come', 100, 100 + 5 / 60],
])('beside another of the same person %s', (_, now, due) => {
  const end = { ...runningEnd, endsAt, dueAt: 85 * minuteMs }
  expect(waitingStep(end, now * minuteMs).dueAt).toBe(due * minuteMs)
})

it('with a later time begins anew: tried, warned and told again', () => {
  const told = { ...runningEnd, tries: 3, warnedIds: ['U1'], sayAgainAt: 9 * endsAt }
  expect(endingAtStep(endsAt)(triedStep('uncertain')(told, 0), 0)).toMatchObject({
    endsAt,
    tries: 0,
    why: undefined,
    warnedIds: undefined,
    sayAgainAt: undefined,
  })
})
