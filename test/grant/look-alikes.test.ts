// Words that look like others: people must see what is granted, and to whom.
import { afterAll, describe, expect, it } from 'vitest'
import { openWorld, posts } from '../world.ts'

/** One in which nothing is ever sent, for all that are refused at once. */
const refusing = await openWorld({ env: { RATE_PER_MINUTE: '0' }, until: afterAll })
const newChannel = () =>
  refusing.slack.addChannel({ name: 'new', members: [refusing.alice], botIsMember: true })

describe('a flag in letters that only look like it', () => {
  it.each([
    ['a Cyrillic A', 'REАD'],
    ['a Greek A', 'REΑD'],
    ['an i without a dot, which is an I in capitals', 'apı'],
    ['a long s, which is an S in capitals', 'aſset-management'],
    ['the sign for Kelvin, which is a k in small letters', 'WEBHOO\u212as'],
    ['full-width letters', 'ＲＥＡＤ'],
    ['a space of no width', 'RE\u200bAD'],
  ])('%s is refused, and nothing is sent', async (_what, flag) => {
    const { alice } = refusing
    const channel = newChannel()

    await alice.types(`/grant 12 dave@example.com ${flag}`, channel)

    await alice.sees('Nothing was sent', channel)
    expect(posts(refusing)).toEqual([])
  })
})

describe('an address in letters that look like others', () => {
  it.each([
    ['a Cyrillic a', 'd\u0430ve@example.com'],
    ['a name with an umlaut', 'j\u00f6rg@example.com'],
  ])('%s is asked about first', async (_what, email) => {
    const world = await openWorld()
    const { alice, general, service } = world
    service.addUser({ email })

    await alice.types(`/grant 12 ${email} READ`, general, { raw: true })

    const confirmation = await alice.sees('even if they look like it', general)
    expect(confirmation.plain).toContain(`look like it: ${email}`)
    expect(posts(world)).toEqual([])
    await alice.presses('Grant access', confirmation)
    await alice.sees('✅ Granted', general)
    expect(posts(world)[0]?.body).toMatchObject({ email })
  })

  it.each([
    ['a space of no width', 'dave\u200b@example.com', 'dave[U+200B]@example.com'],
    ['a mark that turns the direction', '\u202edave@example.com', '[U+202E]dave@example.com'],
    ['a letter without a shape', 'dave\u3164@example.com', 'dave[U+3164]@example.com'],
    ['a full-width at sign', 'dave＠example.com', 'dave＠example.com'],
    ['a broken letter', 'dave\ufffd@example.com', 'dave\ufffd@example.com'],
  ])('%s is refused, and spelled out', async (_what, email, spelled) => {
    const { alice } = refusing
    const channel = newChannel()

    await alice.types(`/grant 12 ${email} READ`, channel, { raw: true })

    const answer = await alice.sees('Nothing was sent', channel)
    expect(answer.plain).toContain(spelled)
    expect(posts(refusing)).toEqual([])
  })

  it('is not taken for the one that it becomes in small letters', async () => {
    const world = await openWorld()
    const { alice, general } = world

    await alice.types('/grant 12 kim@example.com,\u212aim@example.com READ', general, { raw: true })

    const confirmation = await alice.sees('even if they look like it', general)
    expect(confirmation.plain).toContain('look like it: \u212aim@example.com')
  })

  it('is refused when a link shows one address and leads to another', async () => {
    const world = await openWorld()
    const { alice, general } = world

    await alice.types('/grant 12 <mailto:mallory@example.com|dave@example.com> READ', general, { raw: true })

    const answer = await alice.sees('Nothing was sent', general)
    expect(answer.plain).toContain('dave@example.com (mallory@example.com)')
    expect(posts(world)).toEqual([])
  })
})

describe('an alert key', () => {
  it.each(['5Hk\u200bX', '\u202e5HkX', '5HkX\u0007', '5HkX\ufe0f', '5Hk\ufffdX', '5HkX\0'])(
    'with a character that cannot be seen (%j) is refused, and not sent without it',
    async (ks) => {
      const { alice, general, service } = await openWorld()
      service.addAlert({ ks: '5HkX', message: 'Disk full', severity: 2, timestamp: 1_700_000_000 })

      await alice.types(`/alert ${ks}`, general, { raw: true })

      await alice.sees('isn’t an alert key', general)
      expect(service.requests.filter(({ path }) => path.includes('5Hk'))).toEqual([])
    },
  )
})
