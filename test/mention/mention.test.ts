// The same words, written to the bot: in a channel, in a thread, in the direct message with it.
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { withAlert } from '../act/on-card.ts'
import { allBut } from '../doctor/scopes.ts'
import { aliceToken, openWorld } from '../world.ts'

const diskFull = { ks: '5HkX', message: 'Disk full' } as const

describe('@Bellhop alert', () => {
  it.each([
    ['as it is', '@Bellhop alert 5HkX'],
    ['as a key alone', '@Bellhop 5HkX'],
    ['as a link alone', '@Bellhop https://monitor.example.com/alert/5HkX'],
    ['with the slash of the command', '@Bellhop /alert 5HkX'],
    ['behind a greeting', 'Hello @Bellhop alert 5HkX'],
    ['before the name', 'alert 5HkX @Bellhop'],
    ['on one line of several', 'Good morning.\n@Bellhop Alert 5HkX\nThank you.'],
    ['in code font, as help shows it', '@Bellhop `alert 5HkX`'],
  ])('is understood %s', async (_how, text) => {
    const { alice, bob, general } = await withAlert()

    alice.says(text, general)

    const card = await bob.sees('asked by alice', general)
    await bob.sees('No actions on this alert yet.', card)
  })

  it('offers the form where no key is written', async () => {
    const { alice, bob, general } = await withAlert()
    alice.says('@Bellhop alert', general)

    await alice.presses('Look up an alert', await alice.sees('Which alert?', general))
    await alice.seesModal('Look up an alert')
    await alice.submits({ fields: { 'Alert key': '5HkX', 'Post to': general } })

    await bob.sees('asked by alice', general)
  })
})

describe('@Bellhop grant', () => {
  it('grants, and tells the asker alone, in the thread', async () => {
    const { alice, bob, general, service } = await openWorld()
    const parent = bob.says('Dave cannot see it.', general)

    alice.says('@Bellhop grant 12 dave@example.com viewer', parent)

    const receipt = await alice.sees('Granted', await alice.sees('Dave cannot', general))
    expect(receipt.isEphemeral).toBe(true)
    expect(service.membersOf(12).map(({ email }) => email)).toEqual(['dave@example.com'])
  })

  it('offers the form, filled in with what was written', async () => {
    const { alice, general } = await openWorld()
    alice.says('@Bellhop grant 12 dave@example.com', general)

    await alice.presses('Open the form', await alice.sees('Open the form to choose', general))

    const form = await alice.seesModal('Grant access')
    expect(form.values).toMatchObject({ Container: '12', Email: 'dave@example.com' })
  })
})

describe('words in the direct message with the bot', () => {
  it('need no mention, and everything stays there', async () => {
    const { alice } = await withAlert()

    alice.says('alert 5HkX', alice.dm)

    const card = await alice.sees('Disk full', alice.dm)
    await alice.sees('No actions on this alert yet.', card)
    alice.says('grant 12 dave@example.com viewer', alice.dm)
    expect((await alice.sees('Granted', alice.dm)).isEphemeral).toBe(false)
  })

  it('are always answered: with the help when they are not understood', async () => {
    const { alice } = await openWorld()
    const helps = () =>
      alice.messages(alice.dm).filter(({ plain }) => plain.includes('I didn’t understand'))

    for (const [at, words] of ['Is the disk all right?', 'the web server'].entries()) {
      alice.says(words, alice.dm)
      await expect.poll(() => helps().length).toBe(at + 1)
    }
  })

  it.each([
    'hi',
    'Hello?',
    'Good morning!',
    'hey Bellhop',
    ':wave:',
    '👍',
    ':+1:',
    'Moin',
    'Thank you!',
  ])('are answered when they greet or thank: %s', async (words) => {
    const { alice, service } = await openWorld()
    const asked = service.requests.length

    alice.says(words, alice.dm)

    const answer = await alice.sees('A key or a link alone', alice.dm)
    expect(answer.plain).not.toContain('I didn’t understand')
    expect(service.requests).toHaveLength(asked)
  })

  it.each(['5HkX', '`5HkX`', 'https://monitor.example.com/alert/5HkX', '5HkX private'])(
    'look an alert up when they are nothing but its key or link: %s',
    async (words) => {
      const { alice } = await withAlert()

      alice.says(words, alice.dm)

      await alice.sees('No actions on this alert yet.', await alice.sees('Refresh', alice.dm))
    },
  )

  it.each([
    ['coment 5HkX "Old logs."', '/alert comment 5HkX'],
    ['asign 5HkX me', '/alert assign 5HkX me'],
    ['Watchs bitte', '/alert watches'],
  ])(
    'and begin with a mistyped word get what was meant, as behind a mention and a command: %s',
    async (words, meant) => {
      const { alice, general } = await withAlert()

      alice.says(words, alice.dm)
      const direct = await alice.sees('Did you mean', alice.dm)
      alice.says(`@Bellhop ${words}`, general)
      const mentioned = await alice.sees('Did you mean', general)

      expect(direct.buttons).toEqual([`Run ${meant}`])
      expect(mentioned.isEphemeral).toBe(true)
      expect(mentioned.plain).toBe(direct.plain)
      const { length } = alice.messages(general)
      await alice.types(`/alert ${words}`, general)
      await expect.poll(() => alice.messages(general)[length]?.plain).toBe(direct.plain)
    },
  )
})

