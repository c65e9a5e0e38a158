// Upkeep of the trail: old records are forgotten, and the rest still verifies.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { keepUp } from '../../src/audit/audit.ts'
import { createChain, verify } from '../../src/audit/chain.ts'
import { reportOn } from '../../src/audit/render-verdict.ts'
import { keepLog } from '../keep-log.ts'
import { grantOf, keyOf, type Memory, memoryOf } from './memory.ts'

const dayMs = 86_400_000
const k1 = [keyOf('k1', 1)]
const both = [keyOf('k2', 2), ...k1]

function keptFor(days: number, memory: Memory, keys = k1) {
  const { log, lines } = keepLog()
  const pruned: number[] = []
  const lookUps = {
    add: async () => undefined,
    page: async () => [],
    prune: async (before: number) => void pruned.push(before),
  }
  const upkeep = keepUp({ records: memory, lookUps, chain: createChain(keys), days, log })
  return { upkeep, lines, pruned }
}

/** A record a day. */
async function trailOf(count: number, memory = memoryOf(), keys = k1): Promise<Memory> {
  const from = (await memory.head()).seq
  for (let index = from + 1; index <= from + count; index += 1) {
    await memory.append(createChain(keys).seal(grantOf(index), await memory.head()))
    memory.now += dayMs
  }
  return memory
}

const numbers = ({ rows }: Memory) => rows.map(({ seq }) => seq)

describe('upkeep', () => {
  it('forgets what is older than AUDIT_DAYS, and leaves a checkpoint from which the chain verifies', async () => {
    const memory = await trailOf(10)
    const { upkeep, pruned } = keptFor(4, memory)

    await upkeep.now()

    expect(numbers(memory)).toEqual([7, 8, 9, 10])
    expect(pruned).toEqual([memory.now - 4 * dayMs])
    const report = reportOn(await verify(memory, createChain(k1)))
    expect(report.isSound).toBe(true)
    expect(report.lines).toContainEqual(
      expect.stringMatching(
        /^Records 1 to 6 were older than AUDIT_DAYS and have been deleted, most recently on /,
      ),
    )
  })

  it('goes on from there, after all was forgotten too', async () => {
    const memory = await trailOf(3)
    const { upkeep } = keptFor(1, memory)
    memory.now += 5 * dayMs
    await upkeep.now()
    expect(numbers(memory)).toEqual([])
    const report = reportOn(await verify(memory, createChain(k1)))
    expect(report.isSound).toBe(true)
    expect(report.lines[0]).toBe('The audit trail has no records left: all were older than AUDIT_DAYS.')

    await trailOf(4, memory)
    await upkeep.now()

    expect(numbers(memory)).toEqual([7])
    expect(reportOn(await verify(memory, createChain(k1))).isSound).toBe(true)
  })

  it('forgets nothing where AUDIT_DAYS is 0', async () => {
    const memory = await trailOf(3)
    memory.now += 10_000 * dayMs
    const { upkeep, pruned } = keptFor(0, memory)
    await upkeep.now()
    expect(numbers(memory)).toEqual([1, 2, 3])
    expect([memory.kept, pruned]).toEqual([undefined, []])
  })

  it('logs where the trail ends, so that a tail that was cut off shows', async () => {
    const memory = await trailOf(3)
    const { upkeep, lines } = keptFor(0, memory)

    await upkeep.now()

    const { seq, mac } = await memory.head()
    expect(JSON.parse(lines.join())).toMatchObject({
      level: 'info',
      auditHead: `${seq}:${mac}`,
      auditRecords: 3,
    })
  })

  it('says when the clock was ahead once, as records are dated by it until it is that late again', async () => {
    const memory = await trailOf(3)
    const { upkeep, lines } = keptFor(0, memory)
    memory.now -= dayMs + 60_000
    await upkeep.now()
    expect(lines).toHaveLength(1)

    memory.now -= 1
    await upkeep.now()
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ level: 'warn', aheadMs: 60_001 })
  })

  it('does not forget what somebody has touched, nor what comes behind it, and says so', async () => {
    const memory = await trailOf(10)
    memory.rows = memory.rows.map((row) => (row.seq === 4 ? { ...row, workspaceId: 'T9' } : row))
    const { upkeep, lines } = keptFor(2, memory)

    await upkeep.now()

    expect(numbers(memory)).toEqual([4, 5, 6, 7, 8, 9, 10])
    expect(lines[0]).toContain('"level":"error"')
    expect(lines[0]).toContain('npm run audit -- --verify')
    expect((await verify(memory, createChain(k1))).fault).toEqual({ kind: 'changed', seq: 4 })
  })

  it('does not bring a record nearer to its end because its time was changed', async () => {
    const memory = await trailOf(5)
    memory.rows = memory.rows.map((row) => (row.seq > 2 ? { ...row, at: 1 } : row))
    await keptFor(3, memory).upkeep.now()
    expect(numbers(memory)).toEqual([3, 4, 5])
  })

  it('does not believe a time that nobody can verify: without the key, records wait for one that is old and holds', async () => {
    const memory = await trailOf(10)
    memory.rows = memory.rows.map((row) => (row.seq <= 8 ? { ...row, keyId: 'gone', at: 1 } : row))
    const { upkeep, lines } = keptFor(4, memory)

    await upkeep.now()
    expect(numbers(memory)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(lines.filter((line) => line.includes('"level":"warn"'))).toEqual([])

    memory.now += 3 * dayMs
    await upkeep.now()

    expect(numbers(memory)).toEqual([10])
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ level: 'warn', unverified: 8 })
    const head = await memory.head()
    const verdict = reportOn(await verify(memory, createChain(k1), head))
    expect(verdict.isSound).toBe(false)
  })

  it('by two at once forgets once, and the chain verifies', async () => {
    const memory = await trailOf(10)
    const [one, other] = [keptFor(4, memory), keptFor(6, memory)]
    await Promise.all([one.upkeep.now(), other.upkeep.now()])
    expect(reportOn(await verify(memory, createChain(k1))).isSound).toBe(true)
  })
})

