// Writes of which some may be equal, by their fingerprint.
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
const erin: AddUser = { ...dave, email: 'erin@example.com' }

it('lists are equal in whatever order their people and flags are', () => {
  const turned: AddUser = { ...dave, permissions: ['API', 'READ'] }
  expect(fingerprintOf([erin, turned])).toBe(fingerprintOf([dave, erin]))
})

it.each([
  ['a provider', [{ ...dave, authProvider: 'Google' }]],
  ['a member', [{ ...dave, member: true }]],
  ['one more person', [dave, erin]],
] as const)('%s makes them differ', (_, writes) => {
  expect(fingerprintOf(writes)).not.toBe(fingerprintOf([dave]))
})
