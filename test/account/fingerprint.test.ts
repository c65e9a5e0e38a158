// Fingerprints of tokens: equal for equal tokens, under any key that is still there, and of no use without it.
import { createSecretKey } from 'node:crypto'
import { expect, it } from 'vitest'
import { createFingerprints } from '../../src/account/vault.ts'
import { aliceToken, bobToken, openWorld } from '../world.ts'

const key = (id: string, byte: number) => ({ id, key: createSecretKey(Buffer.alloc(32, byte)) })

it('a token is told from another, and does not stand in its fingerprint', () => {
  const { of, compare } = createFingerprints([key('a', 1)])
  const kept = of(aliceToken)
  expect(compare(aliceToken, kept)).toBe('same')
  expect(compare(bobToken, kept)).toBe('other')
  expect(kept).toMatch(/^a\.[\w-]{43}$/)
  expect(kept).not.toContain(aliceToken)
})

it('the same token has another fingerprint under another key', () => {
  const one = createFingerprints([key('a', 1)])
  const other = createFingerprints([key('a', 2)])
  expect(other.compare(aliceToken, one.of(aliceToken))).toBe('other')
})

it('keys can be rotated: older fingerprints compare until their key is taken out', () => {
  const kept = createFingerprints([key('a', 1)]).of(aliceToken)
  const rotated = createFingerprints([key('b', 2), key('a', 1)])
  expect(rotated.compare(aliceToken, kept)).toBe('same')
  expect(rotated.isCurrent(kept)).toBe(false)
  expect(rotated.isCurrent(rotated.of(aliceToken))).toBe(true)
  expect(createFingerprints([key('b', 2)]).compare(aliceToken, kept)).toBe('unknown')
})

it('one is kept beside the sealed token, which is in the open nowhere', async () => {
  const world = await openWorld()
  expect(world.databaseBytes().includes(aliceToken)).toBe(false)
  const [id = '', encoded = ''] = world.env.ENCRYPTION_KEYS?.split(':') ?? []
  const fingerprints = createFingerprints([{ id, key: createSecretKey(Buffer.from(encoded, 'base64')) }])
  expect(world.databaseBytes().includes(fingerprints.of(aliceToken))).toBe(true)
})
