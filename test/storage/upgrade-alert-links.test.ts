// The upgrade that brings links of alerts, from the version before, on both engines.
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startPostgres } from '../postgres.ts'
import { openUrl } from './files.ts'
import { olderDatabases } from './older-database.ts'

const server = await startPostgres()
const alice = { workspaceId: 'T1', userId: 'U1' }
const link = { asset: '34', timestamp: '1700000000' }

it.each(olderDatabases(server, '0018'))(
  'a database on %s keeps its cards, which have no link, and remembers links from then on',
  async (_, make) => {
    const { url, db } = await make()
    const insert = sql`insert into cards
      (workspace_id, id, ks, title, asker_id, asker_name, is_private, form, told, version, is_shared, kept_at)
      values ('T1', 'c1', '5HkX', 'Disk full', 'U1', 'alice', 0, 'thread', '[]', 0, 0, 1)`
    await insert.execute(db)

    const storage = await openUrl(url)

    expect(storage.migrated).toContain('0018-alert-links')
    expect(await storage.cards.find('T1', 'c1')).toMatchObject({ ks: '5HkX', link: undefined })
    await storage.alertLinks.keep(alice, link, '5HkX')
    expect(await storage.alertLinks.keyOf(alice, link)).toBe('5HkX')
    // A process of the version before still runs, and knows of no link.
    await sql`insert into cards
      (workspace_id, id, ks, title, asker_id, asker_name, is_private, form, told, version, is_shared, kept_at)
      values ('T1', 'c2', '5HkX', 'Disk full', 'U1', 'alice', 0, 'thread', '[]', 0, 0, 1)`.execute(db)
    expect(await storage.cards.find('T1', 'c2')).toMatchObject({ ks: '5HkX', link: undefined })
  },
)
