// Whoever has to hear of an end does, though Slack is away in that minute; and whoever has heard doesn’t hear it again.
import { expect, it } from 'vitest'
import { openColleagues } from '../approval/colleagues.ts'
import { aliceToken } from '../world.ts'
import { gives, hourMs, minuteMs } from './given.ts'

const away = { times: Number.POSITIVE_INFINITY } as const

async function given() {
  const world = await openColleagues()
  world.expectRefusals()
  await gives(world)
  return world
}

it('a warning reaches whoever Slack didn’t tell the first time, and nobody else twice', async () => {
  const { alice, dave, clock, slack } = await given()
  const isDaves = ({ channel }: { readonly channel?: unknown }) =>
    channel === dave.id || channel === dave.dm.id
  const down = slack.trouble.fail('chat.postMessage', { status: 500 }, { ...away, only: isDaves })
  clock.advance(4 * hourMs - 14 * minuteMs)
  await alice.sees('dave@example.com has Viewer on', alice.dm)
  await slack.idle(300)
  down.cancel()
  clock.advance(2 * minuteMs)
  await dave.sees('Your Viewer on', dave.dm)
  await slack.idle(100)
  expect(alice.messages(alice.dm)).toHaveLength(1)
})

it('that it is still there is said at the next try, where nobody could be told', async () => {
  const { alice, clock, service, slack } = await given()
  service.revoke(aliceToken)
  const down = slack.trouble.fail('chat.postMessage', { status: 500 }, away)
  clock.advance(4 * hourMs)
  await slack.idle(300)
  down.cancel()
  clock.advance(2 * minuteMs)
  await alice.sees('⚠️ dave@example.com still has Viewer on', alice.dm)
})
