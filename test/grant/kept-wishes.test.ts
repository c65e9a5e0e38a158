// Wishes that somebody can ask a colleague for: their own, and of them what a colleague could still grant.
import { expect, it } from 'vitest'
import type { Grants } from '../../src/grant/grants.ts'
import { createKeptWishes } from '../../src/grant/kept-wishes.ts'
import { createWishOutcomes } from '../../src/grant/wish-outcomes.ts'
import { grantsOf, type PersonOutcome, type Wish } from '../../src/grant/wishes.ts'
import { open, temporaryFile } from '../storage/files.ts'

const asker = { workspaceId: 'T1', userId: 'U1' }
const another = { ...asker, userId: 'U2' }
const elsewhere = { ...asker, workspaceId: 'T2' }
const how = { leaseMs: 15_000, joinMs: 10_000, askedAfter: 0 }
const forbidden: PersonOutcome = { kind: 'not-granted', code: 'forbidden' }
const busy: PersonOutcome = { kind: 'not-granted', code: 'busy' }
const away: PersonOutcome = { kind: 'not-granted', code: 'unreachable' }
const unsure: PersonOutcome = { kind: 'uncertain', doubt: 'timed-out' }

function wishFor(...emails: string[]): Wish {
  return { containerId: 12, emails, authProvider: undefined, member: false, permissions: ['READ'] }
}

const one = wishFor('dave@example.com')
const two = wishFor('dave@example.com', 'erin@example.com')

async function openKept() {
  const { grants, batches } = await open(temporaryFile())
  const outcomes = createWishOutcomes({ grants, audit: { record: async () => {} } })
  return { grants, batches, kept: createKeptWishes({ grants, batches, outcomes }) }
}

/** Sends each, and keeps what became of it. */
async function settle(grants: Grants, id: string, wish: Wish, outcomes: readonly PersonOutcome[]) {
  const people = grantsOf(id, wish, { asker, channelId: 'C1' })
  await grants.askAll(people)
  for (const [index, grant] of people.entries()) {
    const outcome = outcomes[index]
    if (outcome === undefined || outcome.kind === 'not-sent') await grants.cancel(asker, grant.id)
    else {
      await grants.begin(asker, grant.id, how)
      await grants.settle('T1', grant.id, outcome, 12_000)
    }
  }
}

async function settledBatch(wish: Wish, ...outcomes: readonly PersonOutcome[]) {
  const room = await openKept()
  const { grants, batches } = room
  await batches.ask({ id: 'several:b1', asker, wish, channelId: 'C1' })
  await batches.begin(asker, 'several:b1', how)
  await settle(grants, 'several:b1', wish, outcomes)
  await batches.settle('T1', 'several:b1', { stands: true, corrects: false, tellingMs: 12_000 })
  return room
}

it('one that was never sent is theirs alone to ask for, and is taken out of play by nobody else', async () => {
  const { grants, batches, kept } = await openKept()
  await grants.ask({ id: 'g1', asker, request: { ...one, email: 'dave@example.com' }, channelId: 'C1' })
  await batches.ask({ id: 'several:b1', asker, wish: two, channelId: 'C1' })

  for (const [id, wish] of [
    ['g1', one],
    ['several:b1', two],
  ] as const) {
    expect(await kept.find(asker, id)).toEqual({ wish, channelId: 'C1' })
    for (const stranger of [another, elsewhere]) {
      expect(await kept.find(stranger, id)).toBeUndefined()
      expect(await kept.giveUp(stranger, id)).toBe(false)
    }
  }
  expect(await grants.find('T1', 'g1')).toMatchObject({ state: 'asked' })
  expect(await batches.find('T1', 'several:b1')).toMatchObject({ state: 'asked' })
})

it('one that is given up for it can still be asked for, and is marked', async () => {
  const { grants, kept } = await openKept()
  await grants.ask({ id: 'g1', asker, request: { ...one, email: 'dave@example.com' }, channelId: 'C1' })
  expect(await kept.giveUp(asker, 'g1')).toBe(true)
  expect(await kept.find(asker, 'g1')).toEqual({ wish: one, channelId: 'C1' })
  expect(await grants.find('T1', 'g1')).toMatchObject({ state: 'cancelled', isHandedOver: true })
})

it('one that was refused for want of rights is theirs alone to ask for', async () => {
  const { grants, kept } = await openKept()
  await settle(grants, 'g1', one, [forbidden])
  expect(await kept.find(asker, 'g1')).toEqual({ wish: one, channelId: 'C1' })
  expect(await kept.find(another, 'g1')).toBeUndefined()
})

it.each<PersonOutcome>([{ kind: 'granted' }, busy, unsure])(
  'one that ended as %o is no case for it',
  async (outcome) => {
    const { grants, kept } = await openKept()
    await settle(grants, 'g1', one, [outcome])
    expect(await kept.find(asker, 'g1')).toBeUndefined()
  },
)

it('of several, all are left who were certainly not granted and could be', async () => {
  const wish = wishFor('busy', 'away', 'forbidden', 'granted', 'bad', 'unsure', 'not-sent')
  const bad: PersonOutcome = { kind: 'not-granted', code: 'bad-request' }
  const outcomes = [
    busy,
    away,
    forbidden,
    { kind: 'granted' } as const,
    bad,
    unsure,
    { kind: 'not-sent' } as const,
  ]
  const { kept } = await settledBatch(wish, ...outcomes)

  const left = await kept.find(asker, 'several:b1')

  expect(left?.wish.emails).toEqual(['busy', 'away', 'forbidden', 'not-sent'])
  expect(await kept.find(another, 'several:b1')).toBeUndefined()
})

it('of several, nobody is left where no right was lacking', async () => {
  const { kept } = await settledBatch(two, busy, { kind: 'granted' })
  expect(await kept.find(asker, 'several:b1')).toBeUndefined()
})

it('of several who joined others, those are left who were left of the others', async () => {
  const { batches, kept } = await settledBatch(two, forbidden, { kind: 'not-sent' })
  await batches.ask({ id: 'several:b2', asker, wish: two, channelId: 'C1' })
  expect(await batches.begin(asker, 'several:b2', how)).toMatchObject({ kind: 'joined' })

  expect(await kept.find(asker, 'several:b2')).toEqual({ wish: two, channelId: 'C1' })
})
