// Somebody sends far more than anybody types: it is not read, they are told how long it was, and nobody else waits.
import { describe, expect, it } from 'vitest'
import { openWorld, posts } from '../world.ts'

const long = '“a '.repeat(13_334).slice(0, 40_000)
const sentence = 'Bellhop reads at most 12,000 characters.'

async function openWithAlert() {
  const world = await openWorld()
  world.service.addAlert({ ks: '5HkX', message: 'Disk full' })
  return world
}

describe('a command of 40,000 characters', () => {
  it.each(['/alert', '/grant'] as const)(
    'is answered in its ack when it is %s, and so is everybody who asks right behind it',
    async (command) => {
      const world = await openWithAlert()
      const { alice, bob, general, service } = world
      const before = service.requests.length

      const typed = alice.types(`${command} ${long}`, general)
      const next = bob.types('/alert help', general)

      expect((await typed).outcome).toBe('acked')
      await alice.sees(sentence, general)
      await next
      await bob.sees('/alert watches', general)
      expect(bob.messages(general).filter(({ plain }) => plain.includes(sentence))).toEqual([])
      expect(service.requests).toHaveLength(before)
    },
  )
})

describe('a command of 12,000 characters', () => {
  it('is read: twenty people as long as addresses can be, as Slack writes them', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    const emails = Array.from(
      { length: 20 },
      (_, at) => `${String(at).padStart(2, '0')}${'p'.repeat(240)}@example.com`,
    )
    for (const email of emails) service.addUser({ email })
    const typed = await alice.types(`/grant 12 ${emails.join(', ')} viewer`, general)

    expect(typed.payload.text).toContain(`<mailto:${emails[0]}|${emails[0]}>`)
    expect(String(typed.payload.text).length).toBeGreaterThan(10_000)

    await alice.sees('20 of 20 granted', general)
    expect(posts(world)).toHaveLength(20)
  })
})

describe('a mention of 40,000 characters', () => {
  it('is answered privately, where it was written, and grants nothing to anybody', async () => {
    const world = await openWorld()
    const { alice, bob, general, slack } = world
    const people = Array.from(
      { length: 25 },
      (_, at) => `${String(at)}${'p'.repeat(240)}@example.com`,
    )
    const text = `@Bellhop grant 12 ${people.join(' ')} viewer`
    expect(text.length).toBeLessThan(12_000)

    alice.says(text, general)

    await alice.sees('Bellhop reads at most 12,000', general)
    await slack.idle()
    expect(posts(world)).toEqual([])
    expect(
      bob.messages(general).filter(({ plain }) => plain.startsWith('Nothing was done')),
    ).toEqual([])
  })
})
