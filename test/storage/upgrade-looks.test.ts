// The upgrade that brings later looks at what is not certain, from the version before, on both engines.
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startPostgres } from '../postgres.ts'
import { openUrl } from './files.ts'
import { olderDatabases } from './older-database.ts'

const server = await startPostgres()

it.each(olderDatabases(server, '0023'))(
  'a database on %s keeps its sends: a doubt of before is told as it was, and what was under way is looked at',
  async (_, make) => {
    const { url, db } = await make()
    const write = '{"containerId":12,"email":"dave@example.com","member":false,"permissions":[]}'
    await sql`insert into wishes (workspace_id, id, sender_id, asker_id, state, asked_at, settled_at, lease_until, is_told, telling_until, is_shared)
      values ('T1', 'w1', 'U1', 'U1', 'settled', 1, 1, 1, 0, 1, 0), ('T1', 'w2', 'U1', 'U1', 'sending', 2, null, 2, 0, null, 0)`.execute(
      db,
    )
    await sql`insert into sends (workspace_id, wish_id, n, sender_id, kind, write, fingerprint, target, state, is_standing, asked_at, lease_until, settled_at, outcome, is_doubt_told, is_noticed)
      values ('T1', 'w1', 1, 'U1', 'add-user', ${write}, 'f', 't', 'settled', 1, 1, null, 1, '{"kind":"uncertain","doubt":"stopped"}', 0, 0),
        ('T1', 'w2', 1, 'U1', 'add-user', ${write}, 'g', 't', 'sending', 1, 2, 2, null, null, 0, 0)`.execute(
      db,
    )

    const storage = await openUrl(url)

    expect(storage.migrated).toContain('0023-looks')
    await storage.wishes.endLapsed()
    expect(await storage.looks.claim(1_000)).toMatchObject([{ wishId: 'w2', looks: 0 }])
    expect(await storage.wishes.claimUntold(1_000)).toMatchObject(
      ['w1', 'w2'].map((id) => ({ id, sends: [{ outcome: { kind: 'uncertain', doubt: 'stopped' } }] })),
    )
  },
)
