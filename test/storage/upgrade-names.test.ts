// The upgrade that brings names, from the version before, on both engines.
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startPostgres } from '../postgres.ts'
import { openUrl } from './files.ts'
import { olderDatabases } from './older-database.ts'

const server = await startPostgres()
const alice = { workspaceId: 'T1', userId: 'U1' }

it.each(olderDatabases(server, '0024'))(
  'a database on %s keeps its accounts and its cards, which have no names, and keeps names from then on',
  async (_, make) => {
    const { url, db } = await make()
    const insertCard = (id: string) =>
      sql`insert into cards
        (workspace_id, id, ks, title, asker_id, asker_name, is_private, form, told, version, is_shared, kept_at, link)
        values ('T1', ${id}, '5HkX', 'Disk full', 'U1', 'alice', 0, 'thread', '[]', 0, 0, 1, '{"asset":"34","timestamp":"1700000000"}')`.execute(
        db,
      )
    await insertCard('c1')
    await sql`insert into accounts (workspace_id, user_id, token, kept_at, fingerprint, asked_at)
      values ('T1', 'U1', 'k1.sealed', 1, 'k1.fingerprint', 1)`.execute(db)

    const storage = await openUrl(url)

    expect(storage.migrated).toContain('0024-names')
    const plain = { ks: '5HkX', link: { asset: '34', timestamp: '1700000000' }, names: undefined }
    expect(await storage.cards.find('T1', 'c1')).toMatchObject(plain)
    expect(await storage.accounts.find(alice)).toBe('k1.sealed')
    const names = { people: { 7: 'Alice Archer' }, container: { id: 12, name: 'Customer 1' } }
    await storage.cards.noteNames('T1', 'c1', names)
    expect((await storage.cards.find('T1', 'c1'))?.names).toEqual(names)
    await storage.containerNames.keep(alice, 12, { name: 'k1.name' })
    expect(await storage.containerNames.find(alice, 12)).toMatchObject({ name: 'k1.name' })
    // A process of the version before still runs, and knows of no names.
    await insertCard('c2')
    expect(await storage.cards.find('T1', 'c2')).toMatchObject(plain)
  },
)
