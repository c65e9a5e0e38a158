// The upgrade that turns grants and batches into wishes and sends, from the version before, on both engines: whatever
// state somebody's grant was in, it goes on from there, and its buttons in Slack find it.
import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from '../../src/storage/engine.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { migrations } from '../../src/storage/migrations/all.ts'
import { openPostgres } from '../../src/storage/postgres/postgres.ts'
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts'
import { forgetFormer, pruneFormer } from '../../src/storage/stores/former-grants.ts'
import type { SendsTable, Tables, WishesTable } from '../../src/storage/tables.ts'
import { startPostgres } from '../postgres.ts'
import { type OlderDatabase, olderDatabases } from './older-database.ts'

const server = await startPostgres()

// Rows as the version before has kept them.

interface FormerRow {
  readonly workspace_id: string
  readonly id: string
  readonly asker_id: string
  readonly fingerprint: string
  readonly channel_id: string | null
  readonly state: 'asked' | 'cancelled' | 'sending' | 'settled' | 'joined'
  readonly joined_id: string | null
  readonly is_standing: 0 | 1
  readonly asked_at: number
  readonly lease_until: number | null
  readonly settled_at: number | null
  readonly is_told: 0 | 1
  readonly telling_until: number | null
  readonly is_shared: 0 | 1
  readonly about: string | null
  readonly is_handed_over: 0 | 1
}

interface GrantRow extends FormerRow {
  readonly request: string
  readonly outcome: string | null
}

interface BatchRow extends FormerRow {
  readonly wish: string
}

type FormerTables = {
  readonly grants: GrantRow
  readonly batches: BatchRow
  readonly grants_until_0016: GrantRow
  readonly batches_until_0016: BatchRow
}

type Asked = Partial<Omit<FormerRow, 'workspace_id' | 'fingerprint'>> & {
  readonly id: string
  readonly workspace?: string
}

const rights = { containerId: 12, member: true, permissions: ['READ', 'ALERT_ASSIGN'] }
const reason = JSON.stringify({ name: 'Disk full', isForAll: true, channelId: 'C1', isDirect: false })

const granted = JSON.stringify({ kind: 'granted' })
const forbidden = JSON.stringify({ kind: 'not-granted', code: 'forbidden' })
const stopped = JSON.stringify({ kind: 'uncertain', doubt: 'stopped' })
const corrected = JSON.stringify({ kind: 'granted', wasDoubted: true })

function formerRow({ workspace = 'T1', ...row }: Asked): Omit<FormerRow, 'fingerprint'> {
  return {
    ...{ workspace_id: workspace, asker_id: 'U1', channel_id: 'C1', state: 'asked', joined_id: null },
    ...{ is_standing: 0, asked_at: 1_000, lease_until: null, settled_at: null, is_told: 0 },
    ...{ telling_until: null, is_shared: 0, about: null, is_handed_over: 0 },
    ...row,
  }
}

/** @param one.email - Of nobody else, when not given. */
function grant({
  email,
  outcome = null,
  ...one
}: Asked & { email?: string; outcome?: string | null }): GrantRow {
  const person = email ?? emailOf(one.id)
  const { containerId, member, permissions } = rights
  const request = JSON.stringify({ containerId, member, permissions, email: person })
  return { ...formerRow(one), request, fingerprint: fingerprint(person), outcome }
}

function emailOf(id: string): string {
  return `${id.replaceAll(/[^a-z0-9]+/g, '-')}@example.com`
}

/** Equal for equal requests, as it was before. */
function fingerprint(email: string, authProvider: string | null = null): string {
  const canonical = JSON.stringify([12, email, authProvider, true, ['ALERT_ASSIGN', 'READ']])
  return createHash('sha256').update(canonical).digest('base64url')
}

function batch({
  emails,
  authProvider,
  ...one
}: Asked & { emails: string[]; authProvider?: string }): BatchRow {
  const wish = JSON.stringify({ ...rights, emails, authProvider })
  return { ...formerRow(one), wish, fingerprint: `of ${emails}` }
}

const settled = { state: 'settled', is_standing: 1, settled_at: 2_000 } as const
const underWay = { state: 'sending', is_standing: 1, lease_until: 9_000 } as const
/** Of a batch's person: the batch is told. */
const toldElsewhere = { is_told: 1, channel_id: 'C1' } as const

interface Approval {
  readonly id: string
  readonly emails: readonly string[]
  readonly state: 'open' | 'granting' | 'ended'
  readonly attempt: number
  readonly leaseUntil?: number
}

