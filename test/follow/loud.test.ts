// What was told lately is remembered: alerts that flap, storms that trickle.
import { describe, expect, it } from 'vitest'
import type { World } from '../world.ts'
import { carded, followed, inChannel, openCustomer, opens, passes, stormed } from './follow.ts'

/** A followed alert with a card, and a way to have it flap. */
async function flapping(world: World) {
  const { bob, general, service } = world
  const { alert, card } = await carded(world)
  /** Until its thread knows it. */
  const known = async (happens: () => unknown) => {
    const before = card.thread.length
    happens()
    const isKnown = async () => {
      await passes(world, 20_000)
      return card.thread.length > before
    }
    await expect.poll(isKnown).toBe(true)
  }
  const closesAndOpens = async () => {
    await known(() => alert.close('AutoClose'))
    await known(() => service.reopen('disk'))
  }
  const worsens = async () => {
    await known(() => alert.hit({ severity: 2 }))
    await known(() => alert.hit({ severity: 3 }))
  }
  const atFoot = () => bob.messages(general).filter(({ isBroadcast }) => isBroadcast)
  return { alert, card, closesAndOpens, worsens, atFoot }
}

describe('an alert that comes again and again', () => {
  it.each(['closesAndOpens', 'worsens'] as const)(
    'is called flapping the third time, and is in its thread alone after that: %s',
    async (how) => {
      const world = await openCustomer()
      const told = await flapping(world)
      for (let times = 0; times < 10; times += 1) await told[how]()

      expect(told.atFoot()).toHaveLength(3)
      expect(told.atFoot()[2]?.plain).toMatch(
        /🔁 Flapping: Disk full, 3 times in \d+ minutes?\. More in the thread\./,
      )
      expect(told.card.thread.length).toBeGreaterThan(10)
    },
  )

  it('mentions nobody who watches it until it has been quiet for half an hour', async () => {
    const world = await openCustomer()
    const { alice, general } = world
    const told = await flapping(world)
    await alice.presses('Watch', told.card)
    await alice.sees('👁️ alice', general)
    for (let times = 0; times < 6; times += 1) await told.worsens()
    const pinged = () => told.card.thread.filter(({ pings }) => pings.length > 0).length
    expect(pinged()).toBe(3)

    await passes(world, 31 * 60_000)
    await told.worsens()

    await expect.poll(pinged).toBe(4)
    expect(told.atFoot().at(-1)?.plain).toContain('⬆️ ERROR → CRITICAL')
  })

  it('is heard once more where it is graver than it ever was', async () => {
    const world = await openCustomer()
    const { bob } = world
    const { alert, card, worsens, atFoot } = await flapping(world)
    for (let times = 0; times < 5; times += 1) await worsens()
    alert.hit({ severity: 0 })
    await passes(world)
    expect((await bob.sees('⬆️ ERROR → EMERGENCY', card)).isBroadcast).toBe(true)
    expect(atFoot()).toHaveLength(4)
  })
})

describe('many new alerts', () => {
  it('that come a few at a time stand in one message, but for what is graver than all in it', async () => {
    const world = await openCustomer()
    const { bob, general, slack } = world
    await followed(world)
    for (let minutes = 0; minutes < 6; minutes += 1) {
      for (let at = 0; at < 4; at += 1) opens(world, `host ${minutes}-${at}`)
      await passes(world)
      await slack.idle()
    }
    const storm = await bob.sees('20 new alerts in Customer 1 (12)', general)
    // The first four came before anybody could call them many.
    expect(inChannel(bob.messages(general), 'Assign to me')).toHaveLength(4)

    opens(world, 'pay', { message: 'Payment gateway is down', severity: 0 })
    opens(world, 'mail', { message: 'Queue grows', severity: 4 })
    for (let minutes = 0; minutes < 2; minutes += 1) await passes(world)

    expect((await bob.sees('🚨 Payment gateway is down', general)).plain).toContain('Assign to me')
    await expect.poll(() => storm.plain).toContain('21 new alerts')
  })

  it('begin another message after ten minutes', async () => {
    const world = await openCustomer()
    const { bob, general } = world
    await stormed(world, 8)
    await passes(world, 11 * 60_000)
    for (let at = 0; at < 7; at += 1) opens(world, `late ${at}`)
    await passes(world)
    await bob.sees('7 new alerts', general)
  })
})
