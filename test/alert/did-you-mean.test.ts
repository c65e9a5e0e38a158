// Words and keys that are nearly right: what Bellhop offers instead, and the button that does it.
import { describe, expect, it } from 'vitest'
import { bobToken, openWorld, puts } from '../world.ts'

const diskFull = { ks: 'disk-full', message: 'Disk /var is 96 % full' } as const

describe('a word of /alert that is nearly right', () => {
  it.each([
    ['hlep', '/alert help', '/alert <key> private'],
    ['watchs', '/alert watches', 'watch'],
    ['Disconect', '/alert disconnect', 'Disconnected.'],
  ])('%s is repeated, and a button runs the word that was meant', async (typed, meant, words) => {
    const { alice, bob, general } = await openWorld()

    await alice.types(`/alert ${typed}`, general)

    const answer = await alice.sees(`There’s no alert “${typed}”. Did you mean ${meant}?`, general)
    expect(answer.isEphemeral).toBe(true)
    expect(answer.buttons).toEqual([`Run ${meant}`])
    await alice.presses(`Run ${meant}`, answer)
    await alice.sees(words, general)
    await alice.doesNotSee('Did you mean', general)
    expect(bob.messages(general)).toEqual([])
  })

  it('never repeats what stands behind “connect”', async () => {
    const { alice, general } = await openWorld()

    await alice.types('/alert connct my-secret', general)

    const answer = await alice.sees('Did you mean /alert connect?', general)
    expect(answer.plain).not.toContain('my-secret')
    await alice.presses('Run /alert connect', answer)
    await alice.seesModal('Connect account')
  })
})

describe('a key that is nearly right', () => {
  it('gets the key that this person has looked up, with a button that looks it up where they asked', async () => {
    const { alice, bob, general, service } = await openWorld()
    service.addAlert(diskFull)
    await alice.types('/alert disk-full private', general)
    await alice.sees('96 % full', general)

    await alice.types('/alert disk-fulll', general)

    const answer = await alice.sees(
      'There’s no alert “disk-fulll”. Did you mean disk-full?',
      general,
    )
    expect(answer.buttons).toEqual(['Look up disk-full'])
    await alice.presses('Look up disk-full', answer)
    await bob.sees('96 % full', general)
  })

  it('gets no key that only a colleague has looked up, in their channel or anywhere', async () => {
    const { alice, bob, general, service, connect } = await openWorld()
    await connect(bob, bobToken)
    service.addAlert(diskFull)
    await alice.types('/alert disk-full', general)
    await bob.sees('96 % full', general)

    await bob.types('/alert disk-fulll', general)

    const answer = await bob.sees('There’s no alert “disk-fulll”.', general)
    expect(answer.plain).not.toContain('Did you mean')
    expect(answer.buttons).toEqual([])
  })

  it('is repeated without its secrets, and with what cannot be seen spelled out', async () => {
    const { alice, general } = await openWorld()

    await alice.types('/alert 5f0c2a9e71b34d68', general)

    const answer = await alice.sees('There’s no alert “5f0c…”', general)
    expect(answer.plain).not.toContain('5f0c2a9e71b34d68')
    await alice.types('/alert "no such."', general)
    await alice.sees('There’s no alert “no such.” Check the key', general)
  })
})

describe('a service that does not answer', () => {
  it('is named, and Try again asks once more for whoever presses, where they asked', async () => {
    const { alice, bob, general, service } = await openWorld({ budgetMs: 200 })
    service.addAlert(diskFull)
    service.trouble.hang()
    await alice.types('/alert disk-full', general)
    const answer = await alice.sees('Monitoring isn’t responding. Nothing was changed.', general)
    expect(answer.isEphemeral).toBe(true)
    expect(answer.buttons).toEqual(['Try again'])

    service.trouble.clear()
    await alice.presses('Try again', answer)

    await bob.sees('96 % full', general)
    await alice.doesNotSee('isn’t responding', general)
    expect(service.requests.at(-1)).toMatchObject({ path: '/alert/disk-full', token: 'alice' })
  })
})

describe('a key that is nearly right behind an act', () => {
  async function looked() {
    const world = await openWorld({ lateMs: 50 })
    world.service.addAlert(diskFull)
    await world.alice.types('/alert disk-full private', world.general)
    await world.alice.sees('96 % full', world.general)
    return world
  }

  it.each([
    ['close', '5" of logs removed', ''],
    ['comment', 'Looking.', ''],
    ['assign', 'yours', '9 '],
  ])(
    '(%s) gets the right one, with a button that runs the line with its text',
    async (act, text, whom) => {
      const world = await looked()
      const { alice, general } = world
      await alice.types(`/alert ${act} disk-fulll ${whom}${text}`, general)

      const words = `There’s no alert “disk-fulll”. Did you mean /alert ${act} disk-full?`
      const answer = await alice.sees(words, general)
      expect(answer.plain).toContain(text)
      await alice.presses(`Run /alert ${act} disk-full`, answer)
      await expect.poll(() => puts(world)).toMatchObject([{ body: { message: text } }])
    },
  )

  it.each(['me', '@bob'])('is read before anybody is asked who “%s” is', async (whom) => {
    const { alice, general } = await looked()
    await alice.types(`/alert assign disk-fulll ${whom}`, general)

    const answer = await alice.sees('Did you mean /alert assign disk-full?', general)
    expect(alice.modal).toBeUndefined()
    // Of the right one, nobody can tell the container.
    await alice.presses('Run /alert assign disk-full', answer)
    await alice.sees('I can’t tell', general)
  })
})

describe('an act in other words', () => {
  it.each([
    ['resolve 5HkX "A full disk"', 'close 5HkX', { message: 'A full disk' }],
    ['clsoe 5HkX "A full disk"', 'close 5HkX', { message: 'A full disk' }],
    ['note 5HkX "On it"', 'comment 5HkX', { message: 'On it' }],
    ['give 5HkX to 9 "Yours"', 'assign 5HkX 9', { userId: 9, message: 'Yours' }],
  ])(
    '(%s) is shown as %s, and sent once, however often its button is pressed',
    async (typed, meant, body) => {
      const world = await openWorld({ lateMs: 50 })
      const { alice, general, service, slack } = world
      // The second press finds the message gone.
      world.expectRefusals()
      service.addAlert({ ks: '5HkX', message: 'Disk full', containerId: 12 })

      await alice.types(`/alert ${typed}`, general)
      const answer = await alice.sees(`You typed “${typed}”. Did you mean this?`, general)
      const [text = ''] = /".*"/.exec(typed) ?? []
      const corrected = JSON.stringify(`/alert ${meant} ${text}`.trim())
      expect(JSON.stringify(answer.blocks)).toContain(`"text":${corrected}`)
      await slack.idle()
      expect(puts(world)).toEqual([])

      const press = () => alice.presses(`Run /alert ${meant}`, answer)
      await Promise.allSettled([press(), press()])
      await slack.idle()
      expect(puts(world)).toMatchObject([
        {
          path: `/alert/5HkX/${meant.startsWith('comment') ? 'message' : meant.split(' ')[0]}`,
          body,
        },
      ])
    },
  )

  it('is asked about in the alert’s own thread as well', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('Disk full', general)
    await alice.sees('No actions', card)

    alice.says('@Bellhop done', card)
    await alice.presses('Run /alert close 5HkX', await alice.sees('Did you mean', card))

    await expect.poll(() => puts(world)).toMatchObject([{ path: '/alert/5HkX/close' }])
  })
})
