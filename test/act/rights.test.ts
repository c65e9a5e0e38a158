// Rights come first: whoever's token lacks the flag hears so before a form opens or anything is asked; and a container is
// found rather than asked for.
import { describe, expect, it } from 'vitest'
import type { Flag } from '../../src/grant/roles.ts'
import { bobToken, type World } from '../world.ts'
import { bobMay, diskFull, linkedCard, onCall, written } from './on-card.ts'

/** Bob's token has these flags in container 12; he sees a card of Alice's, whose link tells the container. */
async function withBob(...flags: readonly Flag[]) {
  const { world, alice, bob, general } = await onCall()
  await bobMay(world, { 12: ['API', 'READ', ...flags] })
  await linkedCard(world, alice)
  return { ...world, world, card: await bob.sees('Disk full', general) }
}

describe('whoever’s token lacks the flag for it', () => {
  it.each([
    ['Assign to me', 'assign', 'ALERT_ASSIGN'],
    ['Assign to somebody', 'assign', 'ALERT_ASSIGN'],
    ['Comment', 'comment on', 'ALERT_CHANGE'],
    ['Close alert', 'close', 'ALERT_CHANGE'],
  ])('hears so at once who presses %s, and can ask in the thread', async (label, verb, flag) => {
    const { world, alice, bob, general, card } = await withBob()

    await bob.presses(label, card)

    const told = await bob.sees(
      `You can’t ${verb} the alert: your token lacks ${flag} on `,
      general,
    )
    expect(told.isEphemeral).toBe(true)
    expect(bob.modal).toBeUndefined()
    await bob.presses('Ask in thread', told)
    await alice.sees(`bob needs ${flag} on this alert’s container to ${verb} the alert.`, card)
    expect(written(world)).toEqual([])
  })

  it('gets the form as soon as somebody has granted the flag', async () => {
    const { bob, general, service, card } = await withBob()
    await bob.presses('Close alert', card)
    await bob.sees('your token lacks ALERT_CHANGE', general)
    service.addToken({
      token: bobToken,
      name: 'bob',
      flags: ['API', 'READ', 'ALERT_CHANGE'],
      userId: 8,
    })

    await bob.presses('Close alert', card)

    await bob.seesModal('Close alert')
  })

  it('hears so on a line, too, without a button where there is no card, and gets the text back', async () => {
    const { world, bob, general } = await withBob()
    await bob.types(`/alert assign ${world.service.linkOf('5HkX')} me "on it"`, general)
    const told = await bob.sees('your token lacks ALERT_ASSIGN', general)
    expect(told.plain).toContain('on it')
    expect(told.buttons).toEqual([])
    expect(bob.modal).toBeUndefined()
  })
})

describe('whoever’s rights nobody knows', () => {
  it.each([
    [
      'monitoring doesn’t tell',
      (world: World) => world.service.behaves({ ownPermissions: 'refused' }),
    ],
    ['monitoring takes its time', (world: World) => world.service.trouble.slow(1_000)],
    [
      'monitoring has a fault',
      (world: World) => world.service.trouble.answer(503, { only: { path: /permissions$/ } }),
    ],
  ])('gets the form, where %s', async (_, happens) => {
    const { world, card } = await withBob()
    happens(world)
    await world.bob.presses('Close alert', card)
    await world.bob.seesModal('Close alert')
  })
})

describe('whoever has just joined', () => {
  it('isn’t asked for the container, where cards of others name it', async () => {
    const { bob, general, service } = await withBob('ALERT_ASSIGN')
    service.addAlert({ ...diskFull, ks: 'other', message: 'Other' })
    await bob.types('/alert other', general)

    await bob.presses('Assign to me', await bob.sees('Other', general))

    await bob.sees('assigned to Bob Baker', general)
    expect(bob.modal).toBeUndefined()
  })
})
