// The warning before access ends, at odd moments.
import { expect, it } from 'vitest'
import { given, hourMs, minuteMs } from './given.ts'

it('comes once more before the later time, where somebody extends it while they are being warned', async () => {
  const { alice, dave, clock, general, receipt, slack } = await given()
  const isBefore = (words: string) =>
    dave.messages(dave.dm).filter(({ plain }) => plain.includes(words)).length
  const slow = slack.trouble.slow('chat.postMessage', 500, { times: 1 })
  clock.advance(4 * hourMs - 10 * minuteMs)
  await expect.poll(() => slow.isWaiting).toBe(false)

  await alice.presses('Extend by 1 hour', receipt)
  await alice.sees('dave@example.com keeps Viewer', general)
  expect(isBefore('ends')).toBe(0)
  await dave.sees('ends', dave.dm)
  await slack.idle(100)

  clock.advance(hourMs)
  await expect.poll(() => isBefore('ends')).toBe(2)
})
