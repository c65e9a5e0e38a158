// The warning before access ends, at odd moments.
import { expect, it } from 'vitest'
import { openWorld } from '../world.ts'

const [hourMs, minuteMs] = [3_600_000, 60_000]

it('comes once more before the later time, where somebody extends it while they are being warned', async () => {
  const world = await openWorld()
  const { alice, clock, general, slack } = world
  const dave = slack.addPerson({ name: 'dave', email: 'dave@example.com' })
  await alice.types('/grant 12 dave@example.com viewer for 4h', general)
  const receipt = await alice.sees('✅ Granted', general)
  await slack.idle()
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
