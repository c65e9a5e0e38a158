// The global shortcut for grants: its form, from anywhere in Slack. That for alerts: every-surface.test.ts.
import { describe, expect, it } from 'vitest'
import { openWorld } from '../world.ts'

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
