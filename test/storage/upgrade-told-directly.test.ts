// The upgrade that brings direct messages to watchers, from the version before, on both engines.
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startPostgres } from '../postgres.ts'
import { openUrl } from './files.ts'
import { olderDatabases } from './older-database.ts'
import { card, shown } from './watch-samples.ts'

const server = await startPostgres()

it.each(olderDatabases(server, '0019'))(
  'a database on %s keeps its watches, whose watchers start from what their card shows',
  async (_, make) => {
    const { url, db } = await make()
    await sql`insert into cards (workspace_id, id, ks, asker_id, asker_name, is_private, form, told, version, is_shared, kept_at)
      values ('T1', 'c1', 'k', 'U1', 'Alice', 0, 'thread', '[]', 0, 0, 1)`.execute(db)
    await sql`insert into live_cards (workspace_id, card_id, since, channel_id, ts, shown, failures, due_at, ask_at, pokes)
      values ('T1', 'c1', 1, 'C1', '1.2', ${JSON.stringify(shown)}, 0, 1, 0, 0)`.execute(db)
    await sql`insert into watches (workspace_id, card_id, user_id, user_name, since, until, slot)
      values ('T1', 'c1', 'U1', 'Alice', 1, ${Number.MAX_SAFE_INTEGER}, 0)`.execute(db)

    const storage = await openUrl(url)

    expect(storage.migrated[0]).toBe('0019-told-directly')
    const [live] = await storage.watches.lease({ owner: 'A', leaseMs: 1_000, most: 1 })
    expect(live).toMatchObject({
      shown,
      card: { id: 'c1', told: [] },
      watchers: [{ userId: 'U1', toldLevel: undefined, telling: undefined, isThreadOnly: false }],
    })
    const telling = { workspaceId: 'T1', cardId: 'c1', userId: 'U1', from: 1, to: 0 }
    expect(await storage.watches.claimTelling(telling, 1_000)).toBe(true)
    await storage.cards.keep(card('c2'))
  },
)
