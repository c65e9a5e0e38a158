// `/grant who`: who is on a container, for whoever asked alone, and what can be pressed beside a name.
import { describe, expect, it } from 'vitest'
import type { NewMember } from '../../playground/monitor/people.ts'
import { trailOf } from '../audit/read.ts'
import { aliceToken, bobToken, openWorld, puts, type World, type WorldOptions } from '../world.ts'

const viewer = ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG']
const alice = {
  email: 'alice@example.com',
  member: true,
  permissions: ['API', 'READ', 'CONTAINER_ACCESS'],
}
const dave = { email: 'dave@example.com', permissions: viewer }

async function openWith(people: readonly NewMember[], options?: WorldOptions): Promise<World> {
  const world = await openWorld(options)
  for (const one of people) world.service.addMember(12, one)
  return world
}

describe('/grant who', () => {
  it('lists everybody there for the asker alone: sensitive flags first, what each has, and who is marked', async () => {
    const world = await openWith([
      { ...dave, permissions: [...viewer, 'OF_TOMORROW'], mute: true },
      { email: 'ines.ito@example.com', permissions: viewer, inherit: true, member: true },
      { email: 'lea.lund@example.com', permissions: [], hidesEmail: true },
      { email: 'nils.nowak@example.com', permissions: [...viewer, 'WEBHOOKS'] },
      alice,
    ])
    const { general, ops, service } = world
    service.addInvitation(12, { email: 'new@example.com', permissions: viewer })

    await world.alice.types('/grant who 12', general)

    const list = await world.alice.sees('5 people on Customer 1 (12)', general)
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
    await world.bob.doesNotSee('people on', general)
    await world.bob.doesNotSee('people on', ops)
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
    const { general, clock } = world
    const changes = async (typed: string, name: string) => {
      await world.alice.types(`/grant change 12 ${typed}`, general)
      await world.alice.presses(
        'Change access',
        await world.alice.sees(`Change ${name} (`, general),
      )
      await world.alice.sees(new RegExp(`✅ Changed: ${typed.split(' ')[0]}`), general)
    }
    await world.alice.types('/grant 12 dave@example.com viewer member for 4h', general)
    await world.alice.sees('✅ Granted', general)
    await changes('ines.ito@example.com member for 1h', 'Ines Ito')
    await changes('lea.lund@example.com +READ for 1h', 'Lea Lund')
    await changes('nils.nowak@example.com +WEBHOOKS,+BILLING for 1h', 'Nils Nowak')
    await changes('dave@example.com +API,+BILLING for 2h', 'Dave Doe')

    await world.alice.types('/grant who 12', general)

    const { plain } = await world.alice.sees('4 people on Customer 1 (12)', general)
    const at = String.raw`until \d{4}-\d\d-\d\d \d\d:\d\d UTC`
    expect(plain).toMatch(
      new RegExp(`Dave Doe .*\nViewer and BILLING\n.*\nBILLING ${at} · Viewer ${at}\n`),
    )
    expect(plain).toMatch(new RegExp(`Nils Nowak .*\n.*\n.*\nWEBHOOKS and BILLING ${at}\n`))
    expect(plain).toMatch(new RegExp(`Ines Ito .*\n.*\n.*\nmembership ${at}\n`))
    expect(plain).toMatch(new RegExp(`Lea Lund .*\n.*\n.*\nREAD ${at}$`))
    clock.advance(2 * 3_600_000)
    await world.alice.sees('no longer has BILLING on', world.alice.dm)
    await world.alice.types('/grant who 12 dave@example.com', general)
    const alone = await world.alice.sees('1 of 4 people', general)
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
    const world = await openWith([alice, dave])
    await world.alice.types('/grant who 12', world.general)
    await world.alice.sees('2 people on', world.general)
    await world.alice.types(`/grant who ${typed}`, world.general)
    const { plain } = await world.alice.sees(headline, world.general)
    expect(plain).toContain(name)
    expect(plain.split('\n').length).toBeLessThan(5)
  })

  it('says who can’t be seen there, and that this is no proof', async () => {
    const world = await openWith([alice])
    await world.alice.types('/grant who 12 dave@example.com', world.general)
    await world.alice.sees('I can’t see dave@example.com on Customer 1 (12).', world.general)
  })

  it('shows twenty at a time, and how many there are', async () => {
    const many = Array.from({ length: 45 }, (_, at) => ({
      email: `p${at + 10}@example.com`,
      permissions: viewer,
    }))
    const { alice, general } = await openWith(many)
    await alice.types('/grant who 12', general)
    const list = await alice.sees('45 people on Customer 1 (12) · 1 to 20 of 45', general)
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
    const { alice, general, service } = await openWith(many)
    await alice.types('/grant who 12', general)
    const list = await alice.sees('1 to 20 of 25', general)
    for (const { id } of many.slice(5)) service.removeMember(12, id)
    await alice.presses('Show more', list)
    expect((await alice.sees(/^5 people on/, general)).plain).toContain('p0@example.com')
  })

  it('shows invitations after all people, and how many there are', async () => {
    const { alice, general, service } = await openWith([dave])
    for (let at = 0; at < 25; at += 1)
      service.addInvitation(12, { email: `new${at}@example.com`, permissions: viewer })
    await alice.types('/grant who 12', general)
    const list = await alice.sees('1 person on Customer 1 (12)', general)
    expect(list.plain).toContain('Invited: new18@example.com')
    await alice.presses('Show more', list)
    await alice.sees('1 person on Customer 1 (12) · 21 to 26 of 26', general)
  })

  it.each([
    [403, 'Your token lacks READ on container 12, so I can’t see who’s on it.'],
    [404, 'Monitoring knows no container 12, or doesn’t show you its people.'],
    [405, 'Monitoring knows no container 12, or doesn’t show you its people.'],
  ])('says why there is no list: %i', async (status, words) => {
    const { alice, general, service } = await openWith([])
    service.trouble.answer(status, { only: 'GET' })
    await alice.types('/grant who 12', general)
    await alice.sees(words, general)
  })

  it('shows no invitations to whom monitoring shows none', async () => {
    const world = await openWith([dave])
    world.service.addInvitation(12, { email: 'new@example.com' })
    await world.connect(world.bob, bobToken)
    await world.bob.types('/grant who 12', world.general)
    expect((await world.bob.sees('1 person on', world.general)).plain).not.toContain('new@')
  })

  it('goes on by itself once somebody has connected', async () => {
    const world = await openWith([alice], { isAliceConnected: false })
    await world.alice.types('/grant who 12', world.general)
    await world.alice.presses(
      'Connect account',
      await world.alice.sees('To do this, I need', world.general),
    )
    await world.alice.seesModal('Connect account')
    await world.alice.submits({ fields: { 'API token': aliceToken } })
    await world.alice.sees('1 person on Customer 1 (12)', world.general)
  })

  it('is not there with MONITOR_OPERATIONS=basic, nor asked for', async () => {
    const { alice, general, service } = await openWith([dave], {
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
    const world = await openWith([{ ...dave, permissions: [...viewer, 'WEBHOOKS', 'OF_TOMORROW'] }])
    const { general, service } = world
    await world.alice.types('/grant who 12 dave@example.com', general)
    await world.alice.presses('Change…', await world.alice.sees('Dave Doe', general))
    const form = await world.alice.seesModal('Change access')
    expect(form.plain).toContain('Dave Doe (dave@example.com) on Customer 1 (12)')
    await world.alice.submits({ fields: { Role: 'Responder' } })

    const question = await world.alice.sees(
      'Change Dave Doe (dave@example.com) on Customer 1 (12)?',
      general,
    )
    expect(question.plain).toContain('− WEBHOOKS ⚠️')
    await world.alice.presses('Change access', question)
    await world.alice.sees(
      '✅ Changed: dave@example.com now has Responder and OF_TOMORROW',
      general,
    )
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
    const { general, service } = world
    await world.alice.types('/grant who 12', general)
    await world.alice.presses(
      'Remove…',
      await world.alice.sees('Lea Lund · address hidden', general),
    )
    await world.alice.presses(
      'Remove access',
      await world.alice.sees('Remove Lea Lund (user 20) from', general),
    )
    await world.alice.sees(
      '✅ Removed: Lea Lund (user 20) is no longer on Customer 1 (12)',
      general,
    )
    expect(service.membersOf(12)).toEqual([])
    const record = (await trailOf(world)).at(-1)
    expect(record).toMatchObject({ act: 'remove', personId: 20, had: viewer, has: [] })
    expect(record?.email).toBeUndefined()
  })

  it('an old menu of somebody who is gone says so', async () => {
    const world = await openWith([dave])
    await world.alice.types('/grant who 12', world.general)
    const list = await world.alice.sees('Dave Doe', world.general)
    world.service.removeMember(12, 9)
    for (const label of ['Change…', 'Remove…']) {
      await world.alice.presses(label, list)
      await world.alice.sees('I can’t see dave@example.com on Customer 1 (12)', world.general)
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
