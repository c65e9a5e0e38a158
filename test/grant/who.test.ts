// `/grant who`: who is on a container, for whoever asked alone, and what can be pressed beside a name.
import { describe, expect, it } from 'vitest'
import type { NewMember } from '../../playground/monitor/people.ts'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { trailOf } from '../audit/read.ts'
import { aliceToken, bobToken, openWorld, puts, type World, type WorldOptions } from '../world.ts'
import { viewer } from './dave.ts'

const aliceThere = {
  email: 'alice@example.com',
  member: true,
  permissions: ['API', 'READ', 'CONTAINER_ACCESS'],
}
const daveThere = { email: 'dave@example.com', permissions: viewer }

async function openWith(people: readonly NewMember[], options?: WorldOptions): Promise<World> {
  const world = await openWorld(options)
  for (const one of people) world.service.addMember(12, one)
  return world
}

/** Alice asks who is there, and is answered so. */
async function hears({ alice, general }: World, words: string, typed = '12'): Promise<SeenMessage> {
  await alice.types(`/grant who ${typed}`, general)
  return alice.sees(words, general)
}

describe('/grant who', () => {
  it('lists everybody there for the asker alone: sensitive flags first, what each has, and who is marked', async () => {
    const world = await openWith([
      { ...daveThere, permissions: [...viewer, 'OF_TOMORROW'], mute: true },
      { email: 'ines.ito@example.com', permissions: viewer, inherit: true, member: true },
      { email: 'lea.lund@example.com', permissions: [], hidesEmail: true },
      { email: 'nils.nowak@example.com', permissions: [...viewer, 'WEBHOOKS'] },
      aliceThere,
    ])
    const { bob, general, ops, service } = world
    service.addInvitation(12, { email: 'new@example.com', permissions: viewer })

    const list = await hears(world, '5 people on Customer 1 (12)')
    expect(list.isEphemeral).toBe(true)
    expect(list.plain.split('\n')).toEqual([
      '5 people on Customer 1 (12) · others may be hidden',
      ...[
        'Alice Archer · alice@example.com',
        'CONTAINER_ACCESS, READ and API ⚠️',
        '[… Change… / Remove…]',
      ],
      ...['Nils Nowak · nils.nowak@example.com', 'Viewer and WEBHOOKS ⚠️', '[… Change… / Remove…]'],
      ...['Dave Doe · dave@example.com', 'Viewer and OF_TOMORROW · muted', '[… Change… / Remove…]'],
      ...['Ines Ito · ines.ito@example.com', 'Viewer · from a parent container'],
      ...['Lea Lund · address hidden', 'Dashboards only', '[… Change… / Remove…]'],
      ...['Invited: new@example.com, as Viewer', '[Withdraw invitation]'],
    ])
    await bob.doesNotSee('people on', general)
    await bob.doesNotSee('people on', ops)
    expect((await trailOf(world)).at(-1)).toMatchObject({
      act: 'look-up',
      containerId: 12,
      outcome: 'done',
    })
  })

  it('says until when somebody has it, or which part of it', async () => {
    const world = await openWith([
      { email: 'nils.nowak@example.com', permissions: viewer },
      { email: 'ines.ito@example.com', permissions: viewer },
      { email: 'lea.lund@example.com', permissions: [], member: true },
    ])
    const { alice, clock, general } = world
    const changes = async (typed: string, name: string) => {
      await alice.types(`/grant change 12 ${typed}`, general)
      await alice.presses('Change access', await alice.sees(`Change ${name} (`, general))
      await alice.sees(new RegExp(`✅ Changed: ${typed.split(' ')[0]}`), general)
    }
    await alice.types('/grant 12 dave@example.com viewer member for 4h', general)
    await alice.sees('✅ Granted', general)
    await changes('ines.ito@example.com member for 1h', 'Ines Ito')
    await changes('lea.lund@example.com +READ for 1h', 'Lea Lund')
    await changes('nils.nowak@example.com +WEBHOOKS,+BILLING for 1h', 'Nils Nowak')
    await changes('dave@example.com +API,+BILLING for 2h', 'Dave Doe')

    const { plain } = await hears(world, '4 people on Customer 1 (12)')
    const at = String.raw`until \d{4}-\d\d-\d\d \d\d:\d\d UTC`
    expect(plain).toMatch(
      new RegExp(`Dave Doe .*\nViewer and BILLING\n.*\nBILLING ${at} · Viewer ${at}\n`),
    )
    expect(plain).toMatch(new RegExp(`Nils Nowak .*\n.*\n.*\nWEBHOOKS and BILLING ${at}\n`))
    expect(plain).toMatch(new RegExp(`Ines Ito .*\n.*\n.*\nmembership ${at}\n`))
    expect(plain).toMatch(new RegExp(`Lea Lund .*\n.*\n.*\nREAD ${at}$`))
    clock.advance(2 * 3_600_000)
    await alice.sees('no longer has BILLING on', alice.dm)
    const alone = await hears(world, '1 of 4 people', '12 dave@example.com')
    expect(alone.plain).toMatch(new RegExp(`\\n${at}$`))
  })

  it.each([
    ['12 dave@example.com', '1 of 2 people on Customer 1 (12)', 'Dave Doe'],
    [
      '12 CONTAINER_ACCESS',
      '1 of 2 people on Customer 1 (12) with CONTAINER_ACCESS',
      'Alice Archer',
    ],
    ['12 viewer', '1 of 2 people on Customer 1 (12) with Viewer', 'Dave Doe'],
    ['"customer 1" container-access', 'with CONTAINER_ACCESS', 'Alice Archer'],
    ['12 purge_time_series', '0 of 2 people on Customer 1 (12) with PURGE_TIME_SERIES', ''],
  ])('of %s shows only them', async (typed, headline, name) => {
    const world = await openWith([aliceThere, daveThere])
    await hears(world, '2 people on')
    const { plain } = await hears(world, headline, typed)
    expect(plain).toContain(name)
    expect(plain.split('\n').length).toBeLessThan(5)
  })

  it('says who can’t be seen there, and that this is no proof', async () => {
    const world = await openWith([aliceThere])
    await hears(world, 'I can’t see dave@example.com on Customer 1 (12).', '12 dave@example.com')
  })

  it('shows twenty at a time, and how many there are', async () => {
    const many = Array.from({ length: 45 }, (_, at) => ({
      email: `p${at + 10}@example.com`,
      permissions: viewer,
    }))
    const world = await openWith(many)
    const { alice, general } = world
    const list = await hears(world, '45 people on Customer 1 (12) · 1 to 20 of 45')
    await alice.presses('Show more', list)
    await alice.presses('Show more', await alice.sees('21 to 40 of 45', general))
    const last = await alice.sees('41 to 45 of 45', general)
    expect(last.buttons).not.toContain('Show more')
    expect(alice.messages(general).filter(({ plain }) => plain.includes('45 people'))).toHaveLength(
      1,
    )
  })

  it('begins again where it has become shorter meanwhile', async () => {
    const many = Array.from({ length: 25 }, (_, at) => ({
      email: `p${at}@example.com`,
      id: 100 + at,
    }))
    const world = await openWith(many)
    const { alice, general, service } = world
    const list = await hears(world, '1 to 20 of 25')
    for (const { id } of many.slice(5)) service.removeMember(12, id)
    await alice.presses('Show more', list)
    expect((await alice.sees(/^5 people on/, general)).plain).toContain('p0@example.com')
  })

  it('shows invitations after all people, and how many there are', async () => {
    const world = await openWith([daveThere])
    const { alice, general, service } = world
    for (let at = 0; at < 25; at += 1)
      service.addInvitation(12, { email: `new${at}@example.com`, permissions: viewer })
    const list = await hears(world, '1 person on Customer 1 (12)')
    expect(list.plain).toContain('Invited: new18@example.com')
    await alice.presses('Show more', list)
    await alice.sees('1 person on Customer 1 (12) · 21 to 26 of 26', general)
  })

  it.each([
    [403, 'Your token lacks READ on container 12, so I can’t see who’s on it.'],
    [404, 'Monitoring knows no container 12, or doesn’t show you its people.'],
  ])('says why there is no list: %i', async (status, words) => {
    const world = await openWith([])
    world.service.trouble.answer(status, { only: 'GET' })
    await hears(world, words)
  })

  it('shows no invitations to whom monitoring shows none', async () => {
    const world = await openWith([daveThere])
    const { bob, general, service } = world
    service.addInvitation(12, { email: 'new@example.com' })
    await world.connect(bob, bobToken)
    await bob.types('/grant who 12', general)
    expect((await bob.sees('1 person on', general)).plain).not.toContain('new@')
  })

  it('goes on by itself once somebody has connected', async () => {
    const world = await openWith([aliceThere], { isAliceConnected: false })
    const { alice, general } = world
    await alice.types('/grant who 12', general)
    await alice.presses('Connect account', await alice.sees('To do this, I need', general))
    await alice.seesModal('Connect account')
    await alice.submits({ fields: { 'API token': aliceToken } })
    await alice.sees('1 person on Customer 1 (12)', general)
  })

  it('is not there with MONITOR_OPERATIONS=basic, nor asked for', async () => {
    const { alice, general, service } = await openWith([daveThere], {
      env: { MONITOR_OPERATIONS: 'basic' },
    })
    const timed = '12 dave@example.com READ for 4h'
    for (const line of [
      'who 12',
      'change 12 dave@example.com +READ',
      'remove 12 dave@example.com',
      timed,
    ]) {
      const { plain } = await alice.sees(
        'I can only give access here',
        (await alice.types(`/grant ${line}`, general)) && general,
      )
      expect(plain).toContain(`/grant ${line.slice(0, 3)}`)
    }
    await alice.types('/grant help', general)
    expect((await alice.sees('gives somebody access', general)).plain).not.toContain('who')
    expect(service.requests).toEqual([])
  })
})

