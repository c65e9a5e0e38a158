// Writes of which two may be equal: by their fingerprints, which databases keep.
import { expect, it } from 'vitest'
import { type AddUser, fingerprintOf } from '../../src/send/writes.ts'

const dave: AddUser = {
  kind: 'add-user',
  containerId: 12,
  email: 'dave@example.com',
  authProvider: undefined,
  member: false,
  permissions: ['READ', 'API'],
}

it('adding somebody keeps the fingerprint that databases have of it, in whatever order its flags are', () => {
  const kept = 'Wje8Re2S2Mw2wqJAT-MS2e_hR46sEB03zLO9jXZ3XbI'
  expect(fingerprintOf(dave)).toBe(kept)
  expect(fingerprintOf({ ...dave, permissions: ['API', 'READ'] })).toBe(kept)
})

it('what is left out differs from what is given', () => {
  expect(fingerprintOf({ ...dave, authProvider: 'Google' })).not.toBe(fingerprintOf(dave))
  expect(fingerprintOf({ ...dave, member: true })).not.toBe(fingerprintOf(dave))
})
