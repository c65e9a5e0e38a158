// Requests that are signed, and nothing of Bellhop's listens to: another app's, or another version's.
import { expect, it } from 'vitest'
import { type Forged, interaction, send } from '../signed-request.ts'
import { openWorld, type World } from '../world.ts'
import { from } from './from.ts'

const forge = (world: World, payload: object) => {
  const channel = { id: world.general.id }
  return interaction({ ...from(world), channel, trigger_id: '1.2.3', ...payload })
}

it.each<[string, (world: World) => Forged]>([
  [
    'a press of another version’s button',
    (world) =>
      forge(world, { type: 'block_actions', actions: [{ type: 'button', action_id: 'x' }] }),
  ],
  ['an unknown shortcut', (world) => forge(world, { type: 'shortcut', callback_id: 'x' })],
  [
    'a command of another app',
    ({ slack, alice, general }) => ({
      body: new URLSearchParams({
        command: '/x',
        team_id: slack.teamId,
        user_id: alice.id,
        channel_id: general.id,
        text: '5HkX',
      }).toString(),
    }),
  ],
])('nothing is done for %s', async (_what, forged) => {
  const world = await openWorld()
  const { service, slack } = world
  await slack.idle()
  const counts = () => [service.requests.length, slack.calls.length]
  const before = counts()

  expect((await send(world, forged(world))).status).toBe(404)

  await slack.idle()
  expect(counts()).toEqual(before)
})
