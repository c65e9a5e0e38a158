// Proofs of a grant by the list of a container's people: only what it can prove.
import { describe, expect, it } from 'vitest'
import { findIn } from '../../src/grant/people.ts'
import type { ContainerPerson } from '../../src/monitor/schema.ts'
import type { AccessWrite } from '../../src/send/outcome.ts'

const write: AccessWrite = {
  kind: 'add-user',
  containerId: 12,
  email: 'dave@example.com',
  authProvider: undefined,
  member: false,
  permissions: ['READ', 'API'],
}
const asMember: AccessWrite = { ...write, member: true }

function person(how: Partial<ContainerPerson> = {}): ContainerPerson {
  return {
    id: 9,
    name: 'Dave Doe',
    email: 'dave@example.com',
    authProvider: 'Google',
    inherit: false,
    member: false,
    mute: false,
    permissions: ['READ', 'API'],
    ...how,
  }
}

const granted = (ground: string) => ({ outcome: { kind: 'done', ground } })
const erin = person({ id: 10, email: 'erin@example.com' })

describe('a list that has them', () => {
  it.each<[string, AccessWrite, Partial<ContainerPerson>]>([
    ['exactly so', write, {}],
    ['in other capitals', { ...write, email: 'Dave@Example.com' }, {}],
    ['with more flags', write, { permissions: ['API', 'READ', 'WEBHOOKS', 'A_FLAG_OF_TOMORROW'] }],
    ['as a member too', write, { member: true }],
    ['as a member, as asked', asMember, { member: true }],
    ['by the provider that was named', { ...write, authProvider: 'google' }, {}],
    ['without flags, where none were asked', { ...write, permissions: [] }, { permissions: [] }],
  ])('%s proves that they have it, and not since when', (_, asked, how) => {
    expect(findIn([erin, person(how)], asked)).toMatchObject(granted('unattributed'))
  })

  it.each<[string, AccessWrite, Partial<ContainerPerson>]>([
    ['without one of the flags', write, { permissions: ['READ'] }],
    ['as no member', asMember, {}],
    ['from another container', write, { inherit: true }],
    ['by another provider', { ...write, authProvider: 'Microsoft' }, {}],
    // The sign of Kelvin, whose small letter is k.
    [
      'with an address that only looks the same',
      { ...write, email: 'kim@example.com' },
      { email: '\u212Aim@example.com' },
    ],
    [
      'by a provider that it does not name',
      { ...write, authProvider: 'Google' },
      { authProvider: undefined },
    ],
  ])('%s proves nothing', (_, asked, how) => {
    expect(findIn([erin, person(how)], asked)).not.toHaveProperty('outcome')
  })

  it('twice, from elsewhere and here, counts what is here', () => {
    expect(findIn([person({ inherit: true }), person({ id: 11 })], write)).toMatchObject(
      granted('unattributed'),
    )
  })
})

describe('a list without them', () => {
  it.each<[string, AccessWrite, readonly ContainerPerson[]]>([
    ['that has others', write, [erin]],
    ['that is empty, of whom would be a member', asMember, []],
    ['with a longer address', asMember, [person({ email: 'dave@example.com.evil' })]],
  ])('%s', (_, asked, people) => {
    expect(findIn(people, asked)).not.toHaveProperty('outcome')
  })
})
