// `/alert style`: the channel decides how loud.
import { describe, expect, it } from 'vitest'
import { comment } from '../watch/live.ts'
import { openWorld } from '../world.ts'

const diskFull = { ks: '5HkX', message: 'Disk full' } as const

async function quietWorld() {
  const world = await openWorld()
  world.service.addAlert(diskFull)
  await world.alice.types('/alert style quiet', world.general)
  await world.bob.sees('alice made Bellhop quiet', world.general)
  return world
}

describe('/alert style', () => {
  it('says in the channel who has set it, and pings nobody', async () => {
    const { alice, bob, general } = await openWorld()

    await alice.types('/alert style quiet', general)

    const said = await bob.sees('alice made Bellhop quiet here: only', general)
    expect(said.isEphemeral).toBe(false)
    expect(said.pings).toEqual([])
  })

  it('is said where the bot is not a member, too', async () => {
    const { alice, bob, ops } = await openWorld()

    await alice.types('/alert style quiet', ops)

    await bob.sees('alice made Bellhop quiet', ops)
  })

  it('alone tells the asker how it is set', async () => {
    const { alice, bob, general } = await openWorld()
    await alice.types('/alert style', general)
    expect((await alice.sees('style is thread', general)).isEphemeral).toBe(true)
    await alice.types('/alert style quiet', general)
    await bob.sees('alice made Bellhop quiet', general)

    await bob.types('/alert style', general)

    expect((await bob.sees('style is quiet', general)).plain).toContain('Set by alice')
  })

  it.each([
    ['what is set already', '/alert style thread', 'This channel’s style is already thread.'],
    [
      'another word',
      '/alert style loud',
      'There’s no style “loud”. Type /alert style thread or /alert style quiet.',
    ],
    ['too many words', '/alert style quiet please', 'Nothing goes after /alert style quiet.'],
  ])('changes nothing for %s', async (_what, line, words) => {
    const { alice, bob, general } = await openWorld()

    await alice.types(line, general)

    expect((await alice.sees(words, general)).isEphemeral).toBe(true)
    expect(bob.messages(general)).toEqual([])
  })

  it('has no meaning in a direct message', async () => {
    const { alice } = await openWorld()
    await alice.types('/alert style quiet', alice.dm)
    await alice.sees('Only channels have a style', alice.dm)
  })

  it('survives a restart', async () => {
    const world = await quietWorld()
    await world.restart()

    await world.alice.types('/alert 5HkX', world.general)

    expect((await world.alice.sees('Disk full', world.general)).isEphemeral).toBe(true)
  })
})

