// Answers that are known at once stand in the ack of the command itself, and cost no request; all else comes right after.
import { describe, expect, it } from 'vitest'
import { openStorage } from '../../src/storage/storage.ts'
import { aliceToken, connects, diskFull, openWorld } from '../world.ts'

describe('what is known at once', () => {
  it.each([
    ['/alert help', '/alert <key>'],
    ['/grant help', '/grant 12'],
    ['/alert connect now', 'Nothing goes after /alert connect'],
    ['/grant roles', 'Responder'],
  ])('is the ack of %s, for whoever typed it alone, each time', async (line, words) => {
    const { alice, bob, general, slack, service } = await openWorld()
    const before = slack.calls.length
    const typed = await alice.types(line, general)
    const told = await alice.sees(words, general)

    expect(told.isEphemeral).toBe(true)
    expect(bob.screen(general)).not.toContain(words)
    const { response_type, blocks = ['none'] } = JSON.parse(typed.body)
    expect(response_type).toBe('ephemeral')
    expect(blocks).not.toEqual([])
    expect((await slack.redeliver(typed)).body).toBe(typed.body)
    expect(slack.calls.slice(before)).toEqual([])
    expect(service.requests).toEqual([])
  })

  it('is not what has to be asked: that comes after the ack', async () => {
    const { alice, general } = await openWorld()
    // It may be the name of a container.
    const { body, outcome } = await alice.types(
      '/grant Webservers dave@example.com viewer',
      general,
    )
    expect({ body, outcome }).toEqual({ body: '', outcome: 'acked' })
    await alice.sees('Webservers', general)
  })
})

describe('somebody without an account', () => {
  it.each([
    '/alert 5HkX',
    '/alert comment 5HkX "on it"',
    '/alert close 5HkX "a full disk"',
    '/alert open 12',
    '/grant 12 dave@example.com viewer',
  ])('is asked to connect when they type %s, and then it is run', async (line) => {
    const { alice, bob, general, slack, service } = await openWorld({ isAliceConnected: false })
    service.addAlert(diskFull)
    const { body, outcome } = await alice.types(line, general)
    const prompt = await alice.sees('Connect account', general)

    expect({ body, outcome }).toEqual({ body: '', outcome: 'acked' })
    expect(prompt.isEphemeral).toBe(true)
    expect(bob.screen(general)).not.toContain('Connect account')
    expect(service.requests).toEqual([])

    await connects(alice, aliceToken, prompt)
    await slack.idle(100)
    const ran = service.requests.filter(({ path }) => /5HkX|container\/12/.test(path))
    expect(ran).not.toEqual([])
  })
})

describe('what writes', () => {
  it.each(['/grant 12 dave@example.com viewer', '/alert comment 5HkX "on it"'])(
    'is acked once it is kept, so that Slack itself says when it got lost before: %s',
    async (line) => {
      const inserted = Promise.withResolvers<void>()
      const kept = Promise.withResolvers<void>()
      const { alice, general, service } = await openWorld({
        open: async (options) => {
          const storage = await openStorage(options)
          const insert: typeof storage.requests.insert = async (make) => {
            const isKept = await storage.requests.insert(make)
            inserted.resolve()
            await kept.promise
            return isKept
          }
          return { ...storage, requests: { ...storage.requests, insert } }
        },
      })
      service.addAlert(diskFull)
      let isAcked = false

      const typed = alice.types(line, general).then((delivery) => {
        isAcked = true
        return delivery
      })
      await inserted.promise
      expect(isAcked).toBe(false)
      kept.resolve()

      expect((await typed).outcome).toBe('acked')
    },
  )

  it('is acked within a second all the same', async () => {
    const { open, slows, goesOn } = slowDatabase()
    const { alice, general } = await openWorld({ slack: { ackMs: 3_000 }, open })
    slows()

    const { outcome } = await alice.types('/grant 12 dave@example.com viewer', general)

    expect(outcome).toBe('acked')
    goesOn()
    await alice.sees('Granted', general)
  })

  it.each<[string, string, string, Readonly<Record<string, string | readonly string[]>>]>([
    ['a grant', '/grant 12 dave@example.com', '✅ Granted', { Role: 'Viewer' }],
    [
      'a grant that is asked about',
      '/grant 12 dave@example.com',
      'Grant this access?',
      { Role: 'Custom', Administration: ['Make, change or delete webhooks'] },
    ],
    ['a comment', '/alert 5HkX', 'Commented on', { Comment: 'on it' }],
  ])('closes the form of %s within a second all the same', async (_, line, answer, fields) => {
    const { open, slows, goesOn } = slowDatabase()
    const { alice, general, service } = await openWorld({ slack: { ackMs: 3_000 }, open })
    service.addAlert(diskFull)
    await alice.types(line, general)
    if (line.startsWith('/alert'))
      await alice.presses('Comment', await alice.sees('Disk full', general))
    await alice.seesModal(/Grant access|Comment on alert/)
    slows()

    await alice.submits({ fields })

    await alice.seesNoModal()
    goesOn()
    await alice.sees(answer, general)
  })
})

/** A database that commits nothing from when it slows until it goes on. */
function slowDatabase() {
  let going = Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  return {
    slows() {
      going = promise
    },
    goesOn: resolve,
    async open(options: Parameters<typeof openStorage>[0]) {
      const storage = await openStorage(options)
      const { once, requests } = storage
      const claim: typeof once.claim = (...claimed) => going.then(() => once.claim(...claimed))
      const insert: typeof requests.insert = (make) => going.then(() => requests.insert(make))
      return { ...storage, once: { ...once, claim }, requests: { ...requests, insert } }
    },
  }
}
