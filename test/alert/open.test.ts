// What is open in a container, for whoever asks.
import { describe, expect, it } from 'vitest'
import { openWorld, type World } from '../world.ts'

const hours = 3600

/** Three open alerts in container 12, which is called Customer 1, and one in 34. */
async function openThree(env?: Record<string, string>): Promise<World> {
  const world = await openWorld(env === undefined ? {} : { env })
  const { service, clock } = world
  const now = Math.floor(clock.now() / 1000)
  service.addContainer(12, { name: 'Customer 1' })
  service.addContainer(34, { name: 'Customer 2' })
  for (const id of [12, 34]) {
    service.addMember(id, { id: 7, name: 'Alice Archer', email: 'alice@example.com' })
    service.addMember(id, { id: 8, name: 'Bob Baker', email: 'bob@example.com' })
  }
  const add = (ks: string, message: string, severity: number, more: object = {}) =>
    service.addAlert({
      ks,
      message,
      severity,
      timestamp: now - 2 * hours,
      containerId: 12,
      ...more,
    })
  add('cpu', 'CPU is *busy*', 4)
  add('disk', 'Disk full', 2, { ownerId: 8 })
  add('raid', 'Array degraded', 3, { ownerId: 7 })
  add('mail', 'Queue grows', 1, { containerId: 34 })
  return world
}

const keysShown = (plain: string) =>
  plain.match(/Disk full|Array degraded|CPU is \*busy\*|Queue grows/g)

describe('/alert open', () => {
  it('lists what is open in a container, worst first, for the asker alone', async () => {
    const { alice, bob, general, log } = await openThree()

    await alice.types('/alert open 12', general)

    const list = await alice.sees('3 open in', general)
    expect(list.plain).toContain('3 open in Customer 1 (12), worst first')
    expect(keysShown(list.plain)).toEqual(['Disk full', 'Array degraded', 'CPU is *busy*'])
    expect(list.plain).toMatch(/🔴 CRITICAL · Disk full\s+2 h ago · assigned to Bob Baker/)
    expect(list.plain).toMatch(/🟡 WARNING · CPU is \*busy\*\s+2 h ago · unassigned/)
    expect(list.isEphemeral).toBe(true)
    expect(bob.messages(general)).toEqual([])
    expect(log.filter((line) => line.includes('an audit record was written'))).toHaveLength(1)
  })

  it('shows an alert’s card to whoever sees the list, and its asker can share it', async () => {
    const { alice, bob, general } = await openThree()
    await alice.types('/alert open 12', general)
    const list = await alice.sees(/2 h ago · assigned to Bob Baker · disk\n/, general)

    await alice.presses('Show card', list)
    const card = await alice.sees(/Disk full[\s\S]*Share in channel/, general)
    expect(card.isEphemeral).toBe(true)
    await alice.presses('Share in channel', card)
    await bob.sees(/Disk full[\s\S]*asked by alice/, general)

    await alice.types('/alert open 34', general)
    await alice.presses('Show in channel', await alice.sees('1 open in', general))
    const shared = await bob.sees(/1 open in Customer 2[\s\S]*mail/, general)
    await alice.presses('Show card', shared)
    await bob.sees(/Queue grows[\s\S]*asked by alice/, general)
  })

  it.each([
    ['open 12 mine', ['Array degraded'], '1 open in @ · yours'],
    ['open 12 unassigned', ['CPU is *busy*'], '1 open in @ · unassigned'],
    [
      'open 12 min error',
      ['Disk full', 'Array degraded'],
      '2 open in @, worst first · error or worse',
    ],
    ['open 12 min 0', null, 'None of the 3 alerts open in @ is 0 or worse.'],
    ['list "12"', ['Disk full', 'Array degraded', 'CPU is *busy*'], '3 open in'],
  ])('reads /alert %s', async (line, keys, headline) => {
    const { alice, general } = await openThree()

    await alice.types(`/alert ${line}`, general)

    // Its name comes where the service tells it soon enough.
    const where = '(Customer 1 \\(12\\)|container 12)'
    const list = await alice.sees(new RegExp(headline.replace('@', where)), general)
    expect(keysShown(list.plain)).toEqual(keys)
  })

  it('needs no container where one was used before, takes its name, and offers others', async () => {
    const { alice, general } = await openThree()
    await alice.types('/alert open', general)
    await alice.sees('I don’t know a container of yours yet.', general)
    await alice.types('/alert open 34', general)
    await alice.sees('1 open in Customer 2 (34)', general)
    await alice.types('/alert open 12', general)
    await alice.sees('3 open in Customer 1 (12)', general)

    await alice.types('/alert open customer 2', general)
    await expect
      .poll(() => alice.messages(general).filter(({ plain }) => plain.includes('1 open in')).length)
      .toBe(2)
    await alice.types('/alert mine', general)
    const mine = await alice.sees('The only alert open in Customer 2 (34) isn’t yours.', general)

    await alice.presses('Customer 1 (12)', mine)
    await alice.sees('1 open in Customer 1 (12) · yours', general)
  })

  it('knows a container by a name in quotes, whatever other words it holds', async () => {
    const { alice, general, service } = await openThree()
    service.addContainer(56, { name: 'All critical mine' })
    await alice.types('/alert open 56', general)
    await alice.sees('Nothing is open in All critical mine (56).', general)

    await alice.types('/alert open 12', general)
    await alice.sees('3 open in', general)
    await alice.types('/alert open "all critical mine" min error', general)
    await expect
      .poll(() => alice.screen(general).match(/Nothing is open in All critical mine/g))
      .toHaveLength(2)
    await alice.types('/alert open customer 1 all mine', general)
    await alice.sees('1 open in Customer 1 (12) · yours', general)
  })

  it('pages through more than fit, and never cuts silently', async () => {
    const { alice, general, service, clock } = await openThree()
    const timestamp = Math.floor(clock.now() / 1000) - hours
    for (let nth = 1; nth <= 20; nth += 1)
      service.addAlert({
        ks: `k${nth}`,
        message: `Probe ${nth}`,
        severity: 5,
        timestamp,
        containerId: 12,
      })

    await alice.types('/alert open 12', general)
    const list = await alice.sees('1 to 20 of 23 open in Customer 1 (12), worst first', general)
    await alice.presses('Show more', list)

    const rest = await alice.sees('21 to 23 of 23 open in Customer 1 (12)', general)
    expect(rest.plain.match(/Probe/g)).toHaveLength(3)
  })

  it('says that nothing is open, and tells that from a container that it is not shown', async () => {
    const { alice, bob, general, service, connect } = await openThree()
    service.addContainer(56, { name: 'Customer 3' })
    await alice.types('/alert open 56', general)
    await alice.sees('Nothing is open in Customer 3 (56).', general)
    await alice.types('/alert open 99', general)
    await alice.sees('Monitoring knows no container 99, or doesn’t show it to you.', general)
    service.addToken({ token: 'bob-little', name: 'bob-little', flags: ['API'] })
    await connect(bob, 'bob-little')

    await bob.types('/alert open 12', general)

    await expect.poll(() => bob.messages(general)).toHaveLength(1)
    expect(bob.screen(general)).not.toContain('open in')
  })

  it('is not there where Bellhop looks up one alert at a time', async () => {
    const { alice, general, service } = await openThree({ MONITOR_OPERATIONS: 'basic' })
    const asked = service.requests.length

    await alice.types('/alert open 12', general)

    await alice.sees('I only read alerts here', general)
    expect(service.requests).toHaveLength(asked)
  })
})

