// Somebody sends far more than anybody types: it is not read, they are told how long it was, and nobody else waits.
import { describe, expect, it } from 'vitest'
import { parseAlertLine } from '../../src/alert/input.ts'
import { parseGrant } from '../../src/grant/input/line.ts'
import { draftOf, exactLine } from '../../src/grant/input/meant.ts'
import { readTokens } from '../../src/grant/input/pieces.ts'
import { defaultRoles } from '../../src/grant/roles.ts'
import { diskFull, openWorld, posts } from '../world.ts'
import { many } from './long.ts'

const tooLong = '“a '.repeat(13_334).slice(0, 40_000)
const sentence = 'Bellhop reads at most 12,000 characters.'

async function openWithAlert() {
  const world = await openWorld()
  world.service.addAlert(diskFull)
  return world
}

describe('a command of 40,000 characters', () => {
  it.each(['/alert', '/grant'] as const)(
    'is answered in its ack when it is %s, and so is everybody who asks right behind it',
    async (command) => {
      const world = await openWithAlert()
      const { alice, bob, general, service } = world
      const before = service.requests.length

      const typed = alice.types(`${command} ${tooLong}`, general)
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
  const settings = { roles: defaultRoles, authProviders: ['Password'], hasAllOperations: true }
  const grant = (line: string) => parseGrant(line, settings)

  const otherWords = (line: string) =>
    parseGrant(exactLine(draftOf(readTokens(line), settings, [])), settings)

  const alert = (line: string) => parseAlertLine(line, undefined)

  it.each<[string, (line: string) => unknown, string, (at: string) => string]>([
    ['addresses', grant, '12 viewer ', (at) => `${at}@b.c,`],
    ['addresses as Slack writes them', grant, '12 ', (at) => `<mailto:${at}@b.c|${at}@b.c> `],
    ['numbers', grant, '', (at) => `${Number.parseInt(at, 36)} `],
    ['words', grant, '12 ', (at) => `x${at} `],
    ['quotes', grant, '12 ', (at) => `“${at} `],
    ['addresses', otherWords, 'give 12 viewer to ', (at) => `${at}@b.c,`],
    ['apostrophes', otherWords, '12 ', (at) => `o'${at}'<mailto:${at}@b.c|x@b.c>`],
    ['words', otherWords, 'change 12 add ', (at) => `x${at} to `],
    ['words', alert, '', (at) => `${at} `],
    ['quotes', alert, '', (at) => `"${at}" `],
  ])('of %s takes time in proportion to its length (%#)', (_, read, begin, part) => {
    const exactLine = (length: number) => {
      let line = begin
      for (let at = 1; line.length < length; at += 1) line += part(at.toString(36))
      return line.slice(0, length)
    }
    const cpuMs = (line: string) => {
      const from = process.cpuUsage()
      read(line)
      const { user, system } = process.cpuUsage(from)
      return (user + system) / 1_000
    }
    const least = (line: string) => Math.min(...many(5, () => cpuMs(line)))
    const [short, long] = [least(exactLine(3_000)), least(exactLine(12_000))]
    // Four times as long. Each with each would be sixteen; less than a millisecond is never measured well.
    expect(long / Math.max(short, 1)).toBeLessThan(9)
  })

  it('is read: twenty people as long as addresses can be, as Slack writes them', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    const emails = many(20, (at) => `${String(at).padStart(2, '0')}${'p'.repeat(240)}@example.com`)
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
    const people = many(25, (at) => `${String(at)}${'p'.repeat(240)}@example.com`)
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
