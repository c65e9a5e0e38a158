// Forms in which Slack sends something that nobody can have filled in: never taken for an input that is empty.
import { describe, expect, it } from 'vitest'
import type { Json } from '../../playground/slack/model/json.ts'
import type { Person } from '../../playground/slack/person/person.ts'
import type { Slack } from '../../playground/slack/simulator.ts'
import { line, openColleagues, posts, reason } from '../approval/colleagues.ts'
import { openWorld } from '../world.ts'

const sentence = 'Slack sent something here that Bellhop can’t read. Fill it in again.'

/** Puts anything at all into an input of the modal that somebody sees. */
function puts({ workspace }: Slack, { modal }: Person, label: string, held: Json): void {
  const control = modal?.inputs.find((one) => one.label === label)
  if (modal === undefined || control === undefined) throw new Error(`There is no input ${label}`)
  workspace.views.type(modal.view, control.blockId, control.actionId, held)
}

const checked = (...values: unknown[]) => ({
  type: 'checkboxes',
  selected_options: values.map((value) => ({ value })),
})

async function openGrantForm() {
  const world = await openWorld({ env: { AUTH_PROVIDERS: 'Google,Okta' } })
  const { alice, general, slack } = world
  await alice.types('/grant 12 dave@example.com', general)
  await alice.seesModal('Grant access')
  await alice.fillsIn({ Role: 'Custom', Viewing: ['View the container'] })
  return { ...world, puts: (label: string, held: Json) => puts(slack, alice, label, held) }
}

describe('the form for granting', () => {
  it.each<readonly [string, string, Json]>([
    ['a flag that is no word', 'Alerts', checked('ALERT_ASSIGN', 7)],
    ['flags that are no list', 'Alerts', { type: 'checkboxes', selected_options: 'ALERT_ASSIGN' }],
    ['a menu in place of flags', 'Alerts', { type: 'static_select', selected_option: { value: 'READ' } }],
    ['a provider without a value', 'Sign-in provider', { type: 'static_select', selected_option: {} }],
    ['text in place of a choice', 'Member', { type: 'plain_text_input', value: 'member' }],
    ['an address that is no text', 'Email', { type: 'plain_text_input', value: ['dave@example.com'] }],
  ])('with %s is not sent, and says where that is', async (_what, label, held) => {
    const world = await openGrantForm()
    world.puts(label, held)

    await world.alice.submits()

    expect(world.alice.modal?.errors).toEqual({ [label]: sentence })
    await world.slack.idle()
    expect(posts(world)).toEqual([])
  })

  it('with a flag that is not known any more is not sent without it', async () => {
    const world = await openGrantForm()
    world.puts('Alerts', checked('ALERT_ASSIGN', 'ALERT_SNOOZE'))

    await world.alice.submits()

    const problem = 'No longer offered: “ALERT_SNOOZE”. Choose again.'
    expect(world.alice.modal?.errors).toEqual({ Alerts: problem })
    await world.slack.idle()
    expect(posts(world)).toEqual([])
  })

  it('is sent once it is filled in again', async () => {
    const world = await openGrantForm()
    world.puts('Alerts', checked(7))
    await world.alice.submits()

    await world.alice.submits({ fields: { Alerts: ['Assign alerts'] } })

    await world.alice.sees('Granted', world.general)
    expect(posts(world)).toHaveLength(1)
  })
})

describe('the form for looking up an alert', () => {
  it('with an odd place to post to asks nothing and posts nowhere', async () => {
    const { alice, general, service, slack } = await openWorld()
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    const asked = service.requests.length
    await alice.types('/alert', general)
    await alice.seesModal('Look up an alert')
    await alice.fillsIn({ 'Alert key': '5HkX' })
    puts(slack, alice, 'Post to', { type: 'conversations_select', selected_conversation: 'no id' })

    await alice.submits()

    expect(alice.modal?.errors).toEqual({ 'Post to': sentence })
    await slack.idle()
    expect(service.requests).toHaveLength(asked)
  })

  it('with an odd choice among the alerts of a message asks for one again', async () => {
    const { alice, general, service, slack } = await openWorld()
    const keys = ['5HkX', '6JkY']
    for (const ks of keys) service.addAlert({ ks, message: `Disk ${ks}` })
    const before = service.requests.length
    const message = alice.says(keys.map((ks) => `https://monitor.example.com/alert/${ks}`).join(' '), general)
    await alice.usesShortcut('alert.look-up-in-message', message)
    const label = (await alice.seesModal('Look up an alert')).labels[0] ?? ''
    // Links get their previews.
    await expect.poll(() => service.requests.length, { timeout: 30_000 }).toBe(before + keys.length)
    await slack.idle()
    const asked = service.requests.length
    puts(slack, alice, label, { type: 'radio_buttons', selected_option: { value: 0 } })

    await alice.submits()

    expect(alice.modal?.errors).toEqual({ [label]: sentence })
    await slack.idle()
    expect(service.requests).toHaveLength(asked)
  })
})

describe('the form that asks for approval', () => {
  it.each<readonly [string, Json]>([
    ['Reason', { type: 'plain_text_input', value: [reason] }],
    ['Post to', { type: 'conversations_select', selected_conversation: ['C1'] }],
  ])('with an odd %s posts nothing', async (label, held) => {
    const { bob, carol, general, ops, slack } = await openColleagues()
    await bob.types(line, bob.dm)
    await bob.presses('Ask for approval', await bob.sees('Not granted', bob.dm))
    await bob.seesModal('Ask for approval')
    await bob.fillsIn({ Reason: reason, 'Post to': ops.id })
    puts(slack, bob, label, held)

    await bob.submits()

    expect(bob.modal?.errors).toEqual({ [label]: sentence })
    await slack.idle()
    for (const channel of [general, ops]) await carol.doesNotSee('🔑', channel)
  })
})
