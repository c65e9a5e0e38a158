// Assigning from a card: to whoever presses, to somebody they choose, and what is said when others were quicker.
import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import type { World } from '../world.ts'
import {
  aliceCard,
  assignForm,
  bobMay,
  linkedCard,
  takenBy,
  onCall as withPeople,
  written,
} from './on-card.ts'

/** Dave has muted monitoring. */
async function onCall() {
  const opened = await withPeople()
  opened.service.addMember(12, { email: 'dave@example.com', member: true, mute: true })
  return opened
}

/** Likewise, with a card of Alice’s. */
async function onCard() {
  const opened = await onCall()
  return { ...opened, card: await linkedCard(opened.world, opened.alice) }
}

/** What the bot tells this person alone. */
async function hears(
  person: Person,
  { general }: World,
  words: string | RegExp,
): Promise<SeenMessage> {
  const answer = await person.sees(words, general)
  expect(answer.isEphemeral).toBe(true)
  return answer
}

function ownerOf({ service }: World) {
  return service.alert('5HkX')?.values.ownerId
}

describe('Assign to me', () => {
  it('asks who somebody is where no address tells, and lets nobody hand over what belongs to whom they have only chosen to be', async () => {
    const { world, alice, service, card } = await onCard()
    service.behaves({ addresses: 'none' })
    await alice.presses('Assign to me', card)
    const form = await alice.seesModal('Who are you?')
    expect(form.choices('Which of these are you?')).toEqual([
      'Alice Archer',
      'Bob Baker',
      'Dave Doe (muted)',
    ])
    await alice.submits({ fields: { 'Which of these are you?': 'Bob Baker' } })
    await alice.sees('assigned to Bob Baker', world.general)

    await alice.types('/alert assign 5HkX 9', world.general)

    await hears(alice, world, 'Nothing was sent')
    expect(ownerOf(world)).toBe(8)
  })

  it('asks nobody who they are while monitoring doesn’t answer', async () => {
    const { world, alice, clock, service, card } = await onCard()
    await world.slack.idle()
    service.trouble.down()

    await alice.presses('Assign to me', card)

    await hears(
      alice,
      world,
      'Monitoring isn’t responding. Nothing was changed. Try again in a minute.',
    )
    expect(alice.modal).toBeUndefined()
    service.trouble.up()
    clock.advance(61_000)
    await alice.presses('Assign to me', card)
    await alice.sees('assigned to Alice Archer', world.general)
  })

  it('takes it over from somebody who was quicker, once the presser knows', async () => {
    const { world, alice, card } = await onCard()
    takenBy(world, 8)

    await alice.presses('Assign to me', card)

    const answer = await hears(alice, world, 'Nothing was sent')
    expect(answer.plain).toContain('alert “5HkX” is assigned to Bob Baker now.')
    expect(written(world)).toEqual([])
    await alice.presses('Take it over', answer)
    await alice.sees('assigned to Alice Archer', world.general)
    expect(ownerOf(world)).toBe(7)
    // Of each verdict one follows.
    await alice.presses('Take it over', answer)
    expect(written(world)).toHaveLength(1)
  })

  it('names nobody to a presser whose own token shows no names', async () => {
    const { world, bob, general, service } = await onCall()
    service.addToken({
      token: 'assigns',
      name: 'bob',
      flags: { 12: ['API', 'ALERT_ASSIGN'] },
      userId: 8,
    })
    await linkedCard(world, world.alice)
    takenBy(world, 7)
    await world.connect(bob, 'assigns')

    await bob.types('/alert assign 5HkX 8', general)

    const answer = await hears(bob, world, 'Sent')
    expect(answer.plain).not.toContain('Alice')
  })

  it.each([
    ['is theirs by now', 7, 'already assigned to you'],
    ['was closed meanwhile', 'closed', 'is closed'],
  ] as const)('sends nothing where the alert %s, and says so', async (_, change, words) => {
    const { world, alice, service, card } = await onCard()
    const alert = service.alert('5HkX')
    if (change === 'closed') alert?.close()
    else alert?.act({ kind: 'Assign', data: { userId: 8, ownerId: change } })

    await alice.presses('Assign to me', card)

    const answer = await hears(alice, world, words)
    expect(answer.buttons).toEqual([])
    expect(written(world)).toEqual([])
  })

  it.each(['recorded', 'nothing'] as const)(
    'is taken once, though it is pressed twice, whether assigning to an owner is %s',
    async (assignToOwner) => {
      const { world, alice, service, card } = await onCard()
      service.behaves({ assignToOwner })

      await Promise.all([alice.presses('Assign to me', card), alice.presses('Assign to me', card)])

      await alice.sees('assigned to Alice Archer', world.general)
      await world.slack.idle()
      expect(written(world)).toHaveLength(1)
    },
  )
})

