// Words that look like others: people must see what is granted, and to whom.
import { describe, expect, it } from 'vitest'
import { openWorld, posts } from '../world.ts'

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

    await alice.types('/grant 12 <mailto:mallory@example.com|dave@example.com> READ', general, {
      raw: true,
    })

    const answer = await alice.sees('Nothing was sent', general)
    expect(answer.plain).toContain('dave@example.com (mallory@example.com)')
    expect(posts(world)).toEqual([])
  })
})
