// Refresh that finds nothing new: whoever pressed hears so, and since when.
import { describe, expect, it } from 'vitest'
import type { AlertHandle } from '../../playground/monitor/alerts.ts'
import { openWorld, type World } from '../world.ts'

const diskFull = { ks: '5HkX', message: 'Disk full', severity: 2, timestamp: 1_700_000_000 } as const
const minute = 60_000

async function cardIn({ alice, general }: World, words = '') {
  await alice.types(`/alert 5HkX ${words}`, general)
  return alice.sees('Disk full', general)
}

const lines = ({ alice, general }: World) =>
  alice.messages(general).filter(({ plain }) => plain.includes('Nothing new'))

describe('Refresh without news', () => {
  it('says so to the presser alone, with the time at which the card was drawn', async () => {
    const world = await openWorld()
    const { alice, bob, general, service } = world
    service.addAlert(diskFull)
    const card = await cardIn(world)

    await alice.presses('Refresh', card)

    const line = await alice.sees(/Nothing new since \d{4}-\d\d-\d\d \d\d:\d\d UTC/, general)
    expect(line.isEphemeral).toBe(true)
    // Each reader sees it in their own zone.
    expect(line.text).toBe(
      `Nothing new since <!date^${Math.floor(Number(card.ts))}^{time}|${line.plain.slice(-20)}>`,
    )
    await bob.doesNotSee('Nothing new', general)
  })

  it.each(['private', 'watch'])('says so on a card that was asked for with “%s”, too', async (word) => {
    // There, Refresh stays on a live card.
    const world = await openWorld({ env: { MONITOR_OPERATIONS: 'basic' } })
    const { alice, general, service } = world
    service.addAlert(diskFull)
    const card = await cardIn(world, word)
    await alice.sees(word === 'watch' ? 'Live' : 'Share', general)

    await alice.presses('Refresh', card)

    await alice.sees('Nothing new since', general)
  })

  it('says so in the direct message, when the card is there', async () => {
    const { alice, service } = await openWorld()
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX', alice.dm)
    const card = await alice.sees('Disk full', alice.dm)

    await alice.presses('Refresh', card)

    await alice.sees('Nothing new since', alice.dm)
  })

  it.each([
    ['an action', (alert: AlertHandle) => alert.act({ kind: 'Comment', data: { message: 'new' } })],
    ['a hit', (alert: AlertHandle) => alert.hit({ message: 'Disk fuller' })],
    ['its end', (alert: AlertHandle) => alert.close('AutoClose')],
  ])('is not claimed after %s', async (_, happens) => {
    const world = await openWorld()
    const { alice, service, slack, clock } = world
    const alert = service.addAlert(diskFull)
    const card = await cardIn(world)
    clock.advance(minute)
    happens(alert)

    await alice.presses('Refresh', card)
    await slack.idle()

    expect(lines(world)).toEqual([])
  })

  it('is counted from the Refresh before', async () => {
    const world = await openWorld()
    const { alice, service, slack, clock, general } = world
    const alert = service.addAlert(diskFull)
    const card = await cardIn(world)
    clock.advance(minute)
    alert.hit({ message: 'Disk fuller' })
    clock.advance(minute)
    await alice.presses('Refresh', card)
    await slack.idle()
    expect(lines(world)).toEqual([])

    await alice.presses('Refresh', card)

    await alice.sees('Nothing new since', general)
  })

  it('names the day as well when the card was drawn long before', async () => {
    const world = await openWorld()
    const { alice, service, clock, general } = world
    service.addAlert(diskFull)
    const card = await cardIn(world)
    clock.advance(20 * 60 * minute)

    await alice.presses('Refresh', card)

    expect((await alice.sees('Nothing new since', general)).text).toContain('{date_short_pretty}')
  })
})
