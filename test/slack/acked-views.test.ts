// A view that an ack has just changed is left alone until that has taken effect.
import { expect, it } from 'vitest'
import { createAckedViews, settleMs } from '../../src/slack/guard/answer-form.ts'

it('waits for the latest ack, also for one that came while it waited', async () => {
  const waits: { readonly ms: number; readonly end: () => void }[] = []
  let at = 1_000_000
  const views = createAckedViews(
    () => at,
    (ms) => new Promise((end) => waits.push({ ms, end })),
  )
  views.acked('V1')
  let isSettled = false
  const settled = views.settled('V1').then(() => {
    isSettled = true
  })
  at += 500
  views.acked('V1')
  waits[0]?.end()
  await expect.poll(() => waits.map(({ ms }) => ms)).toEqual([settleMs, settleMs])
  expect(isSettled).toBe(false)

  waits[1]?.end()
  await settled
  await views.settled('V1')
  expect(waits).toHaveLength(2)
})