async function keepApproval(db: Kysely<Tables>, { id, emails, state, attempt, leaseUntil }: Approval) {
  await db
    .insertInto('approvals')
    .values({
      ...{ workspace_id: 'T1', id, wish_id: `wish of ${id}`, asker_id: 'U1', asker_name: 'alice' },
      ...{ reason: 'On call', wish: JSON.stringify({ ...rights, emails }) },
      barred: JSON.stringify({ recipientIds: [], recipients: [] }),
      ...{ channel_id: null, thread_ts: null, state, is_open: state === 'ended' ? 0 : 1, attempt },
      ...{ approver_id: 'U2', approver_name: 'bob', lease_until: leaseUntil ?? null, version: 1 },
      ...{ ending: null, asked_at: 500, until: 90_000, card: JSON.stringify({ kind: 'none' }) },
      ...{ is_owed: 0, claim_until: 0, is_asker_told: 1, is_approver_told: 1 },
    })
    .execute()
}

type Wish = Omit<WishesTable, 'workspace_id' | 'id'>
type Send = Omit<SendsTable, 'workspace_id' | 'wish_id'>

interface Upgraded extends Database {
  wish(id: string, workspace?: string): Promise<Wish | undefined>
  /** In their order. */
  sends(wishId: string, workspace?: string): Promise<readonly Send[]>
}

async function openDatabase(url: string): Promise<Database> {
  const database = await (url.startsWith('file:') ? openSqlite(url, Date.now) : openPostgres(url))
  onTestFinished(() => database.close())
  return database
}

async function upgrade({ url }: OlderDatabase): Promise<Upgraded> {
  const database = await openDatabase(url)
  const db = database.durable
  return {
    ...database,
    async wish(id, workspace = 'T1') {
      const read = db.selectFrom('wishes').selectAll().where('workspace_id', '=', workspace)
      const row = await read.where('id', '=', id).executeTakeFirst()
      if (row === undefined) return undefined
      const { workspace_id: _, id: __, ...wish } = row
      return wish
    },
    async sends(wishId, workspace = 'T1') {
      const read = db.selectFrom('sends').selectAll().where('workspace_id', '=', workspace)
      const rows = await read.where('wish_id', '=', wishId).orderBy('n').execute()
      return rows.map(({ workspace_id: _, wish_id: __, ...send }) => send)
    },
  }
}

/** The older database with these rows in it. */
async function keep(
  older: OlderDatabase,
  rows: { readonly grants?: readonly GrantRow[]; readonly batches?: readonly BatchRow[] },
): Promise<void> {
  const db = older.db.withTables<FormerTables>()
  const { grants = [], batches = [] } = rows
  const pieceOf = <Row>(all: readonly Row[], start: number) => all.slice(start, start + 500)
  for (let start = 0; start < grants.length; start += 500) {
    await db.insertInto('grants').values(pieceOf(grants, start)).execute()
  }
  for (let start = 0; start < batches.length; start += 500) {
    await db.insertInto('batches').values(pieceOf(batches, start)).execute()
  }
}

const engines = olderDatabases(server, '0017')

