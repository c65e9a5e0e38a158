// How many reads come of one look, whatever has changed; and which alerts have a card.
import { expect, it } from 'vitest'
import { newTally } from '../../src/alert/tally.ts'
import { type Follow, planFor, seenOf } from '../../src/follow/follows.ts'

const alert = (ks: string, lastSeverity = 3) => ({
  ks,
  message: ks,
  severity: 3,
  timestamp: 1,
  lastMessage: ks,
  lastSeverity,
  lastTimestamp: 1,
  ownerId: null,
})
const follow: Follow = {
  workspaceId: 'T1',
  id: 'f',
  channelId: 'C1',
  containerId: 12,
  container: 'Customer 1 (12)',
  carrier: { workspaceId: 'T1', userId: 'U1', name: 'alice' },
  least: 7,
  ownMessage: { posted: { channelId: 'C1', ts: '1' }, fingerprint: '', drawnAt: 0 },
  lists: [],
  seen: {},
  cardsAt: [],
  readAt: 1,
  failures: 0,
  holder: '',
  heldUntil: 0,
  dueAt: 0,
  tally: newTally(0),
}
const named = (what: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${what} ${at}`)

it.each([
  ['new', { fresh: 3 }, { cards: 3, reread: 0, left: 17 }],
  ['changed', { changed: 30 }, { cards: 0, reread: 20, left: 0 }],
  ['reopened', { reopened: 30 }, { cards: 0, reread: 20, left: 0 }],
  ['all of them', { fresh: 5, changed: 10, reopened: 10 }, { cards: 5, reread: 15, left: 0 }],
  ['closed', { closed: 7 }, { cards: 0, reread: 7, left: 13 }],
])(
  'twenty reads at most where alerts are %s, and the next looks find the rest',
  (_, how, expected) => {
    const {
      fresh = 0,
      changed = 0,
      reopened = 0,
      closed = 0,
    }: Partial<Record<string, number>> = how
    const before = [...named('changed', changed), ...named('closed', closed)]
    const stand = new Set(named('reopened', reopened))
    const listed = [...named('fresh', fresh), ...named('changed', changed), ...stand].map((ks) =>
      alert(ks, 2),
    )
    let seen: Follow['seen'] = Object.fromEntries(
      before.map((ks) => [ks, seenOf(alert(ks), true, { asset: 34 })]),
    )
    const reread: string[] = []

    const { cards, left, ...first } = planFor({ ...follow, seen }, listed, stand, 1_000)
    expect({ cards: cards.length, reread: first.reread.length, left }).toEqual(expected)
    reread.push(...first.reread)
    seen = Object.fromEntries(first.seen)
    for (let look = 0; look < 2; look += 1) {
      const next = planFor({ ...follow, seen }, listed, stand, 1_000)
      reread.push(...next.reread)
      seen = Object.fromEntries(next.seen)
    }

    expect(reread.toSorted()).toEqual([...before, ...stand].toSorted())
    expect(seen['changed 0']?.asset).toBe(changed > 0 ? 34 : undefined)
  },
)

it('the gravest alert that calls has a card, though another one calls in the same look', () => {
  const list = {
    posted: { channelId: 'C1', ts: '2' },
    fingerprint: '',
    drawnAt: 0,
    kind: 'open',
    keys: ['worse'],
    at: 0,
    calls: undefined,
    worst: 0,
  } as const
  const told = { ...follow, lists: [list], seen: { worse: seenOf(alert('worse', 5), false, {}) } }
  const call = { mention: 'S1', name: '@oncall', from: 3 }

  const plan = planFor({ ...told, call }, [alert('fresh', 3), alert('worse', 1)], new Set(), 1_000)

  expect(plan.cards.map(({ ks }) => ks)).toEqual(['worse', 'fresh'])
})
