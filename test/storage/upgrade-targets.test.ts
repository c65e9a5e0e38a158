// The upgrade after which Bellhop finds past grants, from the version before, on both engines.
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startPostgres } from '../postgres.ts'
import { openUrl } from './files.ts'
import { olderDatabases } from './older-database.ts'

const server = await startPostgres()
const granted = '{"kind":"granted"}'
const now = Date.now()

it.each(olderDatabases(server, '0021'))(
  'a database on %s keeps its grants, and Bellhop remembers them, as many as there are',
  async (_, make) => {
    const { url, db } = await make()
    const many = 1001
    for (let n = 1; n <= many; n++) {
      const write = JSON.stringify({
        containerId: 12,
        email: `P${n}@Example.com`,
        member: false,
        permissions: ['READ'],
      })
      await sql`insert into sends (workspace_id, wish_id, n, sender_id, kind, write, fingerprint, state, is_standing, asked_at, settled_at, outcome, is_doubt_told)
        values ('T1', 'w1', ${n}, 'U1', 'add-user', ${write}, ${`f${n}`}, 'settled', 0, ${now}, ${now}, ${granted}, 0)`.execute(
        db,
      )
    }
    await sql`insert into wishes (workspace_id, id, sender_id, asker_id, state, asked_at, is_told, is_shared)
      values ('T1', 'w1', 'U1', 'U2', 'settled', ${now}, 1, 0)`.execute(db)
    await sql`insert into sends (workspace_id, wish_id, n, sender_id, kind, write, fingerprint, state, is_standing, asked_at, is_doubt_told)
      values ('T1', 'w2', 1, 'U1', 'of-a-newer-version', '{}', 'f', 'asked', 0, ${now}, 0)`.execute(db)

    const storage = await openUrl(url)

    expect(storage.migrated).toContain('0021-targets')
    const emails = ['p1@example.com', `p${many}@example.com`, 'nobody@example.com']
    const asked = { workspaceId: 'T1', containerId: 12, emails, of: 'U2' }
    const found = await storage.pastGrants.newest(asked, 60 * 60_000)
    expect(found).toEqual(
      emails.slice(0, 2).map((email) => ({
        ...{ email, permissions: ['READ'], at: now },
        ...{ senderId: 'U1', askerId: 'U2' },
      })),
    )
  },
)
