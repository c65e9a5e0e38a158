// The upgrade that brings names of containers to requests for approval, from the version before, on both engines.
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { request } from '../../playground/pictures/gallery/grants/approval-sample.ts'
import { startPostgres } from '../postgres.ts'
import { openUrl } from './files.ts'
import { olderDatabases } from './older-database.ts'

const server = await startPostgres()

it.each(olderDatabases(server, '0028'))(
  'a database on %s keeps its requests, which go on with the number alone, and keeps names from then on',
  async (_, make) => {
    const { url, db } = await make()
    const insert = (id: string) => {
      const now = Date.now()
      return sql`insert into approvals
        (workspace_id, id, wish_id, asker_id, asker_name, wish, reason, barred, state, is_open, attempt, asked_at,
          until, card, version, is_owed, claim_until, is_asker_told, is_approver_told)
        values ('T1', ${id}, ${id}, 'U1', 'bob',
          '{"containerId":12,"emails":["dave@example.com"],"member":false,"permissions":["READ"]}', 'On call',
          '{"asker":"k.bob","recipientIds":["U4"],"recipients":["k.dave"]}', 'open', 1, 0, ${now}, ${now + 3_600_000},
          '{"kind":"posted","channelId":"C1","ts":"1.2"}', 1, 0, 0, 0, 0)`.execute(db)
    }
    await insert('older')

    const storage = await openUrl(url)

    expect(storage.migrated).toContain('0028-request-names')
    // A process of the version before still runs, and knows of no names.
    await insert('beside')
    for (const id of ['older', 'beside']) {
      expect(await storage.approvals.find('T1', id)).toMatchObject({
        state: 'open',
        container: undefined,
        barred: { asker: 'k.bob', recipientIds: ['U4'], recipients: ['k.dave'], users: [] },
      })
    }
    const named = { ...request(), container: 'Customer 1 (12)' }
    const { approval } = await storage.approvals.ask(named, { ttlMs: 3_600_000, claimMs: 0 })
    expect(approval.container).toBe('Customer 1 (12)')
    const begun = await storage.approvals.begin('T1', 'older', { userId: 'U3', name: 'carol' }, 60_000)
    expect(begun).toMatchObject({ state: 'granting', container: undefined })
  },
)
