// The upgrade that brings notices to people who got access, from the version before, on both engines.
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startPostgres } from '../postgres.ts'
import { openUrl } from './files.ts'
import { olderDatabases } from './older-database.ts'

const server = await startPostgres()

it.each(olderDatabases(server, '0022'))(
  'a database on %s keeps its sends, and a grant whose outcome is told late is noticed once',
  async (_, make) => {
    const { url, db } = await make()
    await sql`insert into sends (workspace_id, wish_id, n, sender_id, kind, write, fingerprint, state, is_standing, asked_at, settled_at, outcome, is_doubt_told)
      values ('T1', 'w1', 1, 'U1', 'add-user', '{}', 'f', 'settled', 0, 1, 1, '{"kind":"granted"}', 0)`.execute(
      db,
    )

    const storage = await openUrl(url)

    expect(storage.migrated).toContain('0022-notices')
    const send = { workspaceId: 'T1', wishId: 'w1', n: 1 }
    expect(await storage.grantNotices.take(send)).toBe(true)
    expect(await storage.grantNotices.take(send)).toBe(false)
  },
)
