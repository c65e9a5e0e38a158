// The upgrade that brings reminders of requests and whom an installation mentions, from the version before, on both
// engines.
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startPostgres } from '../postgres.ts'
import { openUrl } from './files.ts'
import { olderDatabases } from './older-database.ts'

const server = await startPostgres()
const minute = 60_000

it.each(olderDatabases(server, '0020'))(
  'a database on %s keeps its requests, and reminds of those that are open for more than an hour',
  async (_, make) => {
    const { url, db } = await make()
    const keep = (id: string, minutesLeft: number, minutesInAll: number) => {
      const until = Date.now() + minutesLeft * minute
      return sql`insert into approvals
        (workspace_id, id, wish_id, asker_id, asker_name, wish, reason, barred, state, is_open, attempt, asked_at,
          until, card, version, is_owed, claim_until, is_asker_told, is_approver_told)
        values ('T1', ${id}, ${id}, 'U1', 'bob',
          '{"containerId":12,"emails":["dave@example.com"],"member":false,"permissions":["READ"]}', 'On call',
          '{"recipientIds":[],"recipients":[]}', 'open', 1, 0, ${until - minutesInAll * minute}, ${until},
          '{"kind":"posted","channelId":"C1","ts":"1.2"}', 1, 0, 0, 0, 0)`.execute(db)
    }
    await keep('soon', 30, 1440)
    await keep('later', 120, 1440)
    await keep('short', 30, 60)
    await sql`insert into installations
      (workspace_id, team_id, is_org_wide, bot_user_id, token, installer_id, installed_at, audit_channel)
      values ('T1', 'T1', 0, 'UBOT1', 'k.one', 'U1', 1, 'C1')`.execute(db)

    const storage = await openUrl(url)

    expect(storage.migrated[0]).toBe('0020-approval-news')
    expect(await storage.approvals.find('T1', 'later')).toMatchObject({
      state: 'open',
      isThreadTold: false,
      endedAt: undefined,
    })
    expect((await storage.approvals.claimReminders()).map(({ id }) => id)).toEqual(['soon'])
    expect(await storage.installations.find('T1')).toMatchObject({ channels: { audit: 'C1' }, mention: [] })
    const withdrawn = await storage.approvals.withdraw({ workspaceId: 'T1', userId: 'U1' }, 'later', 0)
    expect(withdrawn?.endedAt).toBeGreaterThan(0)
  },
)