describe.each(engines)('on %s, a grant for one person', (_, make) => {
  /** Upgrades a database with this grant in it. */
  async function upgraded(row: GrantRow, ...others: GrantRow[]) {
    const older = await make()
    await keep(older, { grants: [row, ...others] })
    const database = await upgrade(older)
    const [send, ...more] = await database.sends(row.id)
    expect(more).toEqual([])
    return { wish: await database.wish(row.id), send }
  }

  it('that waits for its confirmation waits on, with all that was known of it', async () => {
    const row = grant({ id: 'g', email: 'dave@example.com', about: reason })

    expect(await upgraded(row)).toEqual({
      wish: {
        ...{ sender_id: 'U1', asker_id: 'U1', channel_id: 'C1', about: reason },
        ...{ state: 'asked', joined_id: null, follows_id: null, follows_as: null },
        ...{ asked_at: 1_000, lease_until: null, settled_at: null },
        ...{ is_told: 0, telling_until: null, is_shared: 0 },
      },
      send: {
        ...{ n: 1, sender_id: 'U1', kind: 'add-user', write: row.request },
        ...{ fingerprint: fingerprint('dave@example.com') },
        ...{ state: 'asked', joined_wish_id: null, joined_n: null, is_standing: 0 },
        ...{ asked_at: 1_000, lease_until: null, settled_at: null, outcome: null, is_doubt_told: 0 },
      },
    })
  })

  it('that was cancelled is never sent', async () => {
    expect(await upgraded(grant({ id: 'g', state: 'cancelled' }))).toMatchObject({
      wish: { state: 'cancelled' },
      send: { state: 'never-sent', outcome: null },
    })
  })

  it('that was given up for an approval says so', async () => {
    expect(await upgraded(grant({ id: 'g', state: 'cancelled', is_handed_over: 1 }))).toMatchObject({
      wish: { state: 'handed-over' },
      send: { state: 'never-sent' },
    })
  })

  it('that is under way has its sender’s lease, and equal ones join it', async () => {
    expect(await upgraded(grant({ id: 'g', ...underWay }))).toMatchObject({
      wish: { state: 'sending', lease_until: 9_000, settled_at: null, is_told: 0, telling_until: null },
      send: { state: 'sending', lease_until: 9_000, is_standing: 1, outcome: null },
    })
  })

  it('that was told is told, and shared', async () => {
    const row = grant({
      id: 'g',
      ...settled,
      outcome: granted,
      is_told: 1,
      is_shared: 1,
      telling_until: 3_000,
    })

    expect(await upgraded(row)).toMatchObject({
      wish: { state: 'settled', settled_at: 2_000, is_told: 1, is_shared: 1, telling_until: 3_000 },
      send: { state: 'settled', settled_at: 2_000, outcome: granted, is_standing: 1, is_doubt_told: 0 },
    })
  })

  it('whose token was refused stands in nobody’s way', async () => {
    const outcome = JSON.stringify({ kind: 'not-granted', code: 'refused' })
    const row = grant({ id: 'g', ...settled, is_standing: 0, outcome, telling_until: 3_000 })

    expect(await upgraded(row)).toMatchObject({
      wish: { state: 'settled', is_told: 0, telling_until: 3_000 },
      send: { state: 'settled', is_standing: 0, outcome },
    })
  })

  it('that an even older version has settled is left to it for five minutes', async () => {
    expect(await upgraded(grant({ id: 'g', ...settled, outcome: forbidden }))).toMatchObject({
      wish: { is_told: 0, settled_at: 2_000, telling_until: 302_000 },
      send: { outcome: forbidden },
    })
  })

  it('that lapsed and that nobody has told is told at once, as a doubt that is new', async () => {
    expect(
      await upgraded(grant({ id: 'g', ...settled, lease_until: 1_900, outcome: stopped })),
    ).toMatchObject({
      wish: { state: 'settled', lease_until: 1_900, is_told: 0, telling_until: 2_000 },
      send: { state: 'settled', outcome: stopped, is_doubt_told: 0 },
    })
  })

  it.each([
    ['is being told', { telling_until: 5_000, is_told: 0 }],
    ['was told', { telling_until: 5_000, is_told: 1 }],
    ['was told by an even older version', { telling_until: null, is_told: 1 }],
  ] as const)('that lapsed and %s is remembered as doubted', async (_, telling) => {
    const row = grant({ id: 'g', ...settled, lease_until: 1_900, outcome: stopped, ...telling })

    expect(await upgraded(row)).toMatchObject({
      wish: { lease_until: 1_900, ...telling },
      send: { outcome: stopped, is_doubt_told: 1 },
    })
  })

  it('whose doubt gave way to what its sender knew is remembered as doubted', async () => {
    expect(
      await upgraded(grant({ id: 'g', ...settled, outcome: corrected, telling_until: 5_000 })),
    ).toMatchObject({
      wish: { lease_until: null, is_told: 0, telling_until: 5_000 },
      send: { outcome: granted, is_doubt_told: 1 },
    })
  })

  it('that lost its answer was in doubt from the start', async () => {
    const outcome = JSON.stringify({ kind: 'uncertain', doubt: 'timed-out' })

    expect(await upgraded(grant({ id: 'g', ...settled, outcome, is_told: 1 }))).toMatchObject({
      send: { outcome, is_doubt_told: 0 },
    })
  })

  it('that joined an equal one has joined it still', async () => {
    const email = 'dave@example.com'
    const row = grant({ id: 'g', email, state: 'joined', joined_id: 'other' })

    expect(await upgraded(row, grant({ id: 'other', email, ...settled, outcome: granted }))).toMatchObject({
      wish: { state: 'joined', joined_id: 'other', is_told: 0, telling_until: null },
      send: { state: 'joined', joined_wish_id: 'other', joined_n: 1, outcome: null },
    })
  })

  it('that joined one that is forgotten by now is gone', async () => {
    expect(await upgraded(grant({ id: 'g', state: 'joined', joined_id: 'forgotten' }))).toMatchObject({
      wish: { state: 'joined', joined_id: 'forgotten' },
      send: { state: 'never-sent', joined_wish_id: null, joined_n: null },
    })
  })

  it('that joined one of several people ends as that one does, and is told with it', async () => {
    const older = await make()
    const emails = ['dave@example.com', 'erin@example.com']
    const [dave, erin] = emails
    const joined = { state: 'joined', channel_id: 'C2' } as const
    await keep(older, {
      batches: [
        batch({ id: 'several:a', emails, ...settled, is_told: 1 }),
        batch({ id: 'several:b', emails, asker_id: 'U2', ...underWay }),
      ],
      grants: [
        grant({ id: 'several:a.1', email: dave, ...settled, ...toldElsewhere, outcome: granted }),
        grant({ id: 'several:a.2', email: erin, ...settled, ...toldElsewhere, outcome: forbidden }),
        grant({ id: 'several:b.1', email: dave, asker_id: 'U2', ...underWay, ...toldElsewhere }),
        grant({ id: 'g', email: erin, ...joined, joined_id: 'several:a.2' }),
        grant({ id: 'h', email: dave, asker_id: 'U2', ...joined, joined_id: 'several:b.1' }),
      ],
    })

    const { wish, sends } = await upgrade(older)

    expect(await wish('g')).toMatchObject({
      ...{ state: 'settled', joined_id: null, channel_id: 'C2', settled_at: 2_000, lease_until: null },
      ...{ is_told: 1, telling_until: null },
    })
    expect(await sends('g')).toMatchObject([{ state: 'joined', joined_wish_id: 'several:a', joined_n: 2 }])
    expect(await wish('h')).toMatchObject({
      state: 'sending',
      lease_until: 9_000,
      settled_at: null,
      is_told: 1,
    })
    expect(await sends('h')).toMatchObject([{ state: 'joined', joined_wish_id: 'several:b', joined_n: 1 }])
  })
})