describe('what looks like a token', () => {
  const hexadecimal = '5f0c2a9e71b34d685f0c2a9e71b34d68'
  // In two parts: hosts of code refuse what looks like a token of Slack's.
  const slackish = ['xoxb', '123456789012-abcdefABCDEF'].join('-')

  it.each([
    ['32 hexadecimal digits', hexadecimal, 'dm'],
    ['at the end of a sentence', `${hexadecimal}.`, 'dm'],
    ['one of Slack’s', slackish, 'dm'],
    ['among other words', `my token is ${hexadecimal}`, 'dm'],
    ['behind a mention', `@Bellhop ${hexadecimal}`, 'general'],
    ['behind connect, in a mention', `@Bellhop connect ${slackish}`, 'general'],
  ] as const)(
    '%s is not sent, kept or repeated, and the way to where it belongs is shown',
    async (_, words, where) => {
      const world = await openWorld({ isAliceConnected: false })
      const { alice, general, service, databaseBytes, log, slack } = world
      const channel = where === 'dm' ? alice.dm : general

      alice.says(words, channel)

      const answer = await alice.sees('That looks like an API token', channel)
      expect(answer.plain).toContain('Delete your message')
      expect(answer.plain).toContain('If others may have seen it, revoke it')
      await alice.presses('Connect account', answer)
      await alice.seesModal('Connect account')
      await slack.idle()
      expect(service.requests).toEqual([])
      const token = words.includes(slackish) ? slackish : hexadecimal
      expect(JSON.stringify(slack.calls)).not.toContain(token)
      expect(log.join()).not.toContain(token)
      expect(databaseBytes().includes(token)).toBe(false)
    },
  )

  it('is refused as the key of a command as well, quoted or not', async () => {
    const { alice, general, service } = await openWorld()
    const asked = service.requests.length

    for (const line of [hexadecimal, `"${hexadecimal}" private`, `connect ${hexadecimal}`]) {
      await alice.types(`/alert ${line}`, general)
      const answer = await alice.sees('That looks like an API token', general)
      expect(answer.plain).not.toContain('Delete your message')
      expect(answer.buttons).toEqual(['Connect account'])
    }

    expect(service.requests).toHaveLength(asked)
  })

  it('or is the asker’s own is not sent, in whatever form', async () => {
    const { alice, service, slack, databaseBytes } = await openWorld()
    const asked = service.requests.length

    alice.says(aliceToken, alice.dm)

    await alice.sees('Delete your message', alice.dm)
    await slack.idle()
    expect(service.requests).toHaveLength(asked)
    expect(databaseBytes().includes(aliceToken)).toBe(false)
    expect(JSON.stringify(slack.calls)).not.toContain(aliceToken)
  })

  it('bring the help whenever it is asked for', async () => {
    const { alice, slack } = await openWorld()

    for (const word of ['help', 'Help!', '?']) alice.says(word, alice.dm)
    await alice.sees('alert help', alice.dm)
    await slack.idle()

    const helps = alice.messages(alice.dm).filter(({ plain }) => plain.includes('alert help'))
    expect(helps).toHaveLength(3)
  })
})

