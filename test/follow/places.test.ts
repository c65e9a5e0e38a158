// Which assets a look reads for alerts whose place nobody knows.
import { describe, expect, it } from 'vitest'
import { assetsNamed, assetsToRead, type Searched, type Unplaced } from '../../src/follow/places.ts'

const nothing: Searched = { hints: [], lately: new Set(), readAt: new Map() }
const alert = (ks: string, lastMessage = 'Memory usage of C: too high', since = 100): Unplaced => ({
  ks,
  lastMessage,
  since,
})
const asset = (id: number, name = `host-${id}`) => ({ id, name, mode: 'normal' as const })
const many = (count: number) => Array.from({ length: count }, (_, at) => asset(at + 1))
const hint = (ks: string, number: number) => ({ ks, place: { asset: number } })
const read = (...at: readonly (readonly [number, number])[]) => new Map(at)

describe('a look reads', () => {
  it.each<readonly [string, readonly Unplaced[], number, Partial<Searched>, readonly number[]]>([
    [
      'nothing where all have their place',
      [],
      9,
      { hints: [hint('a', 3)], lately: new Set([4]) },
      [],
    ],
    ['assets in turn where nothing is known', [alert('a')], 3, {}, [1, 2, 3]],
    [
      'hints first, then names in the message, then assets that had alerts lately, then the others',
      [alert('a'), alert('b', 'host-4 is slow')],
      6,
      { hints: [hint('a', 5)], lately: new Set([6, 3]) },
      [5, 4, 3, 6, 1, 2],
    ],
    [
      'newer hints first',
      [alert('a'), alert('b')],
      2,
      { hints: [hint('a', 2), hint('b', 1)] },
      [1, 2],
    ],
    [
      'no asset of a hint for an alert that isn’t open, or has its place',
      [alert('a')],
      2,
      { hints: [hint('z', 2)] },
      [1, 2],
    ],
    [
      'an asset of a hint that its list doesn’t have yet',
      [alert('a')],
      1,
      { hints: [hint('a', 99)] },
      [99, 1],
    ],
    [
      'each asset once, whatever speaks for it',
      [alert('a', 'host-2'), alert('b', 'host-2')],
      2,
      { hints: [hint('a', 2), hint('b', 2)], lately: new Set([2, 1, 1]) },
      [2, 1],
    ],
    [
      'the one read longest ago first',
      [alert('a')],
      4,
      { readAt: read([1, 90], [3, 80], [4, 70]) },
      [2, 4, 3, 1],
    ],
    [
      'no asset again that was read since the alert was first seen, not even for a hint',
      [alert('a', 'host-2 is slow')],
      4,
      { hints: [hint('a', 1)], lately: new Set([3]), readAt: read([1, 100], [2, 100], [3, 100]) },
      [4],
    ],
    [
      'all of them again for a newer alert',
      [alert('a', 'host-1', 100), alert('b', 'Disk full', 200)],
      2,
      { readAt: read([1, 150], [2, 160]) },
      [1, 2],
    ],
    [
      'nothing once each was read',
      [alert('a', 'host-1'), alert('b')],
      2,
      { hints: [hint('b', 1)], lately: new Set([2]), readAt: read([1, 150], [2, 160]) },
      [],
    ],
    [
      'no asset that had alerts lately and is gone',
      [alert('a')],
      1,
      { lately: new Set([7, 1]) },
      [1],
    ],
    [
      'in a container of 500 all of them',
      [alert('a')],
      500,
      { lately: new Set([400]), readAt: new Map(many(498).map(({ id }) => [id, 100])) },
      [499, 500],
    ],
    [
      'in a larger one hints, names, and those that had alerts lately',
      [alert('a'), alert('b', 'host-501 is away')],
      501,
      { hints: [hint('a', 7)], lately: new Set([400]) },
      [7, 501, 400],
    ],
  ])('%s', (_, unplaced, count, searched, expected) => {
    expect(assetsToRead(unplaced, many(count), { ...nothing, ...searched }, 10)).toEqual(expected)
  })

  it('what it has left of its reads, at most ten', () => {
    const reads = (most: number) => assetsToRead([alert('a')], many(200), nothing, most).length
    expect([reads(200), reads(10), reads(3), reads(0), reads(-5)]).toEqual([10, 10, 3, 0, 0])
  })

  it('what hints say alone where it sees no assets', () => {
    expect(
      assetsToRead([alert('a', 'host-1')], [], { ...nothing, hints: [hint('a', 7)] }, 10),
    ).toEqual([7])
  })

  it('each of 200 assets once for one alert, in twenty looks, and then none', () => {
    const assets = many(200)
    const readAt = new Map<number, number>()
    const looks = Array.from({ length: 25 }, (_, look) => {
      const next = assetsToRead([alert('a')], assets, { ...nothing, readAt }, 10)
      for (const id of next) readAt.set(id, 100 + look)
      return next
    })
    expect(looks.flat().toSorted((a, b) => a - b)).toEqual(assets.map(({ id }) => id))
    expect(looks.slice(20)).toEqual([[], [], [], [], []])
  })
})

describe('assets named in messages', () => {
  it('are told by alert, the longest name first, two of one name as two', () => {
    const assets = [
      asset(1, 'db-03'),
      asset(2, 'DB-03.example.com'),
      asset(3, 'db-0'),
      asset(4, 'db-03'),
    ]
    const alerts = [alert('a', 'db-03.example.com is slow'), alert('b', 'Disk full')]
    const named = assetsNamed(alerts, assets)
    expect(named.map(([{ ks }, id]) => [ks, id])).toEqual([
      ['a', 2],
      ['a', 1],
      ['a', 4],
    ])
  })

  it('may hold blanks and signs, but need a letter or a digit', () => {
    const assets = [
      asset(1, 'Web Server 1'),
      asset(2, '[nas] 2'),
      asset(3, ''),
      asset(4, '***'),
      asset(5, 'Web server 2'),
    ]
    const named = assetsNamed([alert('a', '*** web server 1 lost [nas] 2 ***')], assets)
    expect(named.map(([, id]) => id)).toEqual([1, 2])
  })

  it('are looked for in time: 2,000 names in 2,000 long messages', () => {
    const message = `${'Memory usage of C: too high. '.repeat(70)} host-1999`
    const alerts = Array.from({ length: 2_000 }, (_, at) => alert(`k${at}`, message))
    const from = performance.now()
    expect(assetsNamed(alerts, many(2_000))).toHaveLength(0)
    expect(
      assetsNamed(
        alerts.map((one) => ({ ...one, lastMessage: 'host-1999' })),
        many(2_000),
      ),
    ).toHaveLength(2_000)
    expect(performance.now() - from).toBeLessThan(3_000)
  })
})
