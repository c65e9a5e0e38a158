// The global shortcuts: the forms, from anywhere in Slack.
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { quickMs } from '../../src/slack/guard/answer-form.ts'
import { openWorld } from '../world.ts'

/** However long a look-up takes, it closes the form: what takes long leaves it open, which then says so. */
const wait = (ms: number) => (ms === quickMs ? new Promise<void>(() => {}) : delay(Math.min(ms, 10)))

describe('the shortcut Look up an alert', () => {
  it('opens the form, and the card lands where they choose', async () => {
    const { alice, bob, ops, service } = await openWorld({ isAliceConnected: 'in the form', wait })
    service.addAlert({ ks: '5HkX', message: 'Disk full' })

    await alice.usesShortcut('alert.look-up')
    const modal = await alice.seesModal('Look up an alert')
    // Slack knows no present conversation here.
    expect(modal.values['Post to']).toBe('')
    await alice.submits({ fields: { 'Alert key': '5HkX', 'Post to': ops } })

    await bob.sees('Disk full', ops)
    await alice.seesNoModal()
  })

  it('sends the card directly where no conversation is chosen', async () => {
    const { alice, service } = await openWorld({ isAliceConnected: 'in the form', wait })
    service.addAlert({ ks: '5HkX', message: 'Disk full' })

    await alice.usesShortcut('alert.look-up')
    await alice.seesModal('Look up an alert')
    await alice.submits({ fields: { 'Alert key': '5HkX' } })
    await alice.sees('Disk full', alice.dm)
    await alice.seesNoModal()
  })
})

describe('the shortcut Grant access', () => {
  it('opens an empty form, and what became of it comes as a direct message', async () => {
    const { alice, service } = await openWorld({ isAliceConnected: 'in the form' })

    await alice.usesShortcut('grant.form')
    const form = await alice.seesModal('Grant access')
    expect(form.values.Container).toBe('')
    await alice.submits({
      fields: {
        Container: '12',
        Email: 'dave@example.com',
        Role: 'Custom',
        Viewing: ['View the container', 'View the logs'],
      },
    })

    const receipt = await alice.sees('Granted', alice.dm)
    expect(receipt.plain).toContain('dave@example.com')
    expect(receipt.buttons).not.toContain('Share in channel')
    expect(service.membersOf(12).map(({ email }) => email)).toEqual(['dave@example.com'])
  })
})
