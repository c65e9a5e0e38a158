// A stop while Slack asks to wait: whoever has asked for something gets an answer before the process ends.
import { describe, expect, it } from 'vitest'
import { holdAtSlack } from '../held-slack.ts'
import { openWorld, posts } from '../world.ts'

describe('somebody who waits for Slack when Bellhop stops', () => {
  it('reads that it failed where Slack asks for a longer wait than a stop takes', async () => {
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

  it('has the card where they asked for it after a short wait', async () => {
    const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const world = await openWorld({
      wait() {
        begun.resolve()
        return over.promise
      },
    })
    world.expectRefusals()
    const { alice, general, service, slack } = world
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    slack.trouble.rateLimit('chat.postMessage', { retryAfterSeconds: 1, times: 2 })
    await alice.types('/alert 5HkX', general)
    await begun.promise

    const stopped = world.bellhop.stop(5_000)
    over.resolve()
    await stopped

    const card = await alice.sees('Disk full', general)
    expect(slack.calls.map(({ method }) => method)).not.toContain('response_url')
    expect(card.isEphemeral).toBe(false)
  })
})
