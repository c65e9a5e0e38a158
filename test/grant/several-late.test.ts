// Results for several people that could not be told at once, and batches whose sender died.
import { describe, expect, it } from 'vitest'
import type { World } from '../world.ts'
import { openSeveral, posts } from './several-world.ts'

const minutes = 60_000

/** Slack took the result neither as an answer nor as a direct message. */
async function refusedBoth({ slack }: World): Promise<void> {
  await expect.poll(() => slack.calls.filter(({ method }) => method === 'chat.postMessage')).toHaveLength(1)
  await slack.idle()
}

describe('a result for several people that Slack did not take', () => {
  it('is told in one direct message at the next look, once', async () => {
    const { world, line } = await openSeveral(3)
    const { alice, general, slack, clock } = world
    world.expectRefusals()
    slack.trouble.fail('response_url', { status: 500 }, { times: 1 })
    slack.trouble.fail('chat.postMessage', { error: 'fatal_error' }, { times: 1 })
    await alice.types(line, general)
    await refusedBoth(world)

    await world.restart()
    const told = await alice.sees('Here’s the result of a grant you asked for earlier', alice.dm)
    clock.advance(10 * minutes)
    await world.restart()
    await slack.idle(200)

    expect(told.plain).toContain('3 of 3 granted')
    expect(alice.messages(alice.dm)).toHaveLength(1)
    expect(posts(world)).toHaveLength(3)
  })
})

describe('a batch that is under way when Bellhop is stopped', () => {
  it('begins nobody more, tells all, and offers those who were not sent', async () => {
    const { world, line } = await openSeveral(12)
    const { alice, general, service } = world
    service.trouble.slow(300)
    await alice.types(line, general)
    await world.serviceWasAsked('/container/12/user', 5)

    await world.restart()

    const result = await alice.sees('5 of 12 granted', general)
    expect(result.plain.match(/➖ p\d+@example.com: not sent/g)).toHaveLength(7)
    expect(result.plain).toContain('I was stopped before I got to the rest')
    await alice.presses('Try the rest again', result)
    await alice.sees('7 of 7 granted', general)
    expect(posts(world)).toHaveLength(12)
  })
})