describe('what is not for the bot', () => {
  it('is not answered: its own messages, other bots, edits, and words that do not name it', async () => {
    const { alice, general, slack, service } = await withAlert()
    alice.says('alert 5HkX', general)
    slack.webhook(general, { text: `<@${slack.bot.userId}> alert 5HkX` })
    await slack.event({
      type: 'message',
      subtype: 'message_changed',
      channel: alice.dm.id,
      channel_type: 'im',
      message: { user: alice.id, text: 'alert 5HkX', ts: '1.2' },
    })
    await slack.idle()

    expect(service.requests.filter(({ path }) => path.includes('5HkX'))).toEqual([])
    expect(slack.calls.filter(({ method }) => method.startsWith('chat.'))).toEqual([])
  })
})

describe('a mention', () => {
  it('that nobody can read is answered with the help, to whoever wrote it alone', async () => {
    const { alice, general } = await openWorld()

    alice.says('@Bellhop what a day', general)

    expect((await alice.sees('I didn’t understand', general)).isEphemeral).toBe(true)
  })

  it('is not said again by changing its message', async () => {
    const { alice, general, service, slack } = await openWorld()
    alice.says('@Bellhop grant 12 dave@example.com viewer', general)
    await alice.sees('Granted', general)
    const said = slack.deliveries.find(({ kind }) => kind === 'event')
    const { event } = Object(said?.payload)

    const edited = { user: alice.id, ts: '1700000000.000100' }
    await slack.event({ ...event, edited })
    await slack.event({ ...event })
    // What was said is not kept for long.
    await slack.event({ ...event, ts: '1700000000.000700', edited })
    await slack.idle()

    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
    // Nor is it answered that the same was asked a moment ago.
    expect(
      alice.messages(general).filter(({ plain }) => /ranted|moment ago/.test(plain)),
    ).toHaveLength(1)
  })

  it('gets no preview of its link: the card is private, and so is all that it says', async () => {
    const { alice, bob, general, service, slack } = await openWorld({
      wait: (ms) => delay(ms > 1_000 ? 500 : 5),
    })
    service.addAlert(diskFull)
    const link = 'https://monitor.example.com/alert/5HkX'

    alice.says(`@Bellhop alert ${link} private`, general)
    await alice.sees('5HkX · ', general)
    alice.says(`${link} private`, alice.dm)
    await alice.sees('5HkX · ', alice.dm)
    await slack.idle(600)

    expect(slack.calls.filter(({ method }) => method === 'chat.unfurl')).toEqual([])
    expect(bob.screen(general)).not.toContain('Disk full')
    alice.says(`See ${link}`, general)
    await bob.sees('Disk full', general)
  })

  it('that somebody quotes is not theirs', async () => {
    const { alice, general, service, slack } = await openWorld()

    alice.says('&gt; @Bellhop grant 12 dave@example.com viewer\nWhat is this?', general, {
      raw: true,
    })
    await slack.event({
      type: 'app_mention',
      user: alice.id,
      channel: general.id,
      ts: '1700000000.000200',
      text: `&gt; <@${slack.bot.userId}> grant 12 dave@example.com viewer`,
    })
    await slack.idle()

    expect(service.requests.filter(({ method }) => method === 'POST')).toEqual([])
  })
})

describe('messages in a channel', () => {
  it.each([
    ['with a picture', 'file_share'],
    ['in a thread, shown in the channel as well,', 'thread_broadcast'],
  ])('%s are understood in the direct message', async (_how, subtype) => {
    const { alice, slack } = await withAlert()

    await slack.event({
      type: 'message',
      subtype,
      channel_type: 'im',
      user: alice.id,
      channel: alice.dm.id,
      ts: '1700000000.000400',
      text: 'alert 5HkX',
    })

    await alice.sees('Disk full', alice.dm)
  })
})

describe('without the scope to see people', () => {
  it('words in the direct message are told what is missing, and commands go on there', async () => {
    const { world, alice, slack } = await withAlert({ slack: { botScopes: allBut('users:read') } })
    world.expectRefusals()

    alice.says('alert 5HkX', alice.dm)
    await slack.idle()

    await alice.sees('missing a permission', alice.dm)
    await alice.types('/alert 5HkX', alice.dm)
    await alice.sees('Disk full', alice.dm)
  })
})
