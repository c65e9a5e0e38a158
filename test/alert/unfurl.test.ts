// Links of alerts that people post get the alert's state below them.
import { describe, expect, it } from 'vitest'
import { aliceToken, connects, openWorld, type WorldOptions } from '../world.ts'

const link = 'https://monitor.example.com/alert/5HkX'
const diskFull = {
  ks: '5HkX',
  message: 'Disk full on <!channel> & *db1*',
  severity: 2,
  timestamp: 1_700_000_000,
  ownerId: 7,
} as const

/** Its one alert is `diskFull`. */
async function open(options?: WorldOptions) {
  const world = await openWorld(options)
  world.service.addAlert(diskFull)
  return { ...world, world }
}

describe('the link of an alert that somebody posts', () => {
  it('shows everybody state, severity, message and age, and no more', async () => {
    const { alice, bob, general } = await open()

    alice.says(`Look: ${link}`, general)

    const unfurl = await bob.seesUnfurl('CRITICAL', await bob.sees('Look:', general))
    expect(unfurl.plain.split('\n')).toEqual([
      '🔴 Disk full on <!channel> & *db1*',
      'CRITICAL · opened 2023-11-14 22:13 UTC',
    ])
    expect(unfurl.unfurl.attachment.fallback).toBe(
      'CRITICAL: Disk full on &lt;!channel&gt; &amp; *db1*',
    )
    expect(unfurl.buttons).toEqual([])
  })

  it('is shown where the bot is not a member, and in threads', async () => {
    const { alice, bob, ops } = await open()
    const parent = bob.says('What is it?', ops)

    const reply = alice.says(link, parent)

    await bob.seesUnfurl('Disk full', reply)
  })

  it('is left alone where it holds their own token, and the others in the message are shown', async () => {
    const { alice, bob, general, service, slack, log } = await open()

    const message = alice.says(
      `${link} and https://monitor.example.com/alert/${aliceToken}`,
      general,
    )

    await bob.seesUnfurl('Disk full', message)
    await slack.idle()
    expect(message.unfurls).toHaveLength(1)
    expect(service.requests.filter(({ path }) => path.includes(aliceToken))).toEqual([])
    expect(log.filter((line) => line.includes('could not'))).toEqual([])
  })

  it('stays a link when the service does not give the alert, and nobody is told', async () => {
    const { alice, general, service, slack } = await openWorld()
    const message = alice.says(link, general)
    await slack.idle()
    service.addAlert(diskFull)
    service.trouble.answer(503)
    alice.says(`again ${link}`, general)
    await slack.idle()

    expect(message.unfurls).toEqual([])
    expect(alice.messages(general)).toHaveLength(2)
    expect(alice.messages(alice.dm)).toEqual([])
  })
})

describe('somebody who is not connected and posts a link', () => {
  it('is asked once, privately, also after a restart, and then the link has its preview', async () => {
    const { world, alice, bob, general, slack } = await open({ isAliceConnected: false })
    const message = alice.says(link, general)
    const ask = await alice.sees('You posted a link to an alert', general)
    expect(ask.isEphemeral).toBe(true)
    await world.restart()
    alice.says(`once more ${link}`, general)
    await slack.idle()
    expect(alice.messages(general).filter(({ isEphemeral }) => isEphemeral)).toHaveLength(1)

    await connects(alice, aliceToken, ask)

    await bob.seesUnfurl('Disk full', message)
    expect(bob.messages(general)).toHaveLength(2)
  })
})

describe('a message with very many links', () => {
  it('has a preview of the first five, each below its own link', async () => {
    const { alice, general, service, slack } = await openWorld()
    const many = Array.from({ length: 8 }, (_, index) => `k${index}`)
    for (const ks of many) service.addAlert({ ks, message: `alert ${ks}` })
    const links = many.map((ks) => `https://monitor.example.com/alert/${ks}?tab=1`)

    const message = alice.says(links.join(' and '), general)

    await alice.seesUnfurl('alert k0', message)
    await slack.idle()
    expect(message.unfurls.map(({ url }) => url).toSorted()).toEqual(links.slice(0, 5))
  })
})

describe('links that get no preview', () => {
  it('are those of webhooks and of other organisations, and those that are still being written', async () => {
    const { alice, general, slack, service } = await openWorld()
    const eve = slack.addPerson({ name: 'eve', teamId: 'T0OTHER01' })
    const shared = slack.addChannel({
      name: 'shared',
      members: [alice, eve],
      botIsMember: true,
      isShared: true,
    })
    service.addAlert(diskFull)

    slack.webhook(general, { text: link })
    eve.says(link, shared)
    await alice.drafts(link, general)

    await slack.idle()
    expect(service.requests.filter(({ path }) => path === '/alert/5HkX')).toEqual([])
    expect(slack.calls.filter(({ method }) => method === 'chat.unfurl')).toEqual([])
    expect(eve.messages(shared)).toHaveLength(1)
  })

  it('are all of them with UNFURL=off', async () => {
    const { alice, general, slack, service } = await open({ env: { UNFURL: 'off' } })

    const message = alice.says(link, general)

    await slack.idle()
    expect(message.unfurls).toEqual([])
    expect(service.requests.filter(({ path }) => path === '/alert/5HkX')).toEqual([])
  })
})
