// Wishes that are kept, as far as their asker may ask a colleague: their own, and of them what could still be granted.
import { expect, it } from 'vitest'
import { findApprovable, handOver } from '../../src/approval/ask.ts'
import { type Wish, writesOf } from '../../src/grant/wish.ts'
import type { SendOutcome } from '../../src/send/outcome.ts'
import { openHouse } from '../house.ts'

const asker = { workspaceId: 'T1', userId: 'U1' }
const another = { ...asker, userId: 'U2' }
const elsewhere = { ...asker, workspaceId: 'T2' }
const how = { leaseMs: 15_000, joinableMs: 10_000, askedAfter: 0 }
const forbidden: SendOutcome = { kind: 'not-done', code: 'forbidden' }
const busy: SendOutcome = { kind: 'not-done', code: 'busy' }
const away: SendOutcome = { kind: 'not-done', code: 'unreachable' }
const unsure: SendOutcome = { kind: 'uncertain', doubt: 'timed-out' }

function wishFor(...emails: string[]): Wish {
  return { containerId: 12, emails, authProvider: undefined, member: false, permissions: ['READ'] }
}

const one = wishFor('dave@example.com')
const two = wishFor('dave@example.com', 'erin@example.com')

async function openKept() {
  const house = await openHouse()
  const { wishes, sends } = house.storage
  const keep = (id: string, wish: Wish) =>
    wishes.keep({ id, sender: asker, writes: writesOf(wish), channelId: 'C1' })
  return { house, wishes, sends, keep }
}

/** What became of each is kept; whoever has no outcome was not sent. */
async function settled(wish: Wish, ...outcomes: readonly SendOutcome[]) {
  const { house, wishes, sends, keep } = await openKept()
  await keep('w', wish)
  await wishes.begin(asker, 'w', how)
  for (const [index, outcome] of outcomes.entries()) {
    const key = { workspaceId: 'T1', wishId: 'w', n: index + 1 }
    if (outcome.kind === 'not-sent') continue
    await sends.begin(key, how.leaseMs)
    await sends.settle(key, outcome)
  }
  await sends.giveUp('T1', 'w')
  await wishes.settle('T1', 'w', 12_000)
  return house
}

it('one that was never sent is theirs alone to ask for, and is taken out of play by nobody else', async () => {
  const { house, wishes, keep } = await openKept()
  await keep('w1', one)
  await keep('w2', two)

  for (const [id, wish] of [
    ['w1', one],
    ['w2', two],
  ] as const) {
    expect(await findApprovable(house, asker, id)).toEqual({ wish, channelId: 'C1' })
    for (const stranger of [another, elsewhere]) {
      expect(await findApprovable(house, stranger, id)).toBeUndefined()
      expect(await handOver(house, stranger, id)).toBe(false)
    }
    expect(await wishes.find('T1', id)).toMatchObject({ state: 'asked' })
  }
})

it.each([
  ['one person', one],
  ['several', two],
])('one for %s that is given up for it can still be asked for, and is marked', async (_, wish) => {
  const { house, wishes, keep } = await openKept()
  await keep('w', wish)
  expect(await handOver(house, asker, 'w')).toBe(true)
  expect(await findApprovable(house, asker, 'w')).toEqual({ wish, channelId: 'C1' })
  expect(await wishes.find('T1', 'w')).toMatchObject({ state: 'handed-over' })
})

it('one that was refused for want of rights is theirs alone to ask for', async () => {
  const house = await settled(one, forbidden)
  expect(await findApprovable(house, asker, 'w')).toEqual({ wish: one, channelId: 'C1' })
  expect(await findApprovable(house, another, 'w')).toBeUndefined()
})

it.each<SendOutcome>([{ kind: 'done' }, busy, unsure])(
  'one that ended as %o is no case for it',
  async (outcome) => {
    const house = await settled(one, outcome)
    expect(await findApprovable(house, asker, 'w')).toBeUndefined()
  },
)

it('of several, all are left who were certainly not granted and could be', async () => {
  const wish = wishFor('busy', 'away', 'forbidden', 'granted', 'bad', 'unsure', 'not-sent')
  const bad: SendOutcome = { kind: 'not-done', code: 'bad-request' }
  const outcomes: readonly SendOutcome[] = [
    ...[busy, away, forbidden, { kind: 'done' } as const],
    ...[bad, unsure, { kind: 'not-sent' } as const],
  ]
  const house = await settled(wish, ...outcomes)

  const left = await findApprovable(house, asker, 'w')

  expect(left?.wish.emails).toEqual(['busy', 'away', 'forbidden', 'not-sent'])
  expect(await findApprovable(house, another, 'w')).toBeUndefined()
})

it('of several, nobody is left where no right was lacking', async () => {
  const house = await settled(two, busy, { kind: 'done' })
  expect(await findApprovable(house, asker, 'w')).toBeUndefined()
})