describe.each(engines)('on %s, a batch', (_, make) => {
  const emails = ['dave@example.com', 'erin@example.com', 'frank@example.com']
  const person = (n: number, more: Partial<Parameters<typeof grant>[0]> = {}) =>
    grant({ id: `several:b.${n}`, email: emails[n - 1] ?? '', asked_at: 1_500, ...toldElsewhere, ...more })

  async function upgraded(row: BatchRow, ...grants: GrantRow[]) {
    const older = await make()
    await keep(older, { batches: [row], grants })
    const database = await upgrade(older)
    return { wish: await database.wish(row.id), sends: await database.sends(row.id) }
  }

  it('that waits for its confirmation waits with everybody', async () => {
    const { wish, sends } = await upgraded(
      batch({ id: 'several:b', emails, about: reason, authProvider: 'ldap' }),
    )

    expect(wish).toMatchObject({
      ...{ sender_id: 'U1', asker_id: 'U1', state: 'asked', about: reason, asked_at: 1_000, is_told: 0 },
    })
    expect(sends).toEqual(
      emails.map((email, index) => ({
        ...{ n: index + 1, sender_id: 'U1', kind: 'add-user' },
        write: JSON.stringify({
          ...{ containerId: 12, email, authProvider: 'ldap', member: true },
          permissions: ['READ', 'ALERT_ASSIGN'],
        }),
        fingerprint: fingerprint(email, 'ldap'),
        ...{ state: 'asked', joined_wish_id: null, joined_n: null, is_standing: 0 },
        ...{ asked_at: 1_000, lease_until: null, settled_at: null, outcome: null, is_doubt_told: 0 },
      })),
    )
  })

  it('under way has some people sent, some on their way, and some to come', async () => {
    const row = batch({ id: 'several:b', emails, ...underWay })
    const first = person(1, { ...settled, outcome: granted })
    const second = person(2, { ...underWay, lease_until: 8_000 })

    const { wish, sends } = await upgraded(row, first, second, person(3))

    expect(wish).toMatchObject({ state: 'sending', lease_until: 9_000, is_told: 0, telling_until: null })
    expect(sends).toMatchObject([
      { n: 1, write: first.request, state: 'settled', outcome: granted, asked_at: 1_500, is_standing: 1 },
      { n: 2, write: second.request, state: 'sending', lease_until: 8_000, is_standing: 1 },
      { n: 3, state: 'asked', is_standing: 0 },
    ])
  })

  it('under way whose people were not kept yet has everybody to come', async () => {
    const { sends } = await upgraded(batch({ id: 'several:b', emails, ...underWay }))

    expect(sends).toMatchObject([
      { n: 1, state: 'asked', fingerprint: fingerprint('dave@example.com') },
      { n: 2, state: 'asked' },
      { n: 3, state: 'asked' },
    ])
  })

  it('that is settled and untold is told; whoever was not sent never will be', async () => {
    const row = batch({ id: 'several:b', emails, ...settled, telling_until: 3_000 })

    const { wish, sends } = await upgraded(
      row,
      person(1, { ...settled, outcome: forbidden }),
      person(2, { state: 'cancelled' }),
    )

    expect(wish).toMatchObject({ state: 'settled', settled_at: 2_000, is_told: 0, telling_until: 3_000 })
    expect(sends).toMatchObject([
      { n: 1, state: 'settled', outcome: forbidden },
      { n: 2, state: 'never-sent', outcome: null },
      { n: 3, state: 'never-sent', outcome: null },
    ])
  })

  it('that an even older version has settled is left to it for five minutes', async () => {
    const { wish } = await upgraded(batch({ id: 'several:b', emails, ...settled }))

    expect(wish).toMatchObject({ is_told: 0, telling_until: 302_000 })
  })

  it('that others have ended and nobody has told is told at once, its doubts as new ones', async () => {
    const row = batch({ id: 'several:b', emails, ...settled, lease_until: 1_900 })
    const lapsed = person(1, { ...settled, lease_until: 1_800, outcome: stopped })

    const { wish, sends } = await upgraded(row, lapsed)

    expect(wish).toMatchObject({ lease_until: 1_900, is_told: 0, telling_until: 2_000 })
    expect(sends[0]).toMatchObject({ outcome: stopped, is_doubt_told: 0 })
  })

  it.each([
    ['told', { is_told: 1 }],
    ['being told', { telling_until: 5_000 }],
  ] as const)('that others have ended and that is %s is remembered as doubted', async (_, telling) => {
    const row = batch({ id: 'several:b', emails, ...settled, lease_until: 1_900, ...telling })
    const lapsed = person(1, { ...settled, outcome: stopped })

    const { wish, sends } = await upgraded(row, lapsed, person(2, { ...settled, outcome: corrected }))

    expect(wish).toMatchObject({ lease_until: 1_900, ...telling })
    expect(sends).toMatchObject([
      { outcome: stopped, is_doubt_told: 1 },
      { outcome: granted, is_doubt_told: 1 },
      { state: 'never-sent', is_doubt_told: 0 },
    ])
  })

  it('under way with somebody in doubt has told nobody', async () => {
    const { sends } = await upgraded(
      batch({ id: 'several:b', emails, ...underWay }),
      person(1, { ...settled, outcome: stopped }),
    )

    expect(sends[0]).toMatchObject({ outcome: stopped, is_doubt_told: 0 })
  })

  it('that is told and shared stays so', async () => {
    const row = batch({ id: 'several:b', emails, ...settled, is_told: 1, is_shared: 1 })

    const { wish } = await upgraded(row, ...[1, 2, 3].map((n) => person(n, { ...settled, outcome: granted })))

    expect(wish).toMatchObject({ state: 'settled', is_told: 1, is_shared: 1, telling_until: null })
  })

  it.each([
    ['cancelled', { is_handed_over: 0 }],
    ['handed-over', { is_handed_over: 1 }],
  ] as const)('that is %s sends to nobody', async (state, how) => {
    const { wish, sends } = await upgraded(batch({ id: 'several:b', emails, state: 'cancelled', ...how }))

    expect(wish).toMatchObject({ state })
    expect(sends.map((send) => send.state)).toEqual(['never-sent', 'never-sent', 'never-sent'])
  })

  it('that joined an equal one has joined it still', async () => {
    const { wish, sends } = await upgraded(
      batch({ id: 'several:b', emails, state: 'joined', joined_id: 'several:a' }),
    )

    expect(wish).toMatchObject({ state: 'joined', joined_id: 'several:a' })
    expect(sends.map((send) => send.state)).toEqual(['never-sent', 'never-sent', 'never-sent'])
  })

  it('has people who joined another wish, of one or of several', async () => {
    const older = await make()
    const [dave, erin] = emails
    await keep(older, {
      batches: [
        batch({ id: 'several:a', emails: ['zoe@example.com', 'erin@example.com'], ...settled, is_told: 1 }),
        batch({ id: 'several:b', emails, ...settled, is_told: 1 }),
      ],
      grants: [
        grant({ id: 'g', email: dave, ...settled, outcome: granted, is_told: 1 }),
        grant({ id: 'several:a.2', email: erin, ...settled, outcome: granted, ...toldElsewhere }),
        person(1, { state: 'joined', joined_id: 'g' }),
        person(2, { state: 'joined', joined_id: 'several:a.2' }),
        person(3, { state: 'joined', joined_id: 'forgotten' }),
      ],
    })

    const { sends } = await upgrade(older)

    expect(await sends('several:b')).toMatchObject([
      { n: 1, state: 'joined', joined_wish_id: 'g', joined_n: 1 },
      { n: 2, state: 'joined', joined_wish_id: 'several:a', joined_n: 2 },
      { n: 3, state: 'never-sent', joined_wish_id: null, joined_n: null },
    ])
  })

  it('that is forgotten before its people leaves each of them a wish, told', async () => {
    const older = await make()
    await keep(older, { grants: [person(2, { ...settled, outcome: granted })] })

    const { wish, sends } = await upgrade(older)

    expect(await wish('several:b.2')).toMatchObject({ state: 'settled', is_told: 1 })
    expect(await sends('several:b.2')).toMatchObject([{ n: 1, outcome: granted }])
  })
})

