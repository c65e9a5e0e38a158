// Requests in a thread: they stay in the thread.
import { describe, it } from 'vitest'
import { asksOn, openColleagues } from './colleagues.ts'

describe('a request that is asked for in a thread', () => {
  it('stands in that thread to its end, and so does the word to who asked', async () => {
    const world = await openColleagues()
    const { bob, carol, general } = world
    carol.says('Who may see the disk?', general)
    const parent = await bob.sees('Who may see the disk?', general)
    bob.says('@Bellhop grant 12 dave@example.com viewer', parent)
    await asksOn(bob, await bob.sees('Not granted', parent))

    const card = await carol.sees('🔑', parent)
    await bob.sees('Asked for approval in', parent)
    await carol.presses('Approve', card)
    await carol.sees('✅ Granted by carol', parent)
    const seen = await carol.sees('Who may see the disk?', general)
    await carol.sees('Granted by you', seen)
  })

  it('from an alert’s card stands in the alert’s thread', async () => {
    const world = await openColleagues({ env: { APPROVAL_FLAGS: 'READ' } })
    const { alice, bob, carol, general, service } = world
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    await alice.types('/alert 5HkX', general)
    const alert = await bob.sees('Disk full', general)
    await bob.presses('Grant access', alert)
    await bob.seesModal('Grant access')
    await bob.submits({
      fields: {
        Container: '12',
        Email: 'dave@example.com',
        Role: 'Custom',
        Viewing: ['View the container'],
      },
    })
    await asksOn(bob, await bob.sees('Not sent yet', alert))

    await carol.presses('Decline', await carol.sees('🔑', alert))
    await carol.seesModal('Decline request')
    await carol.submits({ fields: { Reason: 'Not now' } })
    const seen = await carol.sees('Disk full', general)
    await carol.sees('Declined. I’ll send bob your reason.', seen)
    await carol.sees(/^🚫 Declined by carol/, alert)
  })
})
