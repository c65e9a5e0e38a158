// Upkeep of the trail: old records are forgotten, and the rest still verifies.
import { describe, expect, it } from 'vitest'
import { cutOld } from '../../src/audit/audit.ts'
import { createChain } from '../../src/audit/chain.ts'
import type { Entry } from '../../src/audit/trail.ts'
import { verify } from '../../src/audit/verify.ts'
import { keepLog } from '../keep-log.ts'
import { grantOf, keyOf, type Memory, memoryOf, write } from './memory.ts'

const dayMs = 86_400_000
const k1 = [keyOf('k1', 1)]

function keptFor(days: number, memory: Memory, keys = k1) {
  const { log, lines } = keepLog()
  const chain = createChain(keys)
  const record = async (entry: Entry) => void (await write(memory, chain, entry))
  const trail = { records: memory, chain, log, now: () => memory.now, wait: async () => undefined }
  const upkeep = cutOld(trail, days, record)
  return { upkeep, lines }
}

/** A record a day. */
async function trailOf(count: number): Promise<Memory> {
  const memory = memoryOf()
  for (let index = 1; index <= count; index += 1) {
    await write(memory, createChain(k1), grantOf(index))
    memory.now += dayMs
  }
  return memory
}

const numbers = ({ rows }: Memory) => rows.map(({ seq }) => seq)

describe('upkeep', () => {
  it('forgets what is older than AUDIT_DAYS, and records from where the chain verifies', async () => {
    const memory = await trailOf(10)
    const { upkeep } = keptFor(4, memory)

    await upkeep.now()

    expect(numbers(memory)).toEqual([7, 8, 9, 10, 11])
    const report = await verify(memory, createChain(k1))
    expect(report.isSound).toBe(true)
    expect(report.lines).toContainEqual(
      'Records 1 to 6 were older than AUDIT_DAYS and have been deleted.',
    )
  })

  it('forgets nothing where AUDIT_DAYS is 0', async () => {
    const memory = await trailOf(3)
    memory.now += 10_000 * dayMs
    const { upkeep } = keptFor(0, memory)
    await upkeep.now()
    expect(numbers(memory)).toEqual([1, 2, 3])
  })

  it('forgets nothing where somebody has touched what it would cut at, and says so', async () => {
    const memory = await trailOf(10)
    memory.rows = memory.rows.map((row) => (row.seq === 8 ? { ...row, workspaceId: 'T9' } : row))
    const { upkeep, lines } = keptFor(2, memory)

    await upkeep.now()

    expect(numbers(memory)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(lines[0]).toContain('"level":"error"')
    expect(lines[0]).toContain('npm run audit -- --verify')
  })

  it('does not believe a time that nobody can verify: without the key, records wait for one that is old and holds', async () => {
    const memory = await trailOf(10)
    memory.rows = memory.rows.map((row) => (row.seq <= 8 ? { ...row, keyId: 'gone' } : row))
    const { upkeep } = keptFor(4, memory)

    await upkeep.now()
    expect(numbers(memory)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])

    memory.now += 3 * dayMs
    await upkeep.now()
    expect(numbers(memory)).toEqual([10, 11])
  })

  it('deletes what a process left that was killed before it could', async () => {
    const memory = await trailOf(10)
    const rows = [...memory.rows]
    await keptFor(4, memory).upkeep.now()
    const cut = memory.rows.at(-1)
    memory.rows = cut === undefined ? [] : [...rows, cut]
    expect((await verify(memory, createChain(k1))).isSound).toBe(true)

    await keptFor(4, memory).upkeep.now()
    expect(numbers(memory)).toEqual([7, 8, 9, 10, 11])
  })
})

it('a trail that was cut, whose record of it somebody took away, misses the records before', async () => {
  const memory = await trailOf(10)
  await keptFor(4, memory).upkeep.now()
  memory.rows = memory.rows.filter(({ key }) => !key.startsWith('cut:'))
  expect((await verify(memory, createChain(k1))).lines[0]).toBe('Records 1 to 6 are missing.')
})