describe.each(engines)('on %s, an attempt of an approval', (_, make) => {
  const [dave = '', erin = '', ...rest] = ['dave@example.com', 'erin@example.com', 'frank@example.com']
  const several = [dave, erin, ...rest]
  /** The approver's grant. */
  const sent = (id: string, email: string, more: Partial<Parameters<typeof grant>[0]>) =>
    grant({ id, email, asker_id: 'U2', asked_at: 1_500, is_told: 1, channel_id: null, ...more })

  it('for one person is a wish of the approver for the asker, told by the approval', async () => {
    const older = await make()
    await keepApproval(older.db, { id: 'a', emails: [dave], state: 'ended', attempt: 2 })
    await keep(older, {
      grants: [
        sent('a:1', dave, { ...settled, is_standing: 0, outcome: forbidden }),
        sent('a:2', dave, { ...settled, settled_at: 4_000, outcome: granted }),
      ],
    })

    const { wish, sends } = await upgrade(older)

    expect(await wish('a:1')).toEqual({
      ...{ sender_id: 'U2', asker_id: 'U1', channel_id: null, about: null },
      ...{ state: 'settled', joined_id: null, follows_id: null, follows_as: null },
      ...{ asked_at: 1_500, lease_until: null, settled_at: 2_000 },
      ...{ is_told: 1, telling_until: null, is_shared: 0 },
    })
    expect(await sends('a:1')).toMatchObject([{ n: 1, sender_id: 'U2', outcome: forbidden }])
    expect(await wish('a:2')).toMatchObject({ state: 'settled', settled_at: 4_000 })
    expect(await sends('a:2')).toMatchObject([{ n: 1, outcome: granted, is_standing: 1 }])
  })

  it('under way for one person has the approval’s lease', async () => {
    const older = await make()
    await keepApproval(older.db, {
      id: 'a',
      emails: [dave],
      state: 'granting',
      attempt: 1,
      leaseUntil: 9_500,
    })
    await keep(older, { grants: [sent('a:1', dave, underWay)] })

    const { wish, sends } = await upgrade(older)

    expect(await wish('a:1')).toMatchObject({
      state: 'sending',
      lease_until: 9_500,
      settled_at: null,
      is_told: 1,
    })
    expect(await sends('a:1')).toMatchObject([{ state: 'sending', lease_until: 9_000 }])
  })

  it('under way for several people has those that are sent and those to come', async () => {
    const older = await make()
    await keepApproval(older.db, {
      id: 'a',
      emails: several,
      state: 'granting',
      attempt: 1,
      leaseUntil: 9_500,
    })
    await keep(older, {
      grants: [sent('a:1.1', dave, { ...settled, outcome: granted }), sent('a:1.2', erin, {})],
    })

    const { wish, sends } = await upgrade(older)

    expect(await wish('a:1')).toMatchObject({ state: 'sending', lease_until: 9_500 })
    expect(await sends('a:1')).toMatchObject([
      { n: 1, state: 'settled', outcome: granted },
      { n: 2, state: 'asked' },
      { n: 3, sender_id: 'U2', fingerprint: fingerprint('frank@example.com'), state: 'asked' },
    ])
  })

  it('all of whose people are sent is settled, though its approval says nothing yet', async () => {
    const older = await make()
    await keepApproval(older.db, {
      id: 'a',
      emails: [dave, erin],
      state: 'granting',
      attempt: 1,
      leaseUntil: 9_500,
    })
    await keep(older, {
      grants: [
        sent('a:1.1', dave, { ...settled, outcome: stopped }),
        sent('a:1.2', erin, { ...settled, settled_at: 2_500, outcome: granted }),
      ],
    })

    const { wish, sends } = await upgrade(older)

    expect(await wish('a:1')).toMatchObject({ state: 'settled', lease_until: null, settled_at: 2_500 })
    // Whoever concludes the approval may have told the doubt.
    expect(await sends('a:1')).toMatchObject([{ outcome: stopped, is_doubt_told: 1 }, { is_doubt_told: 0 }])
  })

  it('that ended for several people holds everybody, those included who were given up', async () => {
    const older = await make()
    await keepApproval(older.db, { id: 'a', emails: several, state: 'ended', attempt: 1 })
    await keep(older, {
      grants: [
        sent('a:1.1', dave, { ...settled, outcome: corrected }),
        sent('a:1.2', erin, { state: 'cancelled' }),
      ],
    })

    const { wish, sends } = await upgrade(older)

    expect(await wish('a:1')).toMatchObject({ state: 'settled', is_told: 1 })
    expect(await sends('a:1')).toMatchObject([
      { n: 1, outcome: granted, is_doubt_told: 1 },
      { n: 2, state: 'never-sent' },
      { n: 3, state: 'never-sent' },
    ])
  })

  it('that ended before anything was kept of it is none, and neither is one that nobody made', async () => {
    const older = await make()
    await keepApproval(older.db, {
      id: 'a',
      emails: [dave],
      state: 'granting',
      attempt: 1,
      leaseUntil: 9_500,
    })
    await keepApproval(older.db, { id: 'b', emails: [dave], state: 'open', attempt: 0 })

    const { durable } = await upgrade(older)

    expect(await durable.selectFrom('wishes').selectAll().execute()).toEqual([])
  })

  it('whose approval is forgotten leaves each person a wish, told', async () => {
    const older = await make()
    await keep(older, { grants: [sent('a:1.2', erin, { ...settled, outcome: granted })] })

    const { wish } = await upgrade(older)

    expect(await wish('a:1.2')).toMatchObject({
      sender_id: 'U2',
      asker_id: 'U2',
      state: 'settled',
      is_told: 1,
    })
  })
})