describe('Assign to somebody', () => {
  it('lists the members of the container, and who of them has muted monitoring', async () => {
    const { world, alice, service, card } = await onCard()
    service.addMember(12, { email: 'erin@example.com', name: 'Erin', member: false })

    const form = await assignForm(alice, card)
    expect(form.choices('Assign to')).toEqual(['Alice Archer', 'Bob Baker', 'Dave Doe (muted)'])
    await alice.submits({ fields: { 'Assign to': 'Dave Doe (muted)', Message: 'Yours tonight.' } })

    await alice.sees('assigned to Dave Doe', world.general)
    expect(written(world)).toEqual([{ userId: 9, message: 'Yours tonight.' }])
  })

  it('says how to go on where nobody can tell the container', async () => {
    const { world, alice, general } = await onCall()
    const card = await aliceCard(world)
    await alice.presses('Assign to somebody', card)
    await hears(alice, world, 'I can’t tell which container this alert is in.')
    await alice.types('/alert open 12', general)
    await hears(alice, world, '1 open')

    await assignForm(alice, card)
    await alice.submits({ fields: { 'Assign to': 'Bob Baker' } })

    await alice.sees('assigned to Bob Baker', world.general)
  })

  it('says that the line takes a user ID, where the people can’t be read', async () => {
    const { world, bob, general } = await onCall()
    await linkedCard(world, world.alice)
    await bobMay(world, ['API', 'ALERT_ASSIGN'])

    const form = await assignForm(bob, await bob.sees('Disk full', general))
    expect(form.plain).toContain('your token lacks READ there')
    expect(form.plain).toContain('Use /alert assign “5HkX” with a user ID of monitoring instead.')
    await bob.types('/alert assign 5HkX 9', general)

    await hears(bob, world, 'Sent')
    expect(ownerOf(world)).toBe(9)
  })

  it('suggests names where there are more than a menu can list', async () => {
    const { world, alice, service } = await onCall()
    for (let at = 0; at < 120; at += 1) {
      service.addMember(12, {
        email: `p${at}@example.com`,
        name: `Person ${at}`,
        id: 1000 + at,
        member: true,
      })
    }
    await assignForm(alice, await linkedCard(world, world.alice))

    expect(await alice.suggest('Assign to', 'person 117')).toEqual(['Person 117'])
    await alice.submits({ fields: { 'Assign to': 'Person 117' } })

    await alice.sees('assigned to Person 117', world.general)
    expect(ownerOf(world)).toBe(1117)
  })

  it('says who is no member, and makes them one', async () => {
    const { world, alice, service, card } = await onCard()
    service.addMember(12, { email: 'erin@example.com', name: 'Erin Eames', id: 11, member: true })
    await assignForm(alice, card)
    service.removeMember(12, 11)
    service.addMember(12, { email: 'erin@example.com', name: 'Erin Eames', id: 11, member: false })

    await alice.submits({ fields: { 'Assign to': 'Erin Eames' } })

    const answer = await hears(alice, world, 'Not done')
    expect(answer.plain).toContain(
      'Erin Eames isn’t a member of this container; alerts can only be assigned to members.',
    )
    await alice.presses('Make them a member', answer)
    const question = await hears(
      alice,
      world,
      'Change Erin Eames (erin@example.com) on Customer 1 (12)?\nREAD\n+ member\n',
    )
    await alice.presses('Change access', question)
    await hears(alice, world, '✅ Changed: erin@example.com is now a member of Customer 1 (12)')
    expect(service.membersOf(12).find(({ id }) => id === 11)?.member).toBe(true)
  })

  it('says that the presser is no member, and offers to make them one', async () => {
    const { world, alice, service, card } = await onCard()
    const { permissions = [] } = service.membersOf(12).find(({ id }) => id === 7) ?? {}
    service.removeMember(12, 7)
    service.addMember(12, { email: 'alice@example.com', id: 7, permissions, member: false })

    await alice.presses('Assign to me', card)

    const answer = await hears(alice, world, 'you aren’t a member of this container')
    await alice.presses('Make me a member', answer)
    await hears(alice, world, 'Change Alice Archer (alice@example.com) on Customer 1 (12)?')
  })

  it('sends nothing of a message that holds the presser’s own token', async () => {
    const { world, alice, card } = await onCard()
    await assignForm(alice, card)
    await alice.submits({ fields: { 'Assign to': 'Bob Baker', Message: 'alice-token-4f1c9a' } })
    expect(alice.modal?.errors.Message).toContain('token')
    expect(written(world)).toEqual([])
  })

  it('shows nobody the people that another token shows', async () => {
    const { world, alice, bob, general, card } = await onCard()
    await assignForm(alice, card)
    await bobMay(world, ['API', 'ALERT_ASSIGN'])

    await bob.presses('Assign to somebody', await bob.sees('Disk full', general))

    expect((await bob.seesModal('Assign alert')).plain).not.toContain('Dave')
  })

  it('says “Loading…” where monitoring takes its time, and then shows the form', async () => {
    const { alice, service, card } = await onCard()
    service.trouble.slow(1_600)

    await alice.presses('Assign to somebody', card)

    expect((await alice.seesModal('Assign alert')).plain).toContain('Loading…')
    await expect
      .poll(() => alice.modal?.labels, { timeout: 30_000 })
      .toEqual(['Assign to', 'Message'])
  })
})
