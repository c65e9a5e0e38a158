// Somebody who got access hears of it: in a direct message, once, who gave it and where; nothing else.
import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import { asked, line, openColleagues } from '../approval/colleagues.ts'
import { diskFull, openWorld, type World, type WorldOptions } from '../world.ts'
import { daveIs, grantsOn, viewerWish } from './dave.ts'

interface WithDave extends World {
  /** Gets access. In this Slack he has written his address in another case. */
  readonly dave: Person
}

async function openWithDave(options: WorldOptions = {}): Promise<WithDave> {
  const world = await openWorld(options)
  const dave = world.slack.addPerson({
    name: 'dave',
    realName: 'Dave Diver',
    email: 'Dave@Example.com',
  })
  return { ...world, dave }
}

const said = (person: Person) => person.messages(person.dm).map(({ plain }) => plain)
/** What Bellhop tried to write to them alone, whether Slack took it or not. */
const triedToTell = ({ slack }: World, { id, dm }: Person) =>
  slack.calls.filter(
    ({ method, args }) =>
      method === 'chat.postMessage' && [id, dm.id].includes(String(args.channel)),
  )
const lookUps = ({ slack }: World) =>
  slack.calls.filter(({ method }) => method === 'users.lookupByEmail')

/** Alice has granted it, and everything that follows is done. */
async function grants({ alice, general, slack }: World, typed = line): Promise<void> {
  await alice.types(typed, general)
  await alice.sees(/Granted|granted/, general)
  await slack.idle(50)
}

describe('somebody who got access', () => {
  it('is told who gave it, on which container and where to begin; no flags', async () => {
    const world = await openWithDave()
    const { dave, alice, bob } = world
    // Their token has shown the container's name since.
    await grants(world, '/grant 12 alice@example.com viewer')

    await grants(world)

    const notice = await dave.sees('gave you access', dave.dm)
    expect(notice.plain).toBe(
      '@alice (Alice Archer) gave you access to Customer 1 (12) in monitoring. To look up its alerts in Slack, type /alert help.',
    )
    expect(notice.pings).toEqual([])
    for (const person of [alice, bob]) expect(said(person)).toEqual([])
  })

  it('for an alert whose card others read is led to its thread', async () => {
    const { alice, dave, general, service, slack } = await openWithDave()
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('Disk full', general)
    await slack.idle()
    await grantsOn(alice, card, viewerWish)

    const notice = await dave.sees('gave you access', dave.dm)
    expect(notice.plain).toMatch(/in monitoring until .* UTC\. See the alert it’s for\.$/)
    expect(notice.text).toContain(`/p${card.ts.replace('.', '')}|`)
  })

  it.each(['+BILLING,-READ', '+BILLING member'])(
    'is told that it was changed where something was given: %s',
    async (typed) => {
      const world = await openWithDave()
      const { alice, dave, general, slack } = world
      daveIs(world, { permissions: ['READ', 'API'] })
      await alice.types(`/grant change 12 dave@example.com ${typed}`, general)
      await alice.presses('Change access', await alice.sees('[Change access]', general))
      await slack.idle()
      await dave.sees('changed your access to Customer 1 (12) in monitoring. To', dave.dm)
    },
  )

  it('is told by whose token it was, where a colleague approved it, without the reason', async () => {
    const world = await openColleagues()
    const { carol, dave, bob, slack } = world
    await carol.presses('Approve', await asked(world))
    await bob.sees('Granted by carol', bob.dm)
    await slack.idle(50)
    expect(said(dave)).toEqual([
      expect.stringMatching(/^@carol \(Carol Cook\) gave you access to container 12/),
    ])
    expect(said(dave).join()).not.toMatch(/on call|READ|Viewer|bob/i)
  })
})

describe('nobody is told', () => {
  it('who gave it to themselves', async () => {
    const world = await openWorld()
    await grants(world, '/grant 12 alice@example.com viewer')
    expect(said(world.alice)).toEqual([])
  })

  it.each([
    ['a guest', { isGuest: true }],
    ['somebody who is deactivated', { isDeleted: true }],
    ['somebody of another organisation', { teamId: 'T0ELSEWHERE' }],
    ['a bot', { isBot: true }],
  ])('who is no full member here: %s', async (_, changes) => {
    const world = await openWorld()
    const dave = world.slack.addPerson({ name: 'dave', email: 'dave@example.com', ...changes })
    await grants(world)
    expect(triedToTell(world, dave)).toEqual([])
  })

  it.each([
    ['refused', 400, 'Not granted'],
    ['not certain', 500, 'Not certain'],
  ])('of a grant that was %s', async (_, status, heading) => {
    const world = await openWithDave()
    const { alice, general, dave, service, slack } = world
    service.trouble.answer(status, { only: 'POST', times: 1 })
    await alice.types(line, general)
    await alice.sees(heading, general)
    await slack.idle(50)
    expect(said(dave)).toEqual([])
    expect(lookUps(world)).toEqual([])
  })

  it('of a grant that got no answer, where monitoring lists them and doesn’t say who added them', async () => {
    const world = await openWithDave()
    const { alice, general, dave, service, slack } = world
    service.trouble.cut({ when: 'after-effect', only: 'POST', times: 1 })
    await alice.types(line, general)
    await alice.sees('doesn’t say who added them', general)
    await slack.idle(50)
    expect(said(dave)).toEqual([])
  })
})

describe('somebody whose giver can’t be told for minutes', () => {
  it('is told once', async () => {
    const world = await openWithDave()
    world.expectRefusals()
    const { alice, dave, general, clock, slack } = world
    slack.trouble.fail('response_url', { status: 500 }, { times: 9 })
    slack.trouble.fail('chat.postEphemeral', { error: 'fatal_error' }, { times: 9 })
    slack.trouble.fail('chat.postMessage', { error: 'fatal_error' }, { times: 99 })
    await alice.types(line, general)
    await slack.idle(50)
    for (let late = 1; late <= 3; late += 1) {
      const before = triedToTell(world, alice).length
      clock.advance(400_000)
      await expect.poll(() => triedToTell(world, alice).length).toBeGreaterThan(before)
      await slack.idle(50)
    }
    expect(triedToTell(world, dave)).toHaveLength(1)
  })
})

describe('a notice that Slack does not take', () => {
  it.each(['users.lookupByEmail', 'chat.postMessage'])(
    'is given up, and the grant is not: %s',
    async (method) => {
      const world = await openWithDave()
      world.expectRefusals()
      world.slack.trouble.fail(method, { error: 'fatal_error' }, { times: 1 })
      await grants(world)
      await world.slack.idle(50)
      expect(said(world.dave)).toEqual([])
      expect(world.log.join()).toContain('somebody who got access could not be told')
    },
  )
})