describe('a list in a channel', () => {
  it('is shown to everybody there when its asker says so, and leads to following the container', async () => {
    const { alice, bob, general } = await openThree()
    await alice.types('/alert open 12 min error', general)

    const own = await alice.sees('2 open in', general)
    await alice.presses('Show in channel', own)

    const list = await bob.sees('2 open in Customer 1 (12), worst first · error or worse', general)
    expect(list.plain).toContain('assigned to Bob Baker')
    await bob.doesNotSee('Show more', general)
    await alice.presses('Follow in this channel', own)
    await alice.sees('its alerts of ERROR and worse', general)
  })

  it('names nobody where another organisation reads', async () => {
    const { alice, slack } = await openThree()
    const both = slack.addChannel({
      name: 'both',
      members: [alice],
      botIsMember: true,
      isShared: true,
    })
    await alice.types('/alert open 12', both)
    await alice.presses('Show in channel', await alice.sees('3 open in Customer 1', both))
    const list = await alice.sees('3 open in container 12', both)
    expect(list.plain).not.toContain('Bob Baker')
  })

  it('is of the container that the channel follows, with a button for what somebody used last', async () => {
    const { alice, general, slack } = await openThree()
    const other = slack.addChannel({ name: 'other', members: [alice], botIsMember: true })
    await alice.types('/alert follow 34', general)
    await alice.presses('Follow', await alice.sees('in this channel?', general))
    await alice.sees('Following Customer 2 (34)', general)
    await alice.types('/alert open 12', other)
    await alice.sees('3 open in', other)

    await alice.types('/alert open', general)
    const list = await alice.sees(/1 open in Customer 2 \(34\)\n/, general)
    await alice.presses('Customer 1 (12)', list)
    await alice.sees('3 open in Customer 1 (12)', general)

    await alice.types('/alert mine', other)
    await alice.sees('1 open in Customer 1 (12) · yours', other)
  })
})

describe('the form', () => {
  it('offers what is open where somebody looked last, and still takes a key', async () => {
    const { alice, general, service } = await openThree()
    await alice.types('/alert', general)
    expect((await alice.seesModal('Look up an alert')).labels).toEqual(['Alert key', 'Post to'])
    await alice.closes()
    await alice.types('/alert open 12', general)
    await alice.sees('3 open in', general)

    await alice.types('/alert', general)
    const form = await alice.seesModal('Look up an alert')
    expect(form.labels).toEqual(['Alert key', 'Or one that is open', 'Post to'])
    expect(form.choices('Or one that is open')[0]).toBe('🔴 CRITICAL · Disk full')
    await alice.submits()
    expect(alice.modal?.errors['Alert key']).toBe('Type the alert’s key, or paste its link.')
    await alice.submits({ fields: { 'Or one that is open': '🔴 CRITICAL · Disk full' } })
    await alice.sees(/Disk full[\s\S]*Close alert/, general)

    await alice.types('/alert', general)
    await alice.seesModal('Look up an alert')
    await alice.submits({
      fields: { 'Alert key': 'cpu', 'Or one that is open': '🔴 CRITICAL · Disk full' },
    })
    await alice.sees(/CPU is \*busy\*[\s\S]*Close alert/, general)
    expect(service.requests.filter(({ path }) => path === '/alert/cpu')).toHaveLength(1)
  })
})
