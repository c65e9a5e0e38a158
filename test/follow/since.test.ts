// `/alert since`: how the night went, for whoever asks.
import { describe, expect, it } from 'vitest'
import { minuteMs } from '../../src/work/durations.ts'
import { bobToken, connects, type World } from '../world.ts'
import { brings, comesTo, goes } from './daily.ts'
import { followed, inChannel, openCustomer, opens, passes } from './follow.ts'

/** #general follows container 12 since an hour; one alert came, was closed by Dave, and another is open. */
async function anHour(): Promise<World> {
  const world = await openCustomer()
  const { service } = world
  service.addMember(12, { id: 9, name: 'Dave Doe', email: 'dave@example.com' })
  await followed(world)
  const disk = opens(world, 'disk')
  opens(world, 'raid')
  await brings(world, 'raid is broken')
  disk.close('Close', { userId: 9 })
  await brings(world, '✅ disk is broken')
  await goes(world, 2)
  return world
}

const counted = '2 new, 1 no longer open: 1 closed by Dave Doe'

describe('/alert since', () => {
  it('tells whoever asks, privately, and is shared as the presser sees it', async () => {
    const world = await anHour()
    const { alice, bob, general, service } = world
    await world.connect(bob, bobToken)
    await alice.types('/alert since 4h', general)
    const told = await alice.sees('Customer 1 (12) since', general)
    expect(told.isEphemeral).toBe(true)
    expect(told.plain).toContain(counted)
    expect(told.plain).toContain('Counted since')
    expect(told.plain).toContain('1 still open · 1 unassigned')
    expect(told.plain).toContain('raid is broken')
    opens(world, 'mail')
    const before = service.requests.length

    await bob.types('/alert since 4h', general)
    await bob.presses('Show in channel', await bob.sees('Customer 1 (12) since', general))

    await world.slack.idle()
    const shared = inChannel(alice.messages(general), 'Customer 1 (12) since').find(
      ({ isEphemeral }) => !isEphemeral,
    )
    expect(shared?.plain).toContain('mail is broken')
    expect(shared?.plain).not.toContain('Show in channel')
    const reads = service.requests
      .slice(before)
      .filter(({ path }) => path === '/container/12/alerts')
    expect(reads.map(({ token }) => token)).toContain('bob')
  })

  it('is told to somebody without an account once they connect', async () => {
    const world = await anHour()
    const { bob, general } = world
    await bob.types('/alert since 1h', general)

    await connects(bob, bobToken, await bob.sees('I need your monitoring account', general))

    const told = await bob.sees('Customer 1 (12) since', general)
    expect(told.plain).toContain('1 still open')
  })

  it('doesn’t show what the asker’s own token can’t read', async () => {
    const world = await anHour()
    const { bob, general, service } = world
    service.addToken({ token: 'elsewhere-1', name: 'bob', flags: { 13: ['API', 'READ'] } })
    await world.connect(bob, 'elsewhere-1')
    await bob.types('/alert since 1h', general)
    const told = await bob.sees('Customer 1 (12) since', general)
    expect(told.plain).toContain('Your account can’t read what is open there.')
    expect(told.plain).not.toContain('raid')
  })

  it('says what is in maintenance, and what waits to be posted', async () => {
    const world = await openCustomer()
    world.expectRefusals()
    const { alice, general, service, slack } = world
    service.addAsset(34, { name: 'db-03', mode: 'maintenance' })
    await followed(world)
    const refusal = { error: 'restricted_action' }
    slack.trouble.fail('chat.postMessage', refusal, { times: 99 })
    opens(world, 'disk')
    await goes(world, 3)
    await alice.types('/alert since 1h', general)
    const told = await alice.sees('Customer 1 (12) since', general)
    expect(told.plain).toContain('🔧 db-03 is in maintenance')
    expect(told.plain).toContain('Waiting to be posted here: 1 new.')
    expect(told.plain).toContain('1 still open')
  })

  it('isn’t shared where another organisation reads by now', async () => {
    const world = await anHour()
    const { alice, general } = world
    await alice.types('/alert since 1h', general)
    const told = await alice.sees('Customer 1 (12) since', general)
    general.isShared = true
    await alice.presses('Show in channel', told)
    await alice.sees('People of another organisation may read in this channel', general)
    await world.slack.idle()
    const all = inChannel(alice.messages(general), 'Customer 1 (12) since')
    expect(all.every(({ isEphemeral }) => isEphemeral)).toBe(true)
  })

  it('is about what somebody’s account reads, in their messages with the bot', async () => {
    const world = await anHour()
    const { alice, bob } = world
    await alice.types('/alert since 1h', alice.dm)
    const told = await alice.sees('Customer 1 (12) since', alice.dm)
    expect(told.plain).toContain(counted)
    expect(told.plain).not.toContain('Show in channel')
    await bob.types('/alert since 1h', bob.dm)
    await bob.sees('Your account reads for no channel. Type this in a channel', bob.dm)
  })

  it('says what to do where nothing is followed', async () => {
    const { alice, general } = await openCustomer()
    await alice.types('/alert since 18:00', general)
    await alice.sees('type /alert follow 12', general)
  })

  it.each([
    ['', 'Type since when, at most seven days back'],
    ['whenever', 'I can’t read “whenever”. Type since when'],
    ['tomorrow', 'I can’t read “tomorrow”.'],
    ['8d', 'I can’t look back that far.'],
    ['2020-01-01', 'I can’t look back that far.'],
  ])('can’t tell since “%s”', async (when, words) => {
    const world = await openCustomer()
    await followed(world)
    await world.alice.types(`/alert since ${when}`, world.general)
    await world.alice.sees(words, world.general)
  })

  it.each(['18:00', 'yesterday 18:00', 'since yesterday 6pm', '14h', 'gisteren 18:00'])(
    'counts from %s on',
    async (when) => {
      const world = await openCustomer()
      const { alice, general } = world
      await comesTo(world, 'Tue 17:00')
      await followed(world)
      opens(world, 'early')
      await brings(world, 'early is broken')
      await comesTo(world, 'Tue 18:30')
      await goes(world, 1)
      opens(world, 'late')
      await brings(world, 'late is broken')
      await comesTo(world, 'Wed 07:58')
      await passes(world, minuteMs)
      await alice.types(`/alert since ${when}`, general)
      const told = await alice.sees('Customer 1 (12) since', general)
      expect(told.plain).toContain('1 new')
      expect(told.plain).toMatch(/I couldn’t look .*from .* to /)
    },
  )
})
