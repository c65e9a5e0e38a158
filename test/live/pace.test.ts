// Many things at once: Slack is asked for one message a second in a channel, and nothing is lost by that.
import { describe, expect, it } from 'vitest'
import { SlackError } from '../../src/slack/client.ts'
import { createPace } from '../../src/slack/pace.ts'
import { openWorld } from '../world.ts'
import { comment, diskFull, liveCard, passes, repliesWith } from './live.ts'

/** A clock that moves only when somebody waits. */
function startClock() {
  let now = 0
  return {
    now: () => now,
    async wait(ms: number) {
      await Promise.resolve()
      now += ms
    },
  }
}

describe('Slack asking to wait', () => {
  it('is heeded for all channels: nothing is sent until then', async () => {
    const clock = startClock()
    const pace = createPace(clock.now, clock.wait)
    await expect(
      pace.inTurn('C1', () =>
        Promise.reject(new SlackError('chat.postMessage', { waitSeconds: 30 })),
      ),
    ).rejects.toThrow('30 s')
    let sent = 0

    await expect(pace.inTurn('C2', async () => ++sent)).rejects.toThrow('wait')
    expect(sent).toBe(0)
    await clock.wait(30_000)
    await pace.inTurn('C2', async () => ++sent)
    expect(sent).toBe(1)
  })

  it('with updates holds up no message, and with messages no update', async () => {
    const world = await openWorld()
    world.expectRefusals()
    const { alice, service, slack, general } = world
    const alert = service.addAlert(diskFull)
    const card = await liveCard(world)
    await slack.idle()
    slack.trouble.rateLimit('chat.update', { retryAfterSeconds: 500, times: 1 })
    alert.hit({ message: 'Disk fuller' })
    await passes(world)
    await slack.idle(100)
    alert.act(comment('told though the card cannot be drawn'))
    await passes(world)
    await alice.sees('told though', card)
    expect(card.plain).not.toContain('Disk fuller')

    await passes(world, 500_000)
    await alice.sees('Disk fuller', general)
    await slack.idle(100)
    slack.trouble.rateLimit('chat.postMessage', { retryAfterSeconds: 500, times: 1 })
    alert.act(comment('told later', 1_700_000_200))
    await passes(world)
    await slack.idle(100)
    alert.hit({ message: 'Disk full to the brim' })
    await passes(world)
    await alice.sees('Disk full to the brim', general)
    expect(repliesWith(card, 'told later')).toEqual([])
    await passes(world, 500_000)
    await alice.sees('told later', card)
  })
})