describe.each(engines)('on %s, a wish that asks again', (_, make) => {
  const emails = ['dave@example.com', 'erin@example.com']

  async function followed(...ids: readonly string[]): Promise<Record<string, string>> {
    const older = await make()
    await keep(older, {
      batches: ids.filter((id) => id.startsWith('several:')).map((id) => batch({ id, emails })),
      grants: ids.filter((id) => !id.startsWith('several:')).map((id) => grant({ id })),
    })
    const { durable } = await upgrade(older)
    const rows = await durable.selectFrom('wishes').selectAll().execute()
    expect(rows).toHaveLength(ids.length)
    return Object.fromEntries(
      rows.flatMap((row) =>
        row.follows_id === null ? [] : [[row.id, `${row.follows_as} of ${row.follows_id}`]],
      ),
    )
  }

  it('for one person follows the one before, however often', async () => {
    expect(await followed('x', 'x:again', 'x:again:rest', 'x:again:rest:rest')).toEqual({
      'x:again': 'again of x',
      'x:again:rest': 'rest of x:again',
      'x:again:rest:rest': 'rest of x:again:rest',
    })
  })

  it('for several people follows theirs, and for the last of them as well', async () => {
    expect(await followed('several:x', 'several:x:rest', 'x:rest:again')).toEqual({
      'several:x:rest': 'rest of several:x',
      'x:rest:again': 'again of several:x:rest',
    })
  })

  it('follows one of its own kind first', async () => {
    expect(await followed('x', 'several:x', 'x:rest', 'several:x:again')).toEqual({
      'x:rest': 'rest of x',
      'several:x:again': 'again of several:x',
    })
  })

  it('for several people may follow one without their prefix', async () => {
    expect(await followed('x', 'several:x:rest')).toEqual({ 'several:x:rest': 'rest of x' })
  })

  it('follows nobody once that one is forgotten, or is followed as the same', async () => {
    expect(await followed('gone:rest', 'several:x', 'several:x:rest', 'x:rest', 'x:again')).toEqual({
      'several:x:rest': 'rest of several:x',
      'x:again': 'again of several:x',
    })
  })
})

