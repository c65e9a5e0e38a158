// Commenting and closing in forms, from cards: what is asked, what is refused in the form, and what is sent.
import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { aliceToken, openWorld, puts, type World } from '../world.ts'
import { aliceCard, diskFull, withAlert } from './on-card.ts'

const solved = 'Old logs removed, and the rotation that had failed since Monday is fixed.'
const asSolution = {
  'What fixed it?': solved,
  Solution: ['Keep as the solution (60 characters or more)'],
}

function lastAction({ service }: World, ks = '5HkX') {
  return service.alert(ks)?.actions.at(-1)
}

async function opens(person: Person, label: string, title: string, where: SeenMessage) {
  await person.presses(label, where)
  return person.seesModal(title)
}

const comments = (person: Person, where: SeenMessage) =>
  opens(person, 'Comment', 'Comment on alert', where)
const closes = (person: Person, where: SeenMessage) =>
  opens(person, 'Close alert', 'Close alert', where)

describe('the form Comment on alert', () => {
  it('names the alert, sends what was typed, lines and all, and pings nobody', async () => {
    const world = await openWorld()
    const { alice, bob, general, service } = world
    // U0BOB.
    world.expectRefusals()
    service.addAlert({ ...diskFull, message: 'Disk full <!channel> <@U0BOB>' })

    const form = await comments(alice, await aliceCard(world))
    expect(form.plain).toContain('Disk full')
    expect(JSON.stringify(form.blocks)).not.toMatch(/mrkdwn[^}]*<[!@]/)
    await alice.submits({ fields: { Comment: '<!here> <@U0BOB> *look*\nRotating them now.' } })

    const told = await alice.sees('Commented on alert “5HkX”', general)
    expect(told.isEphemeral).toBe(true)
    expect(told.pings).toEqual([])
    expect(lastAction(world)).toMatchObject({
      kind: 'Comment',
      data: { message: '<!here> somebody *look*\nRotating them now.' },
    })
    expect(puts(world)).toHaveLength(1)
    expect(bob.messages(general)).toHaveLength(1)
  })

  it.each([
    ['spaces alone', ' \n ', 'spaces alone are none'],
    [
      'a text of 241 letters',
      '𝒳'.repeat(241),
      'Monitoring takes 240 characters at most, and that’s 241.',
    ],
    ['a token', 'it is 0123456789abcdef0123456789abcdef', 'looks like an API token'],
    ['their own token', `it is ${aliceToken}!`, 'looks like an API token'],
  ])('refuses %s, and stores nothing of it', async (_, Comment, words) => {
    const { world, alice } = await withAlert()
    await comments(alice, await aliceCard(world))

    await alice.submits({ fields: { Comment } })

    expect(alice.modal?.errors).toEqual({ Comment: expect.stringContaining(words) })
    expect(puts(world)).toEqual([])
    expect(Comment.trim() !== '' && world.databaseBytes().includes(Comment)).toBe(false)
  })

  it('is sent once, though it is submitted twice', async () => {
    const { world, alice, general, slack } = await withAlert()
    await comments(alice, await aliceCard(world))
    await alice.fillsIn({ Comment: 'once' })
    await Promise.all([alice.submits(), alice.submits()].map((one) => one.catch(() => undefined)))
    await alice.sees('Commented', general)
    await slack.idle()
    expect(puts(world)).toHaveLength(1)
  })
})

describe('Comment with this text', () => {
  async function tooLate(world: World) {
    const alert = world.service.addAlert(diskFull)
    await comments(world.alice, await aliceCard(world))
    alert.close('AutoClose')
    await world.alice.submits({ fields: { Comment: 'Rotated the logs.' } })
    return world.alice.sees('Nothing was sent', world.general)
  }

  it('comments on the closed alert where monitoring takes that, once', async () => {
    const world = await openWorld()
    const { alice, general, service, slack } = world
    service.behaves({ onClosed: 'recorded' })
    const told = await tooLate(world)
    const label = 'Comment with this text'
    await Promise.all([alice.presses(label, told), alice.presses(label, told)])
    await alice.sees('Commented on alert “5HkX”: “Rotated the logs.”', general)
    await alice.presses(label, told)
    await slack.idle()
    expect(puts(world)).toHaveLength(1)
  })

  it('never says that it is there where monitoring drops it', async () => {
    const world = await openWorld()
    await world.alice.presses('Comment with this text', await tooLate(world))
    const told = await world.alice.sees('Sent, not visible yet', world.general)
    expect(told.plain).toContain('Rotated the logs.')
  })
})

describe('the form Close alert', () => {
  it('says in advance that monitoring may open it again, and closes it with what it was', async () => {
    const { world, alice, general } = await withAlert()
    const form = await closes(alice, await aliceCard(world))
    expect(form.plain).toContain('monitoring opens the alert again and assigns it to you')
    await alice.submits({ fields: asSolution })
    await alice.sees('✅ Disk', general)
    expect(lastAction(world)).toMatchObject({ kind: 'Close', data: { message: solved } })
    expect(puts(world)[0]?.body).toMatchObject({ isSolution: true })
  })

  it('keeps a solution that the container finds too short, to be edited', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    service.addContainer(12, { properties: { infrasonar_alert_minimum_solution_length: '100' } })
    service.addAlert(diskFull)
    await closes(alice, await aliceCard(world))
    await alice.submits({ fields: asSolution })
    const told = await alice.sees('probably shorter than this container asks for', general)
    expect(told.plain).toContain(solved)

    const again = await opens(alice, 'Edit and try again', 'Close alert', told)
    expect(again.values['What fixed it?']).toBe(solved)
    expect(again.plain).toContain('Disk full')
    await alice.submits({ fields: { 'What fixed it?': `${solved} It is watched from now on.` } })
    await alice.sees('✅ Disk', general)
  })
})
