// The shortcut “Look up this alert” in a message's menu: the card goes into that message's thread.
import { describe, expect, it } from 'vitest'
import { withAlert } from '../act/on-card.ts'
import { openWorld } from '../world.ts'

const shortcut = 'alert.look-up-in-message'
const link = 'https://monitor.example.com/alert/5HkX'

describe('the shortcut Look up this alert', () => {
  it('answers in the thread of the message, the history below the card, and there comes what is new, with its name', async () => {
    const { alice, bob, general, alert } = await withAlert()
    const message = bob.says(`Does anybody know about <${link}>?`, general)

    await alice.usesShortcut(shortcut, message)

    const card = await bob.sees('Disk full', message)
    const history = await bob.sees('No actions on this alert yet.', message)
    expect(card.isEphemeral).toBe(false)
    alert.close('AutoClose')
    await alice.presses('Refresh', await alice.sees('Disk full', message))
    const news = await bob.sees('“Disk full”:', message)
    expect(news.plain).toContain('Closed automatically')
    for (const { message: posted } of [card, history, news])
      expect(posted.threadTs).toBe(message.ts)
  })

  it('works where the bot is not a member', async () => {
    const { alice, bob, ops } = await withAlert()
    const message = bob.says(link, ops)

    await alice.usesShortcut(shortcut, message)

    const card = await bob.sees('Disk full', message)
    expect(card.message).toMatchObject({ threadTs: message.ts, via: 'response_url' })
    expect(card.plain).toContain('No actions on this alert yet.')
    expect(card.plain).not.toContain('/invite')
    await alice.presses('Refresh', await alice.sees('Disk full', await alice.sees(link, ops)))
    await expect.poll(() => card.isEdited).toBe(true)
    expect(card.plain).not.toContain('/invite')
  })

  it('offers a choice when the message speaks of several', async () => {
    const { alice, bob, general, service } = await withAlert()
    service.addAlert({ ks: 'cpu 1', message: 'CPU busy' })
    const message = bob.says(`${link} and https://monitor.example.com/alert/cpu%201?tab=2`, general)

    await alice.usesShortcut(shortcut, message)
    const modal = await alice.seesModal('Look up an alert')
    expect(modal.choices('Alert key')).toEqual(['5HkX', 'cpu 1'])
    await alice.submits({ fields: { 'Alert key': 'cpu 1' } })

    await bob.sees('CPU busy', message)
    expect(message.thread.map(({ plain }) => plain).join()).not.toContain('Disk full')
  })

  it('asks for the key when the message speaks of none', async () => {
    const { alice, bob, general } = await withAlert()
    const message = bob.says('Somebody should have a look.', general)

    await alice.usesShortcut(shortcut, message)
    const modal = await alice.seesModal('Look up an alert')
    expect(modal.labels).toEqual(['Alert key'])
    await alice.submits({ fields: { 'Alert key': '..' } })
    expect(alice.modal?.errors['Alert key']).toContain('isn’t an alert key')
    await alice.submits({ fields: { 'Alert key': link } })

    await bob.sees('Disk full', message)
  })

  it('finds the alert of one of Bellhop’s own cards', async () => {
    const { alice, bob, general, service } = await openWorld()
    service.addAlert({ ks: 'cpu 1', message: 'CPU busy' })
    await alice.types('/alert "cpu 1"', general)
    const card = await bob.sees('CPU busy', general)

    await alice.usesShortcut(shortcut, card)

    await expect.poll(() => card.thread.map(({ plain }) => plain).join()).toContain('CPU busy')
  })
})

describe('the alert of a card that only somebody else sees', () => {
  it('is not told by its id', async () => {
    const { alice, bob, general, service, slack } = await openWorld()
    service.addAlert({ ks: 'secret 1', message: 'Secret' })
    await alice.types('/alert "secret 1" private', general)
    const card = await alice.sees('Secret', general)
    const { element = {} } = card.control('Watch') ?? {}
    slack.webhook(general, { text: 'look', blocks: [{ type: 'actions', elements: [element] }] })
    const forged = await bob.sees('Watch', general)

    await bob.usesShortcut(shortcut, forged)

    await bob.seesModal('Look up an alert')
    expect(service.requests.filter(({ token }) => token === 'bob')).toEqual([])
  })
})
