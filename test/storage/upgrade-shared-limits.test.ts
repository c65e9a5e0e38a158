// The upgrade that brings limits that processes share, and the time at which Slack was asked about somebody, from the
// version before, on both engines.
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startPostgres } from '../postgres.ts'
import { openUrl } from './files.ts'
import { olderDatabases } from './older-database.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const one = { perMinute: 1, cost: 1, needed: 1 }
const server = await startPostgres()

it.each(olderDatabases(server, '0015'))(
  'a database on %s keeps its accounts, and processes on it share limits from then on',
  async (_, make) => {
    const { url, db } = await make()
    await sql`insert into accounts values ('T1', 'U1', 'k1.token', 1, 'k1.fingerprint')`.execute(db)

    const [storage, other] = [await openUrl(url), await openUrl(url)]

    expect(storage.migrated[0]).toBe('0015-shared-limits')
    expect(await storage.accounts.find(alice)).toBe('k1.token')
    // Nobody has been asked about yet.
    expect(await storage.accounts.notAskedFor(1_000, { mostEach: 1, most: 1 })).toEqual([alice])
    expect(await storage.processes.renew('A', 20_000)).toBe(1)
    expect(await other.processes.renew('B', 20_000)).toBe(2)
    expect(await storage.sharedLimits.charge(alice, one)).toBe(true)
    expect(await other.sharedLimits.charge(alice, one)).toBe(false)
  },
)
