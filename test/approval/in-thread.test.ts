// Requests in a thread: they stay in the thread.
import { describe, expect, it } from 'vitest'
import { aliceCard, closesOn, diskFull } from '../act/on-card.ts'
import { aliceLooksUp, grantsOn, readWish, viewerWish } from '../grant/dave.ts'
import { asksIn, asksOn, declines, openColleagues } from './colleagues.ts'

const hourMs = 3_600_000

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
    const { bob, carol, general } = world
    await aliceLooksUp(world)
    const alert = await bob.sees('Disk full', general)
    await grantsOn(bob, alert, readWish)
    await asksOn(bob, await bob.sees('Not sent yet', alert))

    await declines(carol, await carol.sees('🔑', alert), 'Not now')
    const seen = await carol.sees('Disk full', general)
    await carol.sees('Declined. I’ll send bob your reason.', seen)
    await carol.sees(/^🚫 Declined by carol/, alert)
  })
})

describe('access for an alert that a colleague approves', () => {
  /** Bob asks for it on the alert’s card, and Carol approves it, there or in a channel for that. */
  async function approved(where: 'there' | 'elsewhere') {
    const world = await openColleagues()
    const { alice, bob, carol, general, service, slack } = world
    const asks = where === 'elsewhere' && (await asksIn(world, carol))
    const alert = service.addAlert({ ks: '5HkX', message: 'Disk full', containerId: 12 })
    await alice.types('/alert 5HkX', general)
    const thread = await bob.sees('Disk full', general)
    await grantsOn(bob, thread, viewerWish)
    await asksOn(bob, await bob.sees('[Ask for approval]', thread))
    const place = asks || (await carol.sees('Disk full', general))
    await carol.presses('Approve', await carol.sees('🔑', place))
    await bob.sees('✅ Granted by carol', bob.dm)
    await slack.idle()
    return { ...world, alert, thread }
  }

  const said = (thread: Awaited<ReturnType<typeof approved>>['thread'], words: string) =>
    thread.thread.filter(({ plain }) => plain.includes(words)).length

  it.each(['there', 'elsewhere'] as const)(
    'is told in the alert’s thread once it is given, and once it has ended: %s',
    async (where) => {
      const { clock, dave, slack, thread } = await approved(where)
      expect(said(thread, '✅ Granted')).toBe(1)
      await dave.sees('See the alert it’s for.', dave.dm)
      clock.advance(4 * hourMs)
      await expect.poll(() => said(thread, '✅ Ended: dave@example.com')).toBe(1)
      await slack.idle(100)
      expect(said(thread, '✅ Ended: dave@example.com')).toBe(1)
    },
  )

  it('is offered to be handed back when the alert closes', async () => {
    const { alert, alice, bob, general, thread } = await approved('elsewhere')
    alert.close('Close')
    await alice.presses('Refresh', await alice.sees('Disk full', general))
    await bob.sees('The alert is closed. dave@example.com has Viewer on', thread)
  })

  it('settles the line in which somebody asked for it', async () => {
    const world = await openColleagues({ env: { APPROVAL_FLAGS: 'ALERT_CHANGE' } })
    const { alice, bob, carol, general, service } = world
    service.addAlert(diskFull)
    await aliceCard(world, '/alert 5HkX', general)
    const thread = await alice.sees('Disk full', general)
    await closesOn(await bob.sees('Disk full', general), bob, 'Done.')
    await bob.presses('Ask in thread', await bob.sees('lacks ALERT_CHANGE', general))
    await alice.presses('Grant access', await alice.sees('bob needs ALERT_CHANGE', thread))
    await alice.seesModal('Grant access')
    await alice.submits({ fields: { Container: '12' } })
    await asksOn(alice, await alice.sees('[Ask for approval]', thread))
    const request = await carol.sees('🔑', await carol.sees('Disk full', general))
    await carol.presses('Approve', request)
    await bob.sees('✅ Granted by carol: bob needed ALERT_CHANGE', thread)
  })
})
