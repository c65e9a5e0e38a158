// The shortcut “Add as comment” in a message's menu: its words become a comment on the alert of that thread.
import { describe, expect, it } from 'vitest'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { aliceToken, openWorld, puts, type World } from '../world.ts'
import { aliceCard, diskFull, withAlert, withCard } from './on-card.ts'

const shortcut = 'act.add-as-comment'

function lastComment({ service }: World, ks = '5HkX') {
  return service.alert(ks)?.actions.at(-1)?.data?.message
}

function cardIn(world: World): Promise<SeenMessage> {
  world.service.addAlert(diskFull)
  return aliceCard(world)
}

/** The form, once it is there: while Slack is asked for names, another one is. */
async function formFor({ alice, slack }: World, message: SeenMessage) {
  await alice.usesShortcut(shortcut, message)
  await alice.seesModal('Comment on alert')
  await slack.workspace.changes.until(
    () => alice.modal?.submitLabel,
    5000,
    () => `${alice.name} cannot send: ${alice.modal?.plain}`,
  )
  const form = alice.modal
  if (form === undefined) throw new Error('it is gone')
  return form
}

describe('Add as comment', () => {
  it('in a card’s thread is about its alert, begins with the author’s name, and is sent when it is submitted', async () => {
    const { world, alice, bob, card } = await withCard()
    const reply = bob.says('Rotation failed since Monday.', card)

    const form = await formFor(world, reply)
    expect(form.plain).toContain('Disk full')
    expect(form.values).toEqual({ Comment: '@Bob Baker: Rotation failed since Monday.' })
    expect(puts(world)).toEqual([])
    await alice.submits()

    await alice.sees('Commented on alert “5HkX”', card)
    expect(lastComment(world)).toBe('@Bob Baker: Rotation failed since Monday.')
  })

  it('elsewhere asks for the alert’s key, and takes the one that the message links to', async () => {
    const { world, alice, bob, general } = await withAlert()
    const nowhere = await formFor(world, bob.says('Rotation failed.', general))
    expect(nowhere.values).toEqual({ 'Alert key': '', Comment: '@Bob Baker: Rotation failed.' })
    await alice.submits({ fields: { 'Alert key': 'not a\u200bkey' } })
    expect(alice.modal?.errors).toHaveProperty('Alert key')
    await alice.closes()

    const link = 'https://monitor.example.com/alert/5HkX'
    const named = await formFor(world, alice.says(`${link} rotation failed`, general))
    expect(named.values['Alert key']).toBe('5HkX')
    await alice.submits()
    await alice.sees('Commented on alert “5HkX”', general)
    expect(lastComment(world)).toBe(`${link} rotation failed`)
  })

  it('turns Slack’s markup into what people read', async () => {
    const world = await openWorld()
    const { alice, bob, general } = world
    // U0NOBODY.
    world.expectRefusals()
    const said = `<@${bob.id}> and <@U0NOBODY> look at <https://a.example.com/x?a=1&amp;b=2|the runbook>, 1 &lt; 2 :fire: <!here> <#${general.id}> <!subteam^S1> <tel:+31201|+31 201> <http://b.example.com|b.example.com>`
    const form = await formFor(world, alice.says(said, await cardIn(world), { raw: true }))
    expect(form.values.Comment).toBe(
      '@Bob Baker and somebody look at the runbook (https://a.example.com/x?a=1&b=2), 1 < 2 🔥 @here #general a group +31 201 b.example.com',
    )
  })

  it('is cut at 240 characters, and says so', async () => {
    const { world, alice, bob, card } = await withCard()
    const form = await formFor(world, bob.says('𝒳'.repeat(300), card))
    const begins = form.values.Comment ?? ''
    expect([...begins]).toHaveLength(240)
    expect(begins).toMatch(/^@Bob Baker: 𝒳+…$/u)
    expect(form.plain).toContain('This is its beginning.')
    await alice.submits()
    await alice.sees('Commented on', card)
    expect(lastComment(world)).toBe(begins)
  })

  it.each([
    ['that looks like one', '0123456789abcdef0123456789abcdef'],
    ['of theirs', aliceToken],
  ])('leaves out a token %s, and says so', async (_, token) => {
    const { world, alice, card } = await withCard()
    const form = await formFor(world, world.bob.says(`It is ${token}, I think.`, card))
    expect(form.values.Comment).toMatch(/^@Bob Baker: It is \[token\],? I think\.$/)
    expect(form.plain).toContain('left out what looks like an API token')
    expect(JSON.stringify(form.blocks)).not.toContain(token.slice(0, 8))
    await alice.submits()
    await alice.sees('Commented on', card)
  })
})
