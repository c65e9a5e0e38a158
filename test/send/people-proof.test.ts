// Proofs of a grant by the list of a container's people: only what it can prove.
import { describe, expect, it } from 'vitest'
import type { ContainerPerson } from '../../src/monitor/client.ts'
import { asRecorded, proofInPeople, type Sight } from '../../src/send/proof.ts'
import type { AddUser } from '../../src/send/writes.ts'

const write: AddUser = {
  ...{ kind: 'add-user', containerId: 12, email: 'dave@example.com', authProvider: undefined },
  ...{ member: false, permissions: ['READ', 'API'] },
}
const asMember: AddUser = { ...write, member: true }

function person(how: Partial<ContainerPerson> = {}): ContainerPerson {
  return {
    ...{ id: 9, name: 'Dave Doe', email: 'dave@example.com', authProvider: 'Google', inherit: false },
    ...{ member: false, mute: false, permissions: ['READ', 'API'] },
    ...how,
  }
}

const granted = (on: string) => ({ kind: 'done', on })
const erin = person({ id: 10, email: 'erin@example.com' })

describe('a list that has them', () => {
  it.each<[string, AddUser, Partial<ContainerPerson>]>([
    ['exactly so', write, {}],
    ['in other capitals', { ...write, email: 'Dave@Example.com' }, {}],
    ['with more flags', write, { permissions: ['API', 'READ', 'WEBHOOKS', 'A_FLAG_OF_TOMORROW'] }],
    ['as a member too', write, { member: true }],
    ['as a member, as asked', asMember, { member: true }],
    ['by the provider that was named', { ...write, authProvider: 'google' }, {}],
    ['without flags, where none were asked', { ...write, permissions: [] }, { permissions: [] }],
  ])('%s proves that they have it, and not since when', (_, asked, how) => {
    expect(proofInPeople(asked, [erin, person(how)], undefined)).toEqual(granted('unsaid'))
  })

  it.each<[Sight | undefined, string]>([
    ['absent', 'seen'],
    ['unlisted', 'seen'],
    ['hidden', 'unsaid'],
    ['other-access', 'unsaid'],
    ['inherited', 'unsaid'],
    ['unread', 'unsaid'],
    [undefined, 'unsaid'],
  ])('and showed %s before says that it is %s', (former, on) => {
    expect(proofInPeople(write, [person()], former)).toEqual(granted(on))
  })

  it.each<[string, AddUser, Partial<ContainerPerson>, Sight]>([
    ['without one of the flags', write, { permissions: ['READ'] }, 'other-access'],
    ['as no member', asMember, {}, 'other-access'],
    ['from another container', write, { inherit: true }, 'inherited'],
    ['by another provider', { ...write, authProvider: 'Microsoft' }, {}, 'unlisted'],
    // The sign of Kelvin, whose small letter is k.
    [
      'with an address that only looks the same',
      { ...write, email: 'kim@example.com' },
      { email: '\u212Aim@example.com' },
      'unlisted',
    ],
    [
      'by a provider that it does not name',
      { ...write, authProvider: 'Google' },
      { authProvider: undefined },
      'unlisted',
    ],
  ])('%s proves nothing', (_, asked, how, sight) => {
    expect(proofInPeople(asked, [erin, person(how)], undefined)).toBe(sight)
  })

  it('twice, from elsewhere and here, counts what is here', () => {
    expect(proofInPeople(write, [person({ inherit: true }), person({ id: 11 })], undefined)).toEqual(
      granted('unsaid'),
    )
  })
})

describe('a list without them', () => {
  it.each<[string, AddUser, readonly ContainerPerson[], Sight]>([
    ['of whom would be a member', asMember, [erin], 'absent'],
    ['that is empty, of whom would be a member', asMember, [], 'absent'],
    ['of whom would be none', write, [erin], 'unlisted'],
    ['with somebody whose address is hidden', asMember, [erin, person({ email: undefined })], 'hidden'],
    ['with a longer address', asMember, [person({ email: 'dave@example.com.evil' })], 'absent'],
  ])('%s', (_, asked, people, sight) => {
    expect(proofInPeople(asked, people, undefined)).toBe(sight)
  })
})

describe('an outcome on record', () => {
  it('is that a member who is not listed was not seen, and nothing else is changed', () => {
    const doubt = { kind: 'uncertain', doubt: 'timed-out' } as const
    expect(asRecorded(doubt, { saw: 'absent', at: 1 })).toEqual({ kind: 'uncertain', doubt: 'not-seen' })
    expect(asRecorded(doubt, { saw: 'unlisted', at: 1 })).toBe(doubt)
    expect(asRecorded(doubt, undefined)).toBe(doubt)
    const done = { kind: 'done' } as const
    expect(asRecorded(done, { saw: 'absent', at: 1 })).toBe(done)
  })
})
