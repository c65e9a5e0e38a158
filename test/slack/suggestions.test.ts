// Suggestions while somebody types: what Slack asks for with nearly every key, and what Bellhop makes of it.
import { describe, expect, it } from 'vitest'
import { interaction, send } from '../signed-request.ts'
import { openWorld, type World } from '../world.ts'
import { from } from './from.ts'

const typedWord = 'zebra-4711'

/** As Slack sends it for the form of `/grant`. */
function suggestion(world: World, more: object) {
  return {
    type: 'block_suggestion',
    ...from(world),
    container: { type: 'view', view_id: 'V1' },
    action_id: 'grant.container',
    block_id: 'container list',
    value: '12',
    ...more,
  }
}

async function asks(world: World, more: object = {}): Promise<unknown> {
  const answer = await send(world, interaction(suggestion(world, more)))
  expect(answer.status).toBe(200)
  return answer.json()
}

const option = (value: string) => ({
  text: { type: 'plain_text', text: value, emoji: false },
  value,
})
const nothing = { options: [] }

/** Lines of the log on requests of this kind. */
const handled = ({ log }: World) =>
  log.filter((line) => line.includes('"handled"') && line.includes('"block_suggestion"'))

describe('what is typed where Bellhop suggests', () => {
  it('is answered in the ack, and has one line in the log, without what was typed', async () => {
    const world = await openWorld()
    const calls = world.slack.calls.length

    expect(await asks(world)).toEqual({ options: [option('12')] })
    expect(await asks(world, { value: typedWord })).toEqual(nothing)
    await world.slack.idle()

    const lines = handled(world)
    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      kind: 'block_suggestion',
      name: 'grant.container',
      outcome: 'ok',
      user: world.alice.id,
      workspace: world.slack.teamId,
    })
    expect(world.log.join('\n')).not.toContain(typedWord)
    expect(world.slack.calls.slice(calls).map(({ method }) => method)).not.toContain(
      'chat.postMessage',
    )
    expect(world.service.requests.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('is answered by a socket as well', async () => {
    const world = await openWorld({ transport: 'socket' })
    const { alice, general } = world
    await alice.types('/grant', general)
    await alice.seesModal('Grant access')

    expect(await alice.suggest('Container', '12')).toEqual(['12'])
    expect(handled(world)).toHaveLength(1)
  })

  it('gets nothing for somebody of another organisation, who is told nothing', async () => {
    const world = await openWorld()
    const { slack, alice, general } = world
    const eve = slack.addPerson({ name: 'eve', teamId: 'T0OTHER01', email: 'eve@other.example' })
    const channel = slack.addChannel({ name: 'shared', members: [alice, eve], isShared: true })
    await alice.types('/grant 12 dave@example.com READ', general)
    await alice.sees('Granted', general)
    await slack.idle()
    const calls = slack.calls.length
    const user = { id: eve.id, username: 'eve', team_id: 'T0OTHER01' }

    expect(await asks(world, { user, channel: { id: channel.id, name: 'shared' } })).toEqual(
      nothing,
    )
    expect(await asks(world, { user, value: '' })).toEqual(nothing)
    await slack.idle()

    const said = slack.calls.slice(calls).filter(({ method }) => method !== 'users.info')
    expect(said).toEqual([])
  })

  it('takes nothing of what a person may ask in a minute', async () => {
    const world = await openWorld({ env: { RATE_PER_MINUTE: '2' } })
    const { alice, clock, general, slack } = world
    clock.advance(60_000)
    for (let times = 0; times < 9; times += 1)
      expect(await asks(world)).toEqual({ options: [option('12')] })

    await alice.types('/grant 12 dave@example.com READ', general)

    await alice.sees('Granted', general)
    await slack.idle()
    expect(
      alice.messages(general).filter(({ plain }) => plain.includes('a minute from each')),
    ).toEqual([])
  })
})
