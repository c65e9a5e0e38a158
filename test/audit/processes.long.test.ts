// Several processes write into one chain at the same time, on either engine.
import { execFile } from 'node:child_process'
import { createSecretKey } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createChain } from '../../src/audit/chain.ts'
import { verify } from '../../src/audit/verify.ts'
import { startPostgres } from '../postgres.ts'
import { openUrl, temporaryFile } from '../storage/files.ts'

const child = fileURLToPath(new URL('./append-child.ts', import.meta.url))
const chain = createChain([{ id: 'k1', key: createSecretKey(Buffer.alloc(32, 1)) }])
const server = await startPostgres()

describe.each([
  { what: 'file', create: async () => `file:${temporaryFile()}` },
  { what: 'PostgreSQL database', create: () => server.createDatabase() },
])('three processes on one $what', ({ create }) => {
  it('write one chain that verifies, with each entry in it once', async () => {
    const url = await create()
    const storage = await openUrl(url)
    const count = 40
    const startAt = Date.now() + 700
    const run = async () =>
      Number(
        (await promisify(execFile)(process.execPath, [child, url, `${startAt}`, `${count}`]))
          .stdout,
      )

    const added = await Promise.all([run(), run(), run()])

    expect(added.reduce((sum, one) => sum + one, 0)).toBe(4 * count)
    const { isSound, lines } = await verify(storage.auditRecords, chain)
    expect([isSound, lines[0]]).toEqual([
      true,
      expect.stringContaining(`records 1 to ${4 * count},`),
    ])
  })
})