describe.each(engines)('a database on %s', (_, make) => {
  it('with equal ids in two workspaces keeps them apart', async () => {
    const older = await make()
    const emails = ['dave@example.com', 'erin@example.com']
    await keep(older, {
      batches: [
        batch({ id: 'several:b', emails, ...settled, is_told: 1 }),
        batch({ id: 'several:b', emails, workspace: 'T2' }),
        batch({ id: 'several:b:rest', emails, workspace: 'T2' }),
      ],
      grants: [
        grant({ id: 'several:b.1', ...settled, outcome: granted, ...toldElsewhere }),
        // No batch of this workspace is for three.
        grant({ id: 'several:b.3', workspace: 'T2', is_told: 1 }),
        grant({ id: 'g', email: 'dave@example.com', ...settled, outcome: forbidden, is_told: 1 }),
        grant({ id: 'g', email: 'dave@example.com', workspace: 'T2', ...underWay }),
        grant({ id: 'g:rest' }),
        grant({ id: 'h', workspace: 'T2', state: 'joined', joined_id: 'several:b.1' }),
      ],
    })

    const { wish, sends } = await upgrade(older)

    const statesOf = async (...of: [string, string]) => (await sends(...of)).map(({ state }) => state)
    expect(await statesOf('several:b', 'T1')).toEqual(['settled', 'never-sent'])
    expect(await statesOf('several:b', 'T2')).toEqual(['asked', 'asked'])
    expect(await statesOf('several:b.3', 'T2')).toEqual(['asked'])
    expect(await wish('g', 'T1')).toMatchObject({ state: 'settled' })
    expect(await wish('g', 'T2')).toMatchObject({ state: 'sending' })
    expect(await wish('g:rest', 'T1')).toMatchObject({ follows_id: 'g', follows_as: 'rest' })
    expect(await wish('several:b:rest', 'T2')).toMatchObject({ follows_id: 'several:b' })
    expect(await statesOf('h', 'T2')).toEqual(['never-sent'])
  })

  it('with thousands of rows loses none: each grant is one send', async () => {
    const older = await make()
    const count = 1_300
    const numbers = Array.from({ length: count }, (_, index) => index)
    const workspaceOf = (index: number) => `T${index % 3}`
    const grants = numbers.flatMap((index) => {
      const of = { workspace: workspaceOf(index), ...settled, outcome: granted }
      const email = (place: string) => `${place}-${index}@example.com`
      return [
        grant({ id: `g-${index}`, ...of, email: email('single'), is_told: 1 }),
        grant({ id: `several:b-${index}.1`, ...of, email: email('first'), ...toldElsewhere }),
        grant({ id: `several:b-${index}.2`, ...of, email: email('second'), ...toldElsewhere }),
      ]
    })
    const batches = numbers.map((index) =>
      batch({
        ...{ id: `several:b-${index}`, workspace: workspaceOf(index), ...settled, is_told: 1 },
        emails: [`first-${index}@example.com`, `second-${index}@example.com`, `third-${index}@example.com`],
      }),
    )
    await keep(older, { batches, grants })

    const { durable } = await upgrade(older)

    const sends = await durable.selectFrom('sends').select(['workspace_id', 'write', 'state']).execute()
    const sent = sends.filter(({ state }) => state === 'settled')
    const whatOf = (workspace: string, write: string) => `${workspace} ${write}`
    expect(sent.map((send) => whatOf(send.workspace_id, send.write)).toSorted()).toEqual(
      grants.map((row) => whatOf(row.workspace_id, row.request)).toSorted(),
    )
    // Nobody was kept for the third of each batch.
    expect(sends.length - sent.length).toBe(count)
    const { wishes } = await durable
      .selectFrom('wishes')
      .select(({ fn }) => fn.countAll<number>().as('wishes'))
      .executeTakeFirstOrThrow()
    expect(wishes).toBe(2 * count)
  })

  it('fails an older process that still runs, and keeps its rows until their time', async () => {
    const older = await make()
    await keep(older, {
      batches: [batch({ id: 'several:b', emails: ['dave@example.com', 'erin@example.com'] })],
      grants: [grant({ id: 'old' }), grant({ id: 'new', asked_at: 5_000, workspace: 'T2' })],
    })

    const { durable, migrated } = await upgrade(older)

    expect(migrated).toEqual(['0017-wishes'])
    const begin = older.db.withTables<FormerTables>().updateTable('grants').set({ state: 'sending' })
    await expect(begin.execute()).rejects.toThrow('grants')
    const ask = older.db.withTables<FormerTables>().insertInto('batches')
    await expect(ask.values(batch({ id: 'several:c', emails: [] })).execute()).rejects.toThrow('batches')
    const left = async () => {
      const db = durable.withTables<FormerTables>()
      const grants = await db.selectFrom('grants_until_0016').select('id').orderBy('id').execute()
      return [...grants, ...(await db.selectFrom('batches_until_0016').select('id').execute())].map(
        ({ id }) => id,
      )
    }
    expect(await left()).toEqual(['new', 'old', 'several:b'])
    await pruneFormer(durable, 2_000)
    expect(await left()).toEqual(['new'])
    await forgetFormer(durable, 'T2')
    expect(await left()).toEqual([])
  })

  it('is upgraded once, whoever opens it again', async () => {
    const older = await make()
    await keep(older, { grants: [grant({ id: 'g' })] })
    await upgrade(older)

    const { migrated, wish } = await upgrade(older)

    expect(migrated).toEqual([])
    expect(await wish('g')).toMatchObject({ state: 'asked' })
  })

  it('is as before when the upgrade breaks off, and is upgraded by the next start', async () => {
    const older = await make()
    await keep(older, { grants: [grant({ id: 'g' })] })
    const dies: Migration = {
      up: async () => {
        throw new Error('killed')
      },
    }

    const broken = migrate(older.db, { where: older.url, migrations: { ...migrations, '9000-dies': dies } })

    await expect(broken).rejects.toThrow('killed')
    const kept = await older.db.withTables<FormerTables>().selectFrom('grants').select('id').execute()
    expect(kept).toEqual([{ id: 'g' }])
    await expect(sql`select * from wishes`.execute(older.db)).rejects.toThrow('wishes')
    const { migrated, wish } = await upgrade(older)
    expect(migrated).toEqual(['0017-wishes'])
    expect(await wish('g')).toMatchObject({ state: 'asked' })
  })
})
