// The upgrade that brings a place for tokens that are given up, from the version before, on both engines.
import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Tables } from '../../src/storage/tables.ts'
import { startPostgres } from '../postgres.ts'
import { openUrl } from './files.ts'
import { olderDatabases } from './older-database.ts'

const bob = { workspaceId: 'T1', userId: 'U1' }
const server = await startPostgres()

async function keepRequest(db: Kysely<Tables>, id: string, state: 'open' | 'ended'): Promise<void> {
  const wish = { containerId: 12, emails: ['dave@example.com'], permissions: [], member: false }
  const barred = { asker: 'k1.fingerprint', recipientIds: ['U2'], recipients: ['k1.other'] }
  await db
    .insertInto('approvals')
    .values({
      ...{ workspace_id: 'T1', id, wish_id: id, asker_id: 'U1', asker_name: 'bob', reason: 'On call' },
      wish: JSON.stringify(wish),
      barred: JSON.stringify(barred),
      ...{ channel_id: null, thread_ts: null, state, is_open: state === 'open' ? 1 : 0, attempt: 0 },
      ...{ approver_id: null, approver_name: null, lease_until: null, version: 1 },
      ending: state === 'open' ? null : JSON.stringify({ kind: 'withdrawn' }),
      ...{ asked_at: 1, until: Date.now() + 3_600_000, card: JSON.stringify({ kind: 'none' }) },
      ...{ is_owed: 0, claim_until: 0, is_asker_told: 1, is_approver_told: 1 },
    })
    .execute()
}

it.each(olderDatabases(server, '0013'))(
  'a database on %s keeps its accounts and open requests, and fingerprints of ended requests go',
  async (_, make) => {
    const { url, db } = await make()
    await sql`insert into accounts values ('T1', 'U1', 'k1.token', 1, 'k1.fingerprint')`.execute(db)
    await keepRequest(db, 'a-open', 'open')
    await keepRequest(db, 'b-ended', 'ended')

    const { migrated, accounts, approvals, pastTokens } = await openUrl(url)

    expect(migrated[0]).toBe('0013-past-tokens')
    expect((await approvals.find('T1', 'a-open'))?.barred.recipients).toEqual(['k1.other'])
    expect(await approvals.find('T1', 'b-ended')).toMatchObject({
      ending: { kind: 'withdrawn' },
      barred: { asker: undefined, recipientIds: [], recipients: [] },
    })
    expect(await pastTokens.compare([bob], ['k1.fingerprint'])).toBe('other')
    expect(await accounts.forget(bob)).toBe(true)
    expect(await pastTokens.compare([bob], ['k1.fingerprint'])).toBe('same')
  },
)
