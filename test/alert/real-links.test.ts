// Links of alerts as the service has them, which hold no key: pasted, posted, remembered, and opened from cards.
import { describe, expect, it } from 'vitest'
import { alertUrl } from '../../playground/monitor/world.ts'
import { aliceToken, bobToken, openWorld, type World, type WorldOptions } from '../world.ts'
import { linkIn } from './link-in.ts'

const diskFull = {
  ks: '5HkX',
  message: 'Disk full',
  severity: 2,
  timestamp: 1_700_000_000,
  containerId: 12,
  assetId: 34,
  link: { conditionId: 5, item: '/var log' },
} as const
/** Its one alert is `diskFull`. */
async function openLinks(options: WorldOptions = {}) {
  const world = await openWorld({
    ...options,
    env: { MONITOR_ALERT_URL: alertUrl, ...options.env },
  })
  return { ...world, world, alert: world.service.addAlert(diskFull) }
}

const realLink =
  'https://monitoring.example.com/container/12/asset/34/alert?condition=5&item=%2Fvar%20log&alert=1700000000'
const gone = 'No open alert matches that link'

const asked = ({ service }: World, since = 0) =>
  service.requests.slice(since).map(({ path, token }) => `${path} ${token}`)

describe('a link without a key, behind /alert', () => {
  it('shows the alert that was opened in that second on that asset, asked for with the asker’s token', async () => {
    const { world, alice, bob, general, service } = await openLinks()
    service.addAlert({ ...diskFull, ks: 'later', message: 'Disk fuller', timestamp: 1_700_000_001 })
    service.addAlert({ ...diskFull, ks: 'elsewhere', message: 'Disk of another', assetId: 35 })
    expect(service.linkOf('5HkX')).toBe(realLink)
    const before = service.requests.length

    await alice.types(`/alert ${realLink}`, general)

    const card = await bob.sees('Disk full', general)
    expect(card.plain).toContain('5HkX')
    expect(linkIn(card)).toBe(realLink)
    expect(asked(world, before).slice(0, 2)).toEqual([
      '/asset/34/alerts alice',
      '/alert/5HkX alice',
    ])
    expect(service.requests.find(({ path }) => path.startsWith('/asset'))?.query).toBe(
      'fields=ks,timestamp,lastMessage,lastSeverity,ownerId',
    )
  })

  it('asks which one, privately, where several were opened in that second', async () => {
    const { alice, bob, general, service } = await openLinks()
    service.addAlert({ ...diskFull, ks: 'worst', message: 'Disk gone', severity: 0 })

    await alice.types(`/alert ${realLink}`, general)

    const choice = await alice.sees('2 alerts match that link, opened in the same second', general)
    expect(choice.isEphemeral).toBe(true)
    expect(choice.plain.match(/Disk \w+/g)).toEqual(['Disk gone', 'Disk full'])
    expect(bob.screen(general)).not.toContain('Disk')
    await alice.presses('Show card', choice)
    await alice.presses(
      'Share in channel',
      await alice.sees(/Disk gone[\s\S]*Share in channel/, general),
    )
    await bob.sees(/Disk gone[\s\S]*asked by alice/, general)
    expect(bob.screen(general)).not.toContain('Disk full')
  })

  it('says so when its alert is not among the open ones, or the asset is not known', async () => {
    const { world, alice, general, service, alert } = await openLinks()
    service.addAlert({ ...diskFull, ks: 'open', timestamp: 1_700_000_009 })
    alert.close()

    await alice.types(`/alert ${realLink}`, general)
    await alice.sees(gone, general)
    await alice.types(`/alert ${realLink.replace('asset/34', 'asset/99')}`, general)

    await expect
      .poll(() => alice.messages(general).filter(({ plain }) => plain.includes(gone)))
      .toHaveLength(2)
    // A mistyped number costs nobody anything.
    await alice.types(`/alert ${service.linkOf('open')}`, general)
    await alice.sees('asked by alice', general)
    expect(asked(world)).toContain('/alert/open alice')
  })

  it('that holds their own token is not looked up, and not kept', async () => {
    const { world, alice, general } = await openLinks()
    const before = world.service.requests.length

    await alice.types(`/alert ${realLink.replace('%2Fvar%20log', aliceToken)}`, general)

    await alice.sees('That looks like an API token', general)
    expect(asked(world, before)).toEqual([])
    expect(world.databaseBytes().includes(aliceToken)).toBe(false)
  })
})

