// A reason that the service gives for a refusal: for whose token it was alone, and nowhere else.
import { describe, expect, it } from 'vitest'
import { asksOn, beginsToAsk, openColleagues } from '../approval/colleagues.ts'
import { aliceToken, bobToken, openWorld } from '../world.ts'
import { aliceLooksUp, grantsOn, viewerWish } from './dave.ts'
import { openSeveral } from './several-world.ts'

const line = '/grant 12 erin@example.com viewer'
const reason = 'erin@example.com exists twice: say <!channel> which'

describe('a reason of the service', () => {
  it('is shown to the asker, in place of guesses', async () => {
    const { alice, general, service } = await openWorld()
    service.trouble.answer(400, { only: 'POST', body: { message: reason } })

    await alice.types(line, general)

    const receipt = await alice.sees('⛔ Not granted: I can’t see erin@example.com on', general)
    expect(receipt.isEphemeral).toBe(true)
    expect(receipt.plain).toContain(`Monitoring says of erin@example.com: “${reason}”`)
    expect(receipt.plain).not.toContain('may not know')
    expect(receipt.text).toContain('say &lt;!channel&gt; which')
    expect(receipt.buttons).toEqual(['Edit and try again', 'Invite by email'])
  })

  it('is one short line without tokens', async () => {
    const { alice, general, service } = await openWorld()
    const body = `${'very long '.repeat(100)}\n${aliceToken}`
    service.trouble.answer(403, {
      only: 'POST',
      body: `token ${aliceToken}\n0123456789abcdef0123456789abcdef ${body}`,
    })

    await alice.types(line, general)

    const { plain } = await alice.sees('Not granted', general)
    const [said = ''] = /Monitoring says of .*: “.*”/.exec(plain) ?? []
    expect(said.length).toBeLessThan(250)
    expect(said).toContain('…')
    expect(plain).not.toContain(aliceToken)
    expect(plain).not.toContain('0123456789abcdef')
  })

  it('stands behind each address of several', async () => {
    const { world, line: several } = await openSeveral(3)
    const { alice, bob, general, service } = world
    service.trouble.answer(400, { only: 'POST', times: 1, body: 'is on the container' })
    await alice.types(several, general)

    const result = await alice.sees('2 of 3 granted', general)
    expect(result.plain).toContain('Monitoring says of p1@example.com: “is on the container”')
    expect(result.plain).not.toContain('may not know')
    await alice.presses('Share in channel', result)

    const shared = await bob.sees('2 of 3 granted', general)
    expect(shared.plain).not.toContain('is on the container')
    expect(shared.plain).toContain('p1@example.com: monitoring says no')
  })

  it('is kept from the thread of an alert, the audit channel, the database and the log', async () => {
    const world = await openWorld()
    const { alice, bob, general, service, slack } = world
    const audit = slack.addChannel({ name: 'audit-log', members: [alice, bob], botIsMember: true })
    await world.restart({ AUDIT_CHANNEL: audit.id })
    await world.connect(bob, bobToken)
    await aliceLooksUp(world)
    const card = await bob.sees('Disk full', general)
    service.trouble.answer(400, { only: 'POST', body: { error: 'a reason like no other' } })
    await grantsOn(bob, card, viewerWish)

    const own = await bob.sees('a reason like no other', card)
    expect(own.isEphemeral).toBe(true)
    await alice.sees('Not granted', await alice.sees('Disk full', general))
    await alice.sees('Not granted (monitoring says no)', audit)
    await slack.idle()
    await alice.doesNotSee('no other', general)
    await alice.doesNotSee('no other', audit)
    expect(world.log.join('')).not.toContain('no other')
    expect(world.databaseBytes().includes('no other')).toBe(false)
  })

  it('is told to the approver, whose token it was, behind each address of several', async () => {
    const world = await openColleagues()
    const { bob, carol, general, service } = world
    const approves = async (people: string, why: string, status: number, body: string) => {
      await bob.types(`/grant 12 ${people} READ`, general)
      const [last = ''] = people.split(',').toReversed()
      await asksOn(bob, await bob.sees(last, general), { Reason: why })
      const card = await carol.sees(why, general)
      service.trouble.answer(status, { only: 'POST', times: people.split(',').length, body })
      await carol.presses('Approve', card)
    }
    await approves('dave@example.com', 'On call.', 400, reason)
    const told = await carol.sees(`Monitoring says of dave@example.com: “${reason}”`, general)
    expect(told.isEphemeral).toBe(true)
    expect(told.text).toContain('say &lt;!channel&gt; which')

    await approves('erin@example.com,grace@example.com', 'On call too.', 400, 'is on the container')
    const several = await carol.sees('erin@example.com: “is on the container”', general)
    expect(several.plain).toContain('grace@example.com: “is on the container”')

    await approves('heidi@example.com', 'A third.', 403, 'you lack WEBHOOKS yourself')
    const open = await carol.sees('Monitoring says of heidi', general)
    expect(open.plain).toContain(
      'Monitoring says of heidi@example.com: “you lack WEBHOOKS yourself”',
    )
  })

  it('is told to the approver alone, also on a card that Slack has posted twice', async () => {
    const world = await openColleagues({ lateMs: 50 })
    const { alice, bob, carol, dave, general, service, slack } = world
    world.expectRefusals()
    await beginsToAsk(bob, general)
    slack.trouble.cut('chat.postMessage', { takesEffect: true })
    await bob.submits({ fields: { Reason: 'On call.' } })
    await bob.sees('as soon as Slack accepts it', general)
    await expect.poll(() => carol.messages(general)).toHaveLength(2)
    await slack.idle()
    const [first] = carol.messages(general)
    if (first === undefined) throw new Error('there is no card')
    service.trouble.answer(400, { only: 'POST', body: 'a reason like no other' })

    await carol.presses('Approve', first)

    const told = await carol.sees('a reason like no other', general)
    expect(told.isEphemeral).toBe(true)
    await carol.sees('The request stays open.', general)
    await slack.idle()
    for (const one of [alice, bob, dave].map((person) => person.screen(general)))
      expect(one).not.toContain('no other')
    expect(bob.screen(bob.dm)).not.toContain('no other')
    for (const card of carol.messages(general).filter(({ isEphemeral }) => !isEphemeral))
      expect(card.plain).not.toContain('no other')
  })
})