describe('upkeep that was started', () => {
  afterEach(() => void vi.useRealTimers())

  it('logs where the trail ends at once, and then every hour', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { upkeep, lines } = keptFor(0, await trailOf(3))

    upkeep.start()
    await upkeep.now()
    await vi.advanceTimersByTimeAsync(3_599_999)
    expect(lines).toHaveLength(1)

    vi.advanceTimersByTime(1)
    await upkeep.stop()
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('"auditHead":"3:')
  })
})

describe('a long trail', () => {
  it('is walked without keeping the process from anything else', async () => {
    const memory = memoryOf()
    const chain = createChain(k1)
    let head = await memory.head()
    for (let index = 1; index <= 5_000; index += 1) {
      const record = chain.seal(grantOf(index), head)
      memory.rows.push(record)
      head = { ...record, now: memory.now }
    }
    let isDone = false
    let turns = 0
    const count = () => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)

    await verify(memory, chain)
    isDone = true

    expect(turns).toBeGreaterThanOrEqual(9)
  })
})

describe('the checkpoint', () => {
  async function prunedTrail(): Promise<Memory> {
    const memory = await trailOf(10)
    await keptFor(4, memory).upkeep.now()
    return memory
  }

  it('that somebody took away shows: the records before the first are missing', async () => {
    const memory = await prunedTrail()
    memory.kept = undefined
    const { lines, isSound } = reportOn(await verify(memory, createChain(k1)))
    expect([isSound, lines[0]]).toEqual([false, 'Records 1 to 6 are missing.'])
  })

  it.each(['seq', 'mac', 'at', 'unverified', 'seal'] as const)(
    'whose %s somebody changed shows, and nothing is forgotten by it',
    async (field) => {
      const memory = await prunedTrail()
      const { kept, rows } = memory
      if (kept === undefined) throw new Error('no checkpoint')
      const record = rows[1]
      if (record === undefined) throw new Error('no record')
      // As if two more had been pruned.
      const forged = { seq: record.seq, mac: record.mac, at: 1, unverified: 3, seal: 'x'.repeat(43) }
      memory.kept = { ...kept, [field]: forged[field] }

      const verdict = reportOn(await verify(memory, createChain(k1)))
      const { upkeep, lines } = keptFor(1, memory)
      await upkeep.now()

      expect(verdict.isSound).toBe(false)
      expect(verdict.lines[0]).toBe('The checkpoint was changed: Bellhop wrote something else.')
      expect(numbers(memory)).toEqual([7, 8, 9, 10])
      expect(lines[0]).toContain('Bellhop deletes no records')
    },
  )

  it('of before shows: what was pruned since is missing', async () => {
    const memory = await prunedTrail()
    const before = memory.kept
    await keptFor(2, memory).upkeep.now()
    memory.kept = before
    expect((await verify(memory, createChain(k1))).fault).toEqual({ kind: 'missing', from: 7, to: 8 })
  })

  it('is sealed anew with a new first key, so that the old one can go when its records have', async () => {
    const memory = await prunedTrail()
    await keptFor(0, memory, both).upkeep.now()
    await trailOf(4, memory, both)
    await keptFor(4, memory, both).upkeep.now()

    expect(numbers(memory)).toEqual([11, 12, 13, 14])
    expect(reportOn(await verify(memory, createChain([keyOf('k2', 2)]))).isSound).toBe(true)
  })

  it('keeps count of what was forgotten without a key to verify it by', async () => {
    const memory = await prunedTrail()
    await keptFor(0, memory, both).upkeep.now()
    await trailOf(4, memory, both)
    const k2 = [keyOf('k2', 2)]

    const { upkeep, lines } = keptFor(3, memory, k2)
    await upkeep.now()

    expect(numbers(memory)).toEqual([12, 13, 14])
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', unverified: 4 })
    const verdict = reportOn(await verify(memory, createChain(k2)))
    expect(verdict.isSound).toBe(false)
    expect(verdict.lines[0]).toBe(
      '4 records that have been deleted couldn’t be verified before that: the key was not in ENCRYPTION_KEYS.',
    )
    expect(verdict.lines[1]).toMatch(/^The rest of the audit trail is intact: 3 records \(12 to 14\)/)

    await upkeep.now()
    expect(lines.filter((line) => line.includes('"level":"warn"'))).toHaveLength(1)
  })

  it('whose key is gone is said to be so, and nothing is forgotten by it', async () => {
    const memory = await prunedTrail()
    const k2 = [keyOf('k2', 2)]
    const { upkeep, lines } = keptFor(1, memory, k2)
    await upkeep.now()
    expect(numbers(memory)).toEqual([7, 8, 9, 10])
    expect(lines[0]).toContain('Key k1 is not in ENCRYPTION_KEYS')
    expect(reportOn(await verify(memory, createChain(k2))).lines[0]).toBe(
      'The checkpoint can’t be verified: key k1 is not in ENCRYPTION_KEYS.',
    )
  })
})

describe('verifying', () => {
  it('while somebody prunes begins again from where the chain goes on', async () => {
    const memory = await trailOf(10)
    const { upkeep } = keptFor(4, memory)
    let isFirst = true
    const slow = {
      ...memory,
      checkpoint: async () => {
        const before = memory.kept
        // Between the look at the checkpoint and the look at the records.
        if (isFirst) await upkeep.now()
        isFirst = false
        return before
      },
      page: (reach: Parameters<Memory['page']>[0]) => memory.page(reach),
    }

    const verdict = await verify(slow, createChain(k1))

    expect(verdict).toMatchObject({ fault: undefined, count: 4 })
  })
})