describe('what a link was found to lead to', () => {
  it('is remembered for whoever asked: once closed, their link still shows it, and nobody else’s does', async () => {
    const { world, alice, bob, general, service, connect, alert } = await openLinks()
    await connect(bob, bobToken)
    await alice.types(`/alert ${realLink}`, general)
    await bob.sees('Customer 1 (12)', general)
    alert.close()
    const before = service.requests.length

    await world.restart()
    await alice.types(`/alert ${realLink}`, general)
    await alice.sees('Closed', general)
    expect(asked(world, before).filter((path) => path.startsWith('/asset/34/alerts'))).toEqual([])
    await bob.types(`/alert ${realLink}`, general)

    await bob.sees(gone, general)
  })

  it('comes to a card without it that is refreshed', async () => {
    const { alice, bob, general, alert } = await openLinks()
    await alice.types('/alert 5HkX', general)
    const bare = await bob.sees('asked by alice', general)
    await alice.types(`/alert ${realLink} private`, general)
    await alice.sees(/Disk full[\s\S]*Share in channel/, general)
    alert.hit({ message: 'Disk fuller' })

    await alice.presses('Refresh', bare)

    await bob.sees('Disk fuller', general)
    expect(linkIn(bare)).toBe(realLink)
  })

  it('is forgotten when they disconnect', async () => {
    const { alice, bob, general, connect, alert } = await openLinks()
    await alice.types(`/alert ${realLink}`, general)
    await bob.sees('Disk full', general)
    alert.close()
    await alice.types('/alert disconnect', general)
    await alice.sees('deleted your token', general)
    await connect(alice, aliceToken)

    await alice.types(`/alert ${realLink}`, general)

    await alice.sees(gone, general)
  })
})

describe('the preview of a link without a key', () => {
  it('is not there where none or several fit, and nobody is told', async () => {
    const { world, alice, general, slack, service } = await openLinks()
    service.addAlert({ ...diskFull, ks: 'too' })
    const closed = { ...diskFull, ks: 'closed', timestamp: 1_700_000_009 }
    service.addAlert(closed).close()

    const message = alice.says(`${realLink} ${service.linkOf('closed')}`, general)

    await world.serviceWasAsked('/asset/34/alerts', 2)
    await slack.idle()
    expect(message.unfurls).toEqual([])
    expect(alice.messages(general)).toHaveLength(1)
  })
})

describe('a service that does not list the alerts of an asset', () => {
  it('gets a plain answer for the link, and keys work', async () => {
    const { alice, bob, general, service } = await openLinks()
    service.trouble.answer(405, { times: 1 })

    await alice.types(`/alert ${realLink}`, general)
    await alice.sees('doesn’t list open alerts at the moment', general)
    await alice.types('/alert 5HkX', general)
    await bob.sees('Disk full', general)
  })
})

describe('MONITOR_OPERATIONS=basic', () => {
  it('asks for no list: a link without a key is no link', async () => {
    const { alice, bob, general, service, slack } = await openLinks({
      env: { MONITOR_OPERATIONS: 'basic' },
    })

    await alice.types(`/alert ${realLink}`, general)
    await alice.sees('Links aren’t set up here', general)
    alice.says(realLink, general)
    await slack.idle()
    await alice.types('/alert 5HkX', general)
    const card = await bob.sees('asked by alice', general)

    expect(card.buttons).not.toContain('Open in monitoring')
    expect(service.requests.filter(({ path }) => path.startsWith('/asset'))).toEqual([])
  })
})
