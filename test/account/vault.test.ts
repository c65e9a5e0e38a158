// The vault: what it seals opens for the same owner and purpose, and for nobody and nothing else.
import { createSecretKey, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createVault, type EncryptionKey, type SealBinding } from '../../src/account/vault.ts'
import { anyCharacter } from '../any-text.ts'

function makeKey(id: string): EncryptionKey {
  return { id, key: createSecretKey(randomBytes(32)) }
}

const text = fc.string({ unit: anyCharacter })
const binding: fc.Arbitrary<SealBinding> = fc.record({
  purpose: fc.constantFrom('token', 'waiting'),
  workspaceId: fc.string(),
  userId: fc.string(),
})
const alice: SealBinding = { purpose: 'token', workspaceId: 'T1', userId: 'U1' }

/** Odd characters of base64 mean nothing. */
function contentOf(sealed: string): string {
  const [id, ...rest] = sealed.split('.')
  return `${id}.${Buffer.from(rest.join('.'), 'base64url').toString('hex')}`
}

describe('a vault', () => {
  const vault = createVault([makeKey('first')])

  it('opens what it sealed, whatever it is and whoever it is for', () => {
    fc.assert(
      fc.property(text, binding, (secret, owner) => {
        expect(vault.open(vault.seal(secret, owner), { ...owner })).toBe(secret)
      }),
    )
  })

  it('opens nothing for another owner, workspace or purpose', () => {
    fc.assert(
      fc.property(text, binding, binding, (secret, owner, other) => {
        fc.pre(JSON.stringify(Object.values(owner)) !== JSON.stringify(Object.values(other)))
        expect(vault.open(vault.seal(secret, owner), other)).toBeUndefined()
      }),
    )
  })

  it('keeps ids apart that read the same when put together', () => {
    const sealed = vault.seal('secret', { purpose: 'token', workspaceId: 'T1', userId: '2U3' })
    expect(
      vault.open(sealed, { purpose: 'token', workspaceId: 'T12', userId: 'U3' }),
    ).toBeUndefined()
    const quoted = vault.seal('secret', { purpose: 'token', workspaceId: 'a","b', userId: 'c' })
    expect(
      vault.open(quoted, { purpose: 'token', workspaceId: 'a', userId: 'b","c' }),
    ).toBeUndefined()
  })

  it('opens nothing of which a bit was changed, added or taken away', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ '
    const change = fc.record({
      at: fc.nat(),
      character: fc.constantFrom(...alphabet),
      removed: fc.constantFrom(0, 1),
    })
    fc.assert(
      fc.property(text, change, (secret, { at, character, removed }) => {
        const sealed = vault.seal(secret, alice)
        const place = at % (sealed.length + 1)
        const changed = sealed.slice(0, place) + character + sealed.slice(place + removed)
        fc.pre(contentOf(changed) !== contentOf(sealed))
        expect(vault.open(changed, alice)).toBeUndefined()
        expect(vault.open(sealed.slice(0, place), alice)).toBe(
          place === sealed.length ? secret : undefined,
        )
      }),
      { numRuns: 500 },
    )
  })

  it('shows nothing of the secret, and seals the same secret differently each time', () => {
    const secret = 'a-token-that-is-easy-to-spot'
    const sealed = vault.seal(secret, alice)
    const [, encoded = ''] = sealed.split('.')
    expect(sealed).toMatch(/^first\.[\w-]+$/)
    expect(sealed).not.toContain(secret)
    expect(Buffer.from(encoded, 'base64url').toString('latin1')).not.toContain(secret)
    expect(vault.seal(secret, alice)).not.toBe(sealed)
  })

  it.each(['', '.', 'first', 'first.', 'first.AAAA', '.AAAA', 'first.!!!!', 'first.AA.AA'])(
    'opens nothing of %j',
    (odd) => {
      expect(vault.open(odd, alice)).toBeUndefined()
    },
  )
})

describe('keys that rotate', () => {
  const old = makeKey('old')
  const fresh = makeKey('fresh')

  it('open what the older ones sealed', () => {
    const sealed = createVault([old]).seal('secret', alice)
    const vault = createVault([fresh, old])

    expect(vault.open(sealed, alice)).toBe('secret')
    expect(vault.open(vault.seal('secret', alice), alice)).toBe('secret')
  })

  it('open nothing of a key that was taken away, or that another took the id of', () => {
    const sealed = createVault([old]).seal('secret', alice)
    expect(createVault([fresh]).open(sealed, alice)).toBeUndefined()
    expect(createVault([makeKey('old')]).open(sealed, alice)).toBeUndefined()
    const renamed = createVault([{ id: 'fresh', key: old.key }])
    expect(renamed.open(sealed.replace('old.', 'fresh.'), alice)).toBeUndefined()
  })
})
