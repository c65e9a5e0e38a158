// The chain: whatever somebody without a key does to a record, verifying names the first that was touched.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createChain } from '../../src/audit/chain.ts'
import type { ChainedRecord } from '../../src/audit/trail.ts'
import { verify } from '../../src/audit/verify.ts'
import { grantOf, keyOf, type Memory, memoryOf, write } from './memory.ts'

const keys = [keyOf('k1', 1)]
const chain = createChain(keys)
const stranger = createChain([keyOf('k1', 2)])

async function trailOf(count: number): Promise<Memory> {
  const memory = memoryOf()
  for (let index = 1; index <= count; index += 1) {
    memory.now += 1_000
    await write(memory, chain, grantOf(index))
  }
  return memory
}

const at = (memory: Memory, index: number): ChainedRecord => {
  const record = memory.rows[index]
  if (record === undefined) throw new RangeError(`no record at ${index}`)
  return record
}

function replace(memory: Memory, index: number, changes: Partial<ChainedRecord>): void {
  memory.rows[index] = { ...at(memory, index), ...changes }
}

const place = fc
  .integer({ min: 2, max: 12 })
  .chain((count) => fc.record({ count: fc.constant(count), index: fc.nat(count - 1) }))

describe('a trail that nobody has touched', () => {
  it('holds, however long it is, with its pages too', async () => {
    for (const count of [0, 1, 2, 499, 500, 501, 1203]) {
      const { isSound, lines } = await verify(await trailOf(count), chain)
      expect([isSound, lines[0]]).toEqual([
        true,
        count === 0
          ? 'The audit trail has no records yet.'
          : expect.stringMatching(
              `^The audit trail is intact: records 1 to ${count}, from .* UTC to .* UTC\\.$`,
            ),
      ])
    }
  })

  it('holds with addresses erased', async () => {
    const memory = await trailOf(5)
    await memory.erase('p2@example.com')
    await memory.erase('p4@example.com')
    expect(memory.rows.filter(({ email }) => email === null)).toHaveLength(2)
    expect((await verify(memory, chain)).isSound).toBe(true)
  })

  it('never goes back in time, whatever the clock does', async () => {
    const memory = await trailOf(2)
    memory.now -= 60_000
    await write(memory, chain, grantOf(3))
    expect(at(memory, 2).at).toBe(at(memory, 1).at)
  })

  it('holds no address under its macs, and the same digest for either case of it', () => {
    const head = { seq: 0, mac: '', at: 0, now: 1 }
    const plain = chain.seal(grantOf(1, { email: 'Dave@Example.com ' }), head)
    const folded = chain.seal(grantOf(1, { email: 'dave@example.com' }), head)
    expect(plain.body).toBe(folded.body)
    expect(plain.email).toBe('dave@example.com')
    expect(plain.body.toLowerCase()).not.toContain('dave')
  })
})

describe('a trail in which somebody', () => {
  it('changed any field of any record names that record', async () => {
    const change = fc.constantFrom('at', 'workspaceId', 'key', 'keyId', 'body', 'mac', 'email')
    await fc.assert(
      fc.asyncProperty(
        place,
        change,
        fc.string({ minLength: 1 }),
        async ({ count, index }, field, text) => {
          const memory = await trailOf(count)
          const { at: when, body, keyId } = at(memory, index)
          const changed: Partial<ChainedRecord> =
            field === 'at'
              ? { at: when + text.length }
              : field === 'body'
                ? { body: body.replace('"done"', JSON.stringify(`not-done:${text}`)) }
                : field === 'keyId'
                  ? { keyId: `${keyId}${text}` }
                  : { [field]: `${text}!` }
          replace(memory, index, changed)

          const { isSound, lines } = await verify(memory, chain)

          expect(isSound).toBe(false)
          const words =
            field === 'keyId' ? 'Some records can’t be verified' : `Record ${index + 1} was changed`
          expect(lines[0]).toContain(words)
        },
      ),
    )
  })

  it('took one out of the middle says that it is missing', async () => {
    await fc.assert(
      fc.asyncProperty(place, async ({ count, index }) => {
        const memory = await trailOf(count + 1)
        memory.rows.splice(index, 1)
        const { lines } = await verify(memory, chain)
        expect(lines[0]).toBe(`Records ${index + 1} to ${index + 1} are missing.`)
      }),
    )
  })

  it('put one in names it: copied, made with another key, or before the first', async () => {
    await fc.assert(
      fc.asyncProperty(place, fc.boolean(), async ({ count, index }, isCopy) => {
        const memory = await trailOf(count)
        const before = index === 0 ? { seq: 0, mac: '', at: 0 } : at(memory, index - 1)
        const forged = isCopy
          ? { ...at(memory, count - 1 - index === index ? 0 : count - 1 - index), key: 'copy' }
          : stranger.seal(grantOf(99), { ...before, now: memory.now })
        const later = memory.rows.slice(index).map((row) => ({ ...row, seq: row.seq + 1 }))
        memory.rows = [...memory.rows.slice(0, index), { ...forged, seq: index + 1 }, ...later]
        expect((await verify(memory, chain)).lines[0]).toContain(`Record ${index + 1} was changed`)
      }),
    )
    const memory = await trailOf(3)
    memory.rows.push({ ...at(memory, 0), seq: -7, key: 'early' })
    expect((await verify(memory, chain)).lines[0]).toContain('Record -7 was changed')
  })

  it('took the newest out says where it ends now, which is not what the log names last', async () => {
    await fc.assert(
      fc.asyncProperty(place, async ({ count, index }) => {
        const memory = await trailOf(count)
        const { seq, mac } = at(memory, memory.rows.length - 1)
        memory.rows.length = index
        const report = await verify(memory, chain)
        expect(report.isSound).toBe(true)
        const ends = report.lines.filter((line) => line.includes('ends at'))
        expect(ends).toHaveLength(index === 0 ? 0 : 1)
        expect(ends.join()).not.toContain(`${seq}:${mac}`)
      }),
    )
  })
})

describe('keys', () => {
  it('that are changed let the chain go on; all of them verify, and one that is gone is named', async () => {
    const memory = await trailOf(3)
    const rotated = createChain([keyOf('k2', 2), ...keys])
    for (const index of [4, 5]) await write(memory, rotated, grantOf(index))
    await write(memory, chain, grantOf(6))

    expect(memory.rows.map(({ keyId }) => keyId)).toEqual(['k1', 'k1', 'k1', 'k2', 'k2', 'k1'])
    expect((await verify(memory, rotated)).isSound).toBe(true)
    const report = await verify(memory, createChain([keyOf('k2', 2)]))
    expect(report.isSound).toBe(false)
    expect(report.lines[0]).toBe(
      'Some records can’t be verified: their keys aren’t in ENCRYPTION_KEYS (k1).',
    )
  })
})
