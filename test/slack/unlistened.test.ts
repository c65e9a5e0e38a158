// Requests that are signed, and nothing of Bellhop's listens to: another app's, or another version's.
import { describe, expect, it } from 'vitest'
import { type Forged, interaction, send } from '../signed-request.ts'
import { openWorld, type World } from '../world.ts'

type Forge = (from: {
  readonly team: object
  readonly user: object
  readonly channel: object
}) => object

const interactions: readonly (readonly [string, Forge])[] = [
  [
    'a press of another version’s button',
    (from) => ({ ...from, type: 'block_actions', actions: [{ type: 'button', action_id: 'x' }] }),
  ],
  ['an unknown shortcut', (from) => ({ ...from, type: 'shortcut', callback_id: 'x' })],
]

const from = ({ slack, alice, general }: World) => ({
  team: { id: slack.teamId },
  user: { id: alice.id, username: 'alice', team_id: slack.teamId },
  channel: { id: general.id },
  trigger_id: '1.2.3',
})

async function isLeftAlone(world: World, forged: Forged): Promise<void> {
  const { service, slack } = world
  await slack.idle()
  const before = { requests: service.requests.length, calls: slack.calls.length }
  expect((await send(world, forged)).status).toBe(404)
  await slack.idle()
  expect({ requests: service.requests.length, calls: slack.calls.length }).toEqual(before)
}

describe('nothing is done for', () => {
  it.each(interactions)('%s', async (_what, forge) => {
    const world = await openWorld()
    await isLeftAlone(world, interaction(forge(from(world))))
  })

  it('a command of another app', async () => {
    const world = await openWorld()
    const { slack, alice, general } = world
    const fields = {
      command: '/x',
      team_id: slack.teamId,
      user_id: alice.id,
      channel_id: general.id,
    }
    await isLeftAlone(world, { body: new URLSearchParams({ ...fields, text: '5HkX' }).toString() })
  })
})
