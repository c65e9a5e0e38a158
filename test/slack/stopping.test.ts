// A stop while Slack asks to wait: whoever has asked for something gets an answer before the process ends.
import { describe, expect, it } from 'vitest'
import { holdAtSlack } from '../held-slack.ts'
import { openWorld, posts } from '../world.ts'

describe('somebody who waits for Slack when Bellhop stops', () => {
  it('reads that it failed', async () => {
    const { wait, held } = holdAtSlack()
    const world = await openWorld({ wait })
    world.expectRefusals()
    const { alice, general, slack } = world
    slack.trouble.rateLimit('users.info', {
      retryAfterSeconds: 60,
      times: Number.POSITIVE_INFINITY,
    })
    await alice.types('/grant 12 @bob viewer', general)
    await expect.poll(() => held).toHaveLength(2)

    await world.bellhop.stop(5_000)

    await alice.sees(/Slack didn’t accept .* \(Reference /, general)
    expect(posts(world)).toEqual([])
  })
})
