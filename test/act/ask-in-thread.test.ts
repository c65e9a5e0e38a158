// “Ask in thread” on a verdict that names a missing flag: one line for colleagues, and nothing that was read.
import { describe, expect, it } from 'vitest'
import type { Channel } from '../../playground/slack/model/model.ts'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { bobToken, openWorld, type World } from '../world.ts'
import { aliceCard, closesOn, diskFull, withAlert } from './on-card.ts'

/** Bob, who may only read, has tried to close the alert from Alice’s card. */
async function refused(
  world: World,
  channel: Channel = world.general,
  text = 'It was the rotation.',
): Promise<SeenMessage> {
  const { bob, service } = world
  service.addAlert(diskFull)
  await world.connect(bob, bobToken)
  await aliceCard(world, '/alert 5HkX', channel)
  await closesOn(await bob.sees('Disk full', channel), bob, text)
  return bob.sees('Not done: your token lacks ALERT_CHANGE', channel)
}

const label = 'Ask in thread'

describe('Ask in thread', () => {
  it('says who needs which flag for what, pings nobody, and offers Grant access', async () => {
    const world = await openWorld()
    const { alice, bob, general } = world
    const told = await refused(world)
    expect(told.isEphemeral).toBe(true)
    expect(told.plain).toContain('It was the rotation.')

    await bob.presses(label, told)

    const card = await alice.sees('Disk full', general)
    const line = await alice.sees(
      'bob needs ALERT_CHANGE on this alert’s container to close the alert.',
      card,
    )
    expect(line.plain).toContain('Somebody with CONTAINER_ACCESS there can grant that.')
    expect(line.plain).not.toContain('rotation')
    expect(line.pings).toEqual([])
    await bob.sees('You have asked in the alert’s thread.', general)
    await alice.presses('Grant access', line)
    await alice.seesModal('Grant access')
    await expect
      .poll(() => alice.modal?.values)
      .toMatchObject({ Email: 'bob@example.com', Role: 'Custom' })
    expect(alice.modal?.values.Member).toBe('Alerts can be assigned to them')
    expect(alice.modal?.values.Alerts).toBe('Comment on alerts and close them')
    await alice.submits({ fields: { Container: '12' } })
    await bob.sees('✅ Granted by alice: bob needed', card)
  })

  it('leads a colleague to what would change, where whoever asks is on the container already', async () => {
    const world = await openWorld()
    const { alice, bob, general, service, slack } = world
    service.addMember(12, { email: 'bob@example.com', permissions: ['READ', 'API'] })
    // Her token has shown the container since.
    await alice.types('/grant 12 alice@example.com viewer', general)
    service.addAlert(diskFull)
    await world.connect(bob, bobToken)
    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('Disk full', general)
    await slack.idle()
    await bob.presses('Close alert', card)
    await bob.presses(label, await bob.sees('⛔', general))
    await bob.types('/alert 5HkX', general)
    const other = await alice.sees('asked by bob', general)
    await slack.idle()
    // His own card tells no container, so that monitoring refuses it.
    await closesOn(other, bob)
    await bob.presses(label, await bob.sees('⛔ Not done', general))

    const line = await alice.sees('bob needs ALERT_CHANGE', card)
    await alice.presses('Grant access', line)
    const question = await alice.sees(
      'Change Bob Baker (bob@example.com) on Customer 1 (12)?\nREAD and API → READ, ALERT_CHANGE and API\n+ ALERT_CHANGE, member\n',
      card,
    )
    await alice.presses('Change access', question)

    const receipt = await bob.sees(
      '✅ Changed: bob@example.com on Customer 1 (12) · + ALERT_CHANGE, member\n',
      card,
    )
    expect(receipt.plain).toContain(
      'requested by bob, granted by alice, for alert “Disk full” (5HkX)',
    )
    await bob.sees('✅ Granted by alice: bob needed ALERT_CHANGE on this alert’s container', card)
    expect(line.buttons).toEqual([])
    await slack.idle()
    expect(question.plain).toContain('✅ Changed: bob@example.com')
    expect(
      service.membersOf(12).find(({ email }) => email === 'bob@example.com')?.permissions,
    ).toEqual(['READ', 'API', 'ALERT_CHANGE'])
    expect(service.requests.filter(({ method }) => method === 'PUT').at(-1)?.path).toMatch(
      '/container/12/user/',
    )

    // He has asked below another card, too.
    await alice.presses('Grant access', await alice.sees('bob needs ALERT_CHANGE', other))
    await alice.sees(
      'bob@example.com already has all of that on Customer 1 (12). Nothing was sent.',
      other,
    )
    expect(alice.modal).toBeUndefined()
  })

  it('asks once for each person and card', async () => {
    const world = await openWorld()
    const { alice, bob, general, slack } = world
    const told = await refused(world)
    await Promise.all([bob.presses(label, told), bob.presses(label, told)])
    const heard = () =>
      bob.messages(general).filter(({ plain }) => plain.includes('You have asked'))
    await expect.poll(heard).toHaveLength(2)
    await slack.idle()
    const card = await alice.sees('Disk full', general)
    expect(card.thread.filter(({ plain }) => plain.includes('bob needs'))).toHaveLength(1)
  })

  it('is not offered where another organisation reads, and refused once one does', async () => {
    const world = await openWorld()
    const { alice, bob, general, slack } = world
    const told = await refused(world)
    general.isShared = true
    await bob.presses(label, told)
    await bob.sees('I can’t ask there', general)
    const shared = slack.addChannel({
      name: 'both',
      members: [alice, bob],
      botIsMember: true,
      isShared: true,
    })
    expect((await refused(world, shared, 'again')).plain).not.toContain(label)
    expect(slack.calls.filter(({ args }) => String(args.text).includes('bob needs'))).toEqual([])
  })

  it('is not answered once another organisation reads', async () => {
    const world = await openWorld()
    const { alice, bob, clock, general, slack } = world
    await bob.presses(label, await refused(world))
    const card = await alice.sees('Disk full', general)
    const line = await alice.sees('bob needs ALERT_CHANGE', card)
    await alice.presses('Grant access', line)
    await alice.seesModal('Grant access')
    clock.advance(61_000)
    general.isShared = true
    await alice.submits({ fields: { Container: '12' } })
    await alice.sees('✅ Granted: bob@example.com', card)
    await slack.idle()
    expect(line.plain).toMatch(/^bob needs ALERT_CHANGE/)
  })

  it('is not offered on a card that nobody else sees, nor by line', async () => {
    const { world, bob, general } = await withAlert()
    await world.connect(bob, bobToken)
    await bob.types('/alert close 5HkX', general)
    expect((await bob.sees('Not done', general)).plain).not.toContain(label)
    await bob.types('/alert 5HkX', bob.dm)
    await closesOn(await bob.sees('Disk full', bob.dm), bob, 'again')
    expect((await bob.sees('Not done', bob.dm)).plain).not.toContain(label)
  })
})