describe('beside a name', () => {
  it('Change… opens the form with what they have; what is unticked is taken, and what Bellhop doesn’t know stays', async () => {
    const world = await openWith([
      { ...daveThere, permissions: [...viewer, 'WEBHOOKS', 'OF_TOMORROW'] },
    ])
    const { alice, general, service } = world
    await alice.types('/grant who 12 dave@example.com', general)
    await alice.presses('Change…', await alice.sees('Dave Doe', general))
    const form = await alice.seesModal('Change access')
    expect(form.plain).toContain('Dave Doe (dave@example.com) on Customer 1 (12)')
    await alice.submits({ fields: { Role: 'Responder' } })

    const question = await alice.sees(
      'Change Dave Doe (dave@example.com) on Customer 1 (12)?',
      general,
    )
    expect(question.plain).toContain('− WEBHOOKS ⚠️')
    await alice.presses('Change access', question)
    await alice.sees('✅ Changed: dave@example.com now has Responder and OF_TOMORROW', general)
    expect(service.membersOf(12)[0]?.permissions.toSorted()).toEqual(
      [
        ...viewer,
        'ALERT_ASSIGN',
        'ALERT_CHANGE',
        'RULE_EMAIL',
        'RULE_PHONE',
        'OF_TOMORROW',
      ].toSorted(),
    )
  })

  it('somebody whose address is hidden is called by name and number, in the audit trail too', async () => {
    const world = await openWith([
      { email: 'lea.lund@example.com', id: 20, hidesEmail: true, permissions: viewer },
    ])
    const { alice, general, service } = world
    await alice.types('/grant who 12', general)
    await alice.presses('Remove…', await alice.sees('Lea Lund · address hidden', general))
    await alice.presses(
      'Remove access',
      await alice.sees('Remove Lea Lund (user 20) from', general),
    )
    await alice.sees('✅ Removed: Lea Lund (user 20) is no longer on Customer 1 (12)', general)
    expect(service.membersOf(12)).toEqual([])
    const record = (await trailOf(world)).at(-1)
    expect(record).toMatchObject({ act: 'remove', personId: 20, had: viewer, has: [] })
    expect(record?.email).toBeUndefined()
  })

  it('an old menu of somebody who is gone says so', async () => {
    const world = await openWith([daveThere])
    const { alice, general, service } = world
    const list = await hears(world, 'Dave Doe')
    service.removeMember(12, 9)
    for (const label of ['Change…', 'Remove…']) {
      await alice.presses(label, list)
      await alice.sees('I can’t see dave@example.com on Customer 1 (12)', general)
    }
    expect(puts(world)).toEqual([])
  })

  it('Withdraw invitation is done once the list shows it no more', async () => {
    const world = await openWith([])
    const { alice, general, service } = world
    service.addInvitation(12, { email: 'new@example.com' })
    await alice.types('/grant who 12', general)
    await alice.presses(
      'Withdraw invitation',
      await alice.sees('Invited: new@example.com', general),
    )
    await alice.sees('✅ Withdrawn: the invitation of new@example.com to Customer 1 (12)', general)
    expect(service.invitationsOf(12)).toEqual([])
    expect((await trailOf(world)).at(-1)).toMatchObject({
      act: 'uninvite',
      email: 'new@example.com',
    })
  })
})