describe('in a quiet channel', () => {
  it('a card is for the asker alone, with its history, and says why', async () => {
    const { alice, bob, general } = await quietWorld()

    await alice.types('/alert 5HkX', general)

    const card = await alice.sees('Disk full', general)
    expect(card.isEphemeral).toBe(true)
    expect(card.plain).toContain('No actions on this alert yet.')
    expect(card.plain).toContain('this channel is set to quiet')
    expect(card.buttons).not.toContain('Share in channel')
    expect(bob.messages(general)).toHaveLength(1)
  })

  it('so it is from the form, a mention, and a message’s menu', async () => {
    const { alice, bob, general, ops, slack } = await quietWorld()
    const parent = bob.says('https://monitor.example.com/alert/5HkX', general)

    await alice.types('/alert', ops)
    await alice.seesModal('Look up an alert')
    await alice.submits({ fields: { 'Alert key': '5HkX', 'Post to': general } })
    alice.says('@Bellhop alert 5HkX', general)
    await alice.usesShortcut('alert.look-up-in-message', parent)
    await slack.idle()

    const cards = slack.messagesIn(general).filter(({ text }) => text.includes('Key 5HkX'))
    expect(cards.map(({ ephemeralFor }) => ephemeralFor)).toEqual([alice.id, alice.id, alice.id])
  })

  it('a watched card lives in the direct message', async () => {
    const { alice, general } = await quietWorld()

    await alice.types('/alert 5HkX watch', general)

    await alice.sees(/Disk full[\s\S]*● Live/, alice.dm)
    await alice.sees('The card is live in', general)
  })

  it('a card that was private before is shared no more', async () => {
    const { alice, bob, general, service } = await openWorld()
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX private', general)
    const card = await alice.sees('Disk full', general)
    await bob.types('/alert style quiet', general)
    await alice.sees('bob made Bellhop quiet', general)

    await alice.presses('Share in channel', card)

    await alice.sees('now quiet, so this card can’t be shared', general)
    expect(
      bob
        .messages(general)
        .map(({ plain }) => plain)
        .join(),
    ).not.toContain('Disk full')
  })

  it('all is as before once it is set back', async () => {
    const { alice, bob, general } = await quietWorld()
    await bob.types('/alert style thread', general)
    await alice.sees('bob set this channel’s style to thread', general)

    await alice.types('/alert 5HkX', general)

    await bob.sees('asked by alice', general)
  })

  it('news of a card from before go to whoever refreshes it, once', async () => {
    const { alice, bob, general, service } = await openWorld()
    const alert = service.addAlert(diskFull)
    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('asked by alice', general)
    await alice.sees('No actions on this alert yet.', card)
    await bob.types('/alert style quiet', general)
    await alice.sees('bob made Bellhop quiet', general)
    alert.act(comment('On it.'))

    await alice.presses('Refresh', card)

    const news = await alice.sees('On it.', general)
    expect(news.isEphemeral).toBe(true)
    expect(card.thread).toHaveLength(1)
    await bob.types('/alert style thread', general)
    await alice.sees('bob set this channel’s style to thread', general)
    await alice.presses('Refresh', card)
    await alice.presses('Refresh', card)
    expect(card.thread.filter(({ plain }) => plain.includes('On it.'))).toEqual([])
  })

  it('a card from before is watched in the direct message', async () => {
    const { alice, bob, general, service } = await openWorld()
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('asked by alice', general)
    await bob.types('/alert style quiet', general)
    await alice.sees('bob made Bellhop quiet', general)

    await alice.presses('Watch', card)

    await alice.sees(/Disk full[\s\S]*● Live/, alice.dm)
    expect(card.plain).not.toContain('Live')
  })
})

describe('a style that nobody could be told of', () => {
  it('does not hold', async () => {
    const world = await openWorld()
    const { alice, bob, general, service, slack } = world
    world.expectRefusals()
    service.addAlert(diskFull)
    slack.trouble.fail('chat.postMessage', { error: 'restricted_action' })
    slack.trouble.fail('response_url', { error: 'restricted_action' })

    await alice.types('/alert style quiet', general)
    await alice.sees(/can’t post in this channel|Slack didn’t accept/, general)
    await alice.types('/alert style', general)

    const style = await alice.sees('This channel’s style is', general)
    expect(style.plain).toContain('style is thread')
    expect(style.plain).not.toContain('Set by')
    expect(bob.messages(general)).toEqual([])
  })

  it('leaves the one before, and who has set that', async () => {
    const world = await quietWorld()
    const { alice, bob, general, slack } = world
    world.expectRefusals()
    slack.trouble.fail('chat.postMessage', { error: 'restricted_action' })
    slack.trouble.fail('response_url', { error: 'restricted_action' })

    await bob.types('/alert style thread', general)
    await bob.sees(/can’t post in this channel|Slack didn’t accept/, general)
    await alice.types('/alert style', general)

    expect((await alice.sees('style is quiet', general)).plain).toContain('Set by alice')
  })
})

describe('a style that others may have been told of', () => {
  it('holds where it is quiet: what they read is so', async () => {
    const world = await openWorld()
    const { alice, bob, general, service, slack } = world
    world.expectRefusals()
    service.addAlert(diskFull)
    slack.trouble.cut('chat.postMessage', { times: 1, takesEffect: true })
    await alice.types('/alert style quiet', general)
    await bob.sees('alice made Bellhop quiet here', general)
    await alice.sees('Slack didn’t accept', general)

    await alice.types('/alert 5HkX', general)

    expect((await alice.sees('Disk full', general)).isEphemeral).toBe(true)
  })

  it('does not hold where it is louder: nobody sees what they may not expect', async () => {
    const world = await quietWorld()
    const { alice, bob, general, slack } = world
    world.expectRefusals()
    slack.trouble.cut('chat.postMessage', { times: 1, takesEffect: true })
    await bob.types('/alert style thread', general)
    await bob.sees('Slack didn’t accept', general)

    await alice.types('/alert 5HkX', general)

    expect((await alice.sees('Disk full', general)).isEphemeral).toBe(true)
  })
})
