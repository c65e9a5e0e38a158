// Names on a card: people are called as their colleagues know them, not by the handle that payloads carry.
import { describe, expect, it } from 'vitest'
import type { NewPerson, SlackOptions } from '../../playground/slack/options.ts'
import { diskFull, openWorld } from '../world.ts'

const daveSmith = { name: 'dave.smith', realName: 'David Smith', email: 'dave@example.com' }

async function openWithDave(changes: Partial<NewPerson> = {}, slack: SlackOptions = {}) {
  const world = await openWorld({ slack })
  const dave = world.slack.addPerson({ ...daveSmith, ...changes })
  world.general.members.add(dave.id)
  world.service.addToken({ token: 'dave-token', name: 'dave', flags: ['API', 'READ'] })
  world.service.addAlert(diskFull)
  const asked = () =>
    world.slack.calls.filter(({ method, args }) => method === 'users.info' && args.user === dave.id)
      .length
  return { ...world, world, dave, asked }
}

describe('a card', () => {
  it.each<readonly [string, Partial<NewPerson>, string]>([
    ['the display name', { displayName: 'Dave S.' }, 'asked by Dave S.'],
    ['the full name of somebody without one', { displayName: '' }, 'asked by David Smith'],
    [
      'a name that would ping, harmlessly',
      { displayName: '<!channel> & co' },
      'asked by <!channel> & co',
    ],
    ['a name without what turns the line around', { displayName: '\u202eevaD\n' }, 'asked by evaD'],
    [
      'the same where it is blank in another way',
      { displayName: '\u200b\u2800' },
      'asked by David Smith',
    ],
  ])('says %s', async (_what, changes, words) => {
    const { world, alice, dave, general } = await openWithDave(changes)
    await world.connect(dave, 'dave-token')

    await dave.types('/alert 5HkX', general)

    const card = await alice.sees('Disk full', general)
    expect(card.plain).toContain(words)
    expect(card.pings).toEqual([])
  })

  it('costs one question an hour to Slack for each person', async () => {
    const { world, dave, general, clock, slack, asked } = await openWithDave({
      displayName: 'Dave S.',
    })
    await world.connect(dave, 'dave-token')
    for (let index = 0; index < 3; index += 1) await dave.types('/alert 5HkX', general)
    await slack.idle()
    expect(asked()).toBe(1)

    clock.advance(60 * 60_000 + 1)
    await dave.types('/alert 5HkX', general)
    await slack.idle()

    expect(asked()).toBe(2)
  })

  it('says the handle where Bellhop may not see people', async () => {
    const botScopes = ['commands', 'chat:write', 'chat:write.public']
    const { world, alice, dave, general } = await openWithDave(
      { displayName: 'Dave S.' },
      { botScopes, botEvents: [] },
    )
    world.expectRefusals()
    await world.connect(dave, 'dave-token')

    await dave.types('/alert 5HkX', general)

    expect((await alice.sees('Disk full', general)).plain).toContain('asked by dave.smith')
  })

  it('does not wait for a Slack that thinks', async () => {
    const { world, alice, dave, general, slack } = await openWithDave({ displayName: 'Dave S.' })
    slack.trouble.slow('users.info', 5_000)
    await world.connect(dave, 'dave-token')

    await dave.types('/alert 5HkX', general)

    expect((await alice.sees('Disk full', general)).plain).toContain('asked by dave.smith')
  })
})

describe('a request for approval', () => {
  it('says by the handle who asks, as anybody can take a colleague’s name', async () => {
    const { world, alice, dave, general } = await openWithDave({ displayName: 'Bob Baker' })
    await world.connect(dave, 'dave-token')
    await dave.types('/grant 12 bob@example.com viewer', general)
    await dave.presses('Ask for approval', await dave.sees('Ask for approval', general))
    await dave.seesModal('Ask for approval')

    await dave.submits({ fields: { Reason: 'on call' } })

    const card = await alice.sees('on call', general)
    expect(card.plain).toContain('@dave.smith (Bob Baker) asks')
  })
})
