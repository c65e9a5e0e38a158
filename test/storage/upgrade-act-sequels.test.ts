// The upgrade that brings what follows acts, from the version before, on both engines.
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startPostgres } from '../postgres.ts'
import { openUrl } from './files.ts'
import { olderDatabases } from './older-database.ts'

const server = await startPostgres()

it.each(olderDatabases(server, '0026'))(
  'a database on %s keeps its acts, and what followed them is not done again',
  async (_, make) => {
    const { url, db } = await make()
    const write = '{"ks":"5HkX","message":"","isSolution":false,"cardId":"c1"}'
    await sql`insert into wishes (workspace_id, id, sender_id, asker_id, state, asked_at, settled_at, lease_until, is_told, telling_until, is_shared)
      values ('T1', 'w1', 'U1', 'U1', 'settled', 1, 1, 1, 1, 1, 0)`.execute(db)
    await sql`insert into sends (workspace_id, wish_id, n, sender_id, kind, write, fingerprint, target, state, is_standing, asked_at, settled_at, outcome, is_doubt_told, is_noticed, looks)
      values ('T1', 'w1', 1, 'U1', 'close', ${write}, 'f', 't', 'settled', 1, 1, 1, '{"kind":"granted","on":"seen"}', 0, 0, 0)`.execute(
      db,
    )

    const storage = await openUrl(url)

    expect(storage.migrated).toContain('0026-act-sequels')
    expect(await storage.actSequels.claim(1_000)).toEqual([])
    expect(await storage.wishes.find('T1', 'w1')).toMatchObject({ sends: [{ outcome: { kind: 'done' } }] })
  },
)
