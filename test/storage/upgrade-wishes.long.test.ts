// The upgrade that turns grants and batches into wishes and sends, from the version before, on both engines: whatever
// state somebody's grant was in, it goes on from there, and its buttons in Slack find it.
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from '../../src/storage/engine.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { migrations } from '../../src/storage/migrations/all.ts'
import { openPostgres } from '../../src/storage/postgres/postgres.ts'
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts'
import { forgetFormer, pruneFormer } from '../../src/storage/stores/send/wishes.ts'
import type { SendsTable, WishesTable } from '../../src/storage/tables.ts'
import { startPostgres } from '../postgres.ts'
import { openUrl } from './files.ts'
import {
  type AskedGrant,
  batch,
  corrected,
  emailOf,
  type FormerTables,
  fingerprint,
  forbidden,
  type GrantRow,
  grant,
  granted,
  keep,
  type Rows,
  reason,
  refused,
  settled,
  stopped,
  timedOut,
  toldElsewhere,
  underWay,
} from './former-rows.ts'
import { type OlderDatabase, olderDatabases } from './older-database.ts'

const server = await startPostgres()

type Wish = Omit<WishesTable, 'workspace_id' | 'id'>
type Send = Omit<SendsTable, 'workspace_id' | 'wish_id'>

interface Upgraded extends Database {
  wish(id: string, workspace?: string): Promise<Wish | undefined>
  /** In their order. */
  sends(wishId: string, workspace?: string): Promise<readonly Send[]>
}

async function upgrade({ url }: OlderDatabase): Promise<Upgraded> {
  const database = await (url.startsWith('file:') ? openSqlite(url, Date.now) : openPostgres(url))
  onTestFinished(() => database.close())
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

/** What was kept, and what it becomes: wishes by their ids, each send in its order. */
interface Case extends Rows {
  readonly becomes: Readonly<Record<string, Partial<Wish> & { readonly sends?: readonly Partial<Send>[] }>>
}

/** One database for all cases, as making one costs most; each case has a workspace that bears its name. */
async function upgradeEach(make: () => Promise<OlderDatabase>, cases: Readonly<Record<string, Case>>) {
  const older = await make()
  for (const [name, rows] of Object.entries(cases)) await keep(older, rows, name)

  const { durable, wish, sends } = await upgrade(older)

  for (const [name, { becomes }] of Object.entries(cases)) {
    const kept = await durable.selectFrom('wishes').select('id').where('workspace_id', '=', name).execute()
    expect(kept.map(({ id }) => id).toSorted(), name).toEqual(Object.keys(becomes).toSorted())
    for (const [id, expected] of Object.entries(becomes)) {
      expect({ ...(await wish(id, name)), sends: await sends(id, name) }, `${name}: ${id}`).toMatchObject(
        expected,
      )
    }
  }
}

const engines = olderDatabases(server, '0017')

const dave = 'dave@example.com'
const erin = 'erin@example.com'
const frank = 'frank@example.com'
const emails = [dave, erin, frank]

/** Of somebody in `several:b`. */
function person(n: 1 | 2 | 3, more: Partial<AskedGrant> = {}): GrantRow {
  const email = emails[n - 1] ?? ''
  return grant({ id: `several:b.${n}`, email, asked_at: 1_500, ...toldElsewhere, ...more })
}

/** Of the approver. */
function sent(id: string, email: string, more: Partial<AskedGrant> = {}): GrantRow {
  return grant({ id, email, asker_id: 'U2', asked_at: 1_500, channel_id: null, ...toldElsewhere, ...more })
}

describe.each(engines)('on %s', (_, make) => {
  it('a grant for one person keeps all that is known of it', async () => {
    const older = await make()
    const row = grant({ id: 'g', email: dave, about: reason })
    await keep(older, { grants: [row] })

    const { wish, sends } = await upgrade(older)

    expect(await wish('g')).toEqual({
      ...{ sender_id: 'U1', asker_id: 'U1', channel_id: 'C1', about: reason },
      ...{ state: 'asked', joined_id: null, follows_id: null, follows_as: null },
      ...{ asked_at: 1_000, lease_until: null, settled_at: null },
      ...{ is_told: 0, telling_until: null, is_shared: 0, is_told_elsewhere: 0 },
    })
    expect(await sends('g')).toEqual([
      {
        ...{ n: 1, sender_id: 'U1', kind: 'add-user', write: row.request, fingerprint: fingerprint(dave) },
        target: expect.any(String),
        ...{ state: 'asked', joined_wish_id: null, joined_n: null, is_standing: 0 },
        ...{
          asked_at: 1_000,
          lease_until: null,
          settled_at: null,
          outcome: null,
          is_doubt_told: 0,
          is_noticed: 0,
          before: null,
          look_at: null,
          looks: 0,
          look: null,
        },
      },
    ])
  })

  it('a grant for one person goes on from where it was', () =>
    upgradeEach(make, {
      'cancelled: it is never sent': {
        grants: [grant({ id: 'g', state: 'cancelled' })],
        becomes: { g: { state: 'cancelled', sends: [{ state: 'never-sent', outcome: null }] } },
      },
      'given up for an approval': {
        grants: [grant({ id: 'g', state: 'cancelled', is_handed_over: 1 })],
        becomes: { g: { state: 'handed-over', sends: [{ state: 'never-sent' }] } },
      },
      'under way: its sender has a lease, and equal ones join it': {
        grants: [grant({ id: 'g', ...underWay })],
        becomes: {
          g: {
            ...{ state: 'sending', lease_until: 9_000, settled_at: null, is_told: 0, telling_until: null },
            sends: [{ state: 'sending', lease_until: 9_000, is_standing: 1, outcome: null }],
          },
        },
      },
      'told and shared': {
        grants: [
          grant({ id: 'g', ...settled, outcome: granted, is_told: 1, is_shared: 1, telling_until: 3_000 }),
        ],
        becomes: {
          g: {
            ...{ state: 'settled', settled_at: 2_000, is_told: 1, is_shared: 1, telling_until: 3_000 },
            sends: [
              { state: 'settled', settled_at: 2_000, outcome: granted, is_standing: 1, is_doubt_told: 0 },
            ],
          },
        },
      },
      'its token was refused: it stands in nobody’s way, and is being told': {
        grants: [grant({ id: 'g', ...settled, is_standing: 0, outcome: refused, telling_until: 3_000 })],
        becomes: {
          g: {
            ...{ state: 'settled', is_told: 0, telling_until: 3_000 },
            sends: [{ state: 'settled', is_standing: 0, outcome: refused }],
          },
        },
      },
      'settled by an even older version: it has five minutes to tell it': {
        grants: [grant({ id: 'g', ...settled, outcome: forbidden })],
        becomes: {
          g: { is_told: 0, settled_at: 2_000, telling_until: 302_000, sends: [{ outcome: forbidden }] },
        },
      },
      'lapsed and not told: it is told at once, as a doubt that is new': {
        grants: [grant({ id: 'g', ...settled, lease_until: 1_900, outcome: stopped })],
        becomes: {
          g: {
            ...{ state: 'settled', lease_until: 1_900, is_told: 0, telling_until: 2_000 },
            sends: [{ state: 'settled', outcome: stopped, is_doubt_told: 0 }],
          },
        },
      },
      'lapsed and being told': {
        grants: [grant({ id: 'g', ...settled, lease_until: 1_900, outcome: stopped, telling_until: 5_000 })],
        becomes: {
          g: { lease_until: 1_900, is_told: 0, telling_until: 5_000, sends: [{ is_doubt_told: 1 }] },
        },
      },
      'lapsed and told': {
        grants: [
          grant({
            id: 'g',
            ...settled,
            lease_until: 1_900,
            outcome: stopped,
            telling_until: 5_000,
            is_told: 1,
          }),
        ],
        becomes: { g: { lease_until: 1_900, is_told: 1, sends: [{ outcome: stopped, is_doubt_told: 1 }] } },
      },
      'lapsed and told by an even older version': {
        grants: [grant({ id: 'g', ...settled, lease_until: 1_900, outcome: stopped, is_told: 1 })],
        becomes: { g: { is_told: 1, telling_until: null, sends: [{ is_doubt_told: 1 }] } },
      },
      'corrected: what its sender knew took the place of a doubt': {
        grants: [grant({ id: 'g', ...settled, outcome: corrected, telling_until: 5_000 })],
        becomes: {
          g: {
            ...{ lease_until: null, is_told: 0, telling_until: 5_000 },
            sends: [{ outcome: granted, is_doubt_told: 1 }],
          },
        },
      },
      'not certain from the start': {
        grants: [grant({ id: 'g', ...settled, outcome: timedOut, is_told: 1 })],
        becomes: { g: { is_told: 1, sends: [{ outcome: timedOut, is_doubt_told: 0 }] } },
      },
      'joined to an equal one': {
        grants: [
          grant({ id: 'g', email: dave, state: 'joined', joined_id: 'h' }),
          grant({ id: 'h', email: dave, ...settled, outcome: granted }),
        ],
        becomes: {
          g: {
            ...{ state: 'joined', joined_id: 'h', is_told: 0, telling_until: null },
            sends: [{ state: 'joined', joined_wish_id: 'h', joined_n: 1, outcome: null }],
          },
          h: { state: 'settled', sends: [{ outcome: granted }] },
        },
      },
      'joined to one that is forgotten': {
        grants: [grant({ id: 'g', state: 'joined', joined_id: 'forgotten' })],
        becomes: {
          g: {
            ...{ state: 'joined', joined_id: 'forgotten' },
            sends: [{ state: 'never-sent', joined_wish_id: null, joined_n: null }],
          },
        },
      },
      'joined to an attempt of an approval': {
        approvals: [{ id: 'a', emails: [dave], state: 'ended', attempt: 1 }],
        grants: [
          sent('a:1', dave, { ...settled, outcome: granted }),
          grant({ id: 'g', email: dave, asker_id: 'U2', state: 'joined', joined_id: 'a:1' }),
        ],
        becomes: {
          'a:1': { state: 'settled' },
          g: { state: 'joined', joined_id: 'a:1', sends: [{ joined_wish_id: 'a:1', joined_n: 1 }] },
        },
      },
      'joined to one of several people: it ends as that one did, and was told with it': {
        batches: [batch({ id: 'several:b', emails, ...settled, is_told: 1 })],
        grants: [
          person(2, { ...settled, outcome: forbidden }),
          grant({ id: 'g', email: erin, channel_id: 'C2', state: 'joined', joined_id: 'several:b.2' }),
        ],
        becomes: {
          'several:b': { state: 'settled' },
          g: {
            ...{ state: 'settled', joined_id: null, channel_id: 'C2', lease_until: null, settled_at: 2_000 },
            ...{ is_told: 1, telling_until: null },
            sends: [{ state: 'joined', joined_wish_id: 'several:b', joined_n: 2 }],
          },
        },
      },
      'joined to one of several people who is under way': {
        batches: [batch({ id: 'several:b', emails, ...underWay })],
        grants: [
          person(1, { ...underWay, lease_until: 8_000 }),
          grant({ id: 'g', email: dave, state: 'joined', joined_id: 'several:b.1' }),
        ],
        becomes: {
          'several:b': { state: 'sending' },
          g: {
            ...{ state: 'sending', lease_until: 8_000, settled_at: null, is_told: 1 },
            sends: [{ state: 'joined', joined_wish_id: 'several:b', joined_n: 1 }],
          },
        },
      },
    }))

  it('a batch that waits for its confirmation waits with everybody', async () => {
    const older = await make()
    await keep(older, { batches: [batch({ id: 'several:b', emails, about: reason, authProvider: 'ldap' })] })

    const { wish, sends } = await upgrade(older)

    expect(await wish('several:b')).toMatchObject({
      ...{ sender_id: 'U1', asker_id: 'U1', state: 'asked', about: reason, asked_at: 1_000, is_told: 0 },
    })
    expect(await sends('several:b')).toEqual(
      emails.map((email, index) => ({
        ...{ n: index + 1, sender_id: 'U1', kind: 'add-user' },
        write: JSON.stringify({
          ...{ containerId: 12, email, authProvider: 'ldap', member: true },
          permissions: ['READ', 'ALERT_ASSIGN'],
        }),
        fingerprint: fingerprint(email, 'ldap'),
        target: expect.any(String),
        ...{ state: 'asked', joined_wish_id: null, joined_n: null, is_standing: 0 },
        ...{
          asked_at: 1_000,
          lease_until: null,
          settled_at: null,
          outcome: null,
          is_doubt_told: 0,
          is_noticed: 0,
          before: null,
          look_at: null,
          looks: 0,
          look: null,
        },
      })),
    )
  })

  it('a batch goes on from where it was, with everybody in it', () =>
    upgradeEach(make, {
      'under way: some are sent, some on their way, and some to come': {
        batches: [batch({ id: 'several:b', emails, ...underWay })],
        grants: [
          person(1, { ...settled, outcome: granted }),
          person(2, { ...underWay, lease_until: 8_000 }),
          person(3),
        ],
        becomes: {
          'several:b': {
            ...{ state: 'sending', lease_until: 9_000, is_told: 0, telling_until: null },
            sends: [
              { n: 1, write: person(1).request, state: 'settled', outcome: granted, is_standing: 1 },
              { n: 2, state: 'sending', lease_until: 8_000, is_standing: 1, asked_at: 1_500 },
              { n: 3, state: 'asked', is_standing: 0, asked_at: 1_500 },
            ],
          },
        },
      },
      'under way, and nobody was kept yet': {
        batches: [batch({ id: 'several:b', emails, ...underWay })],
        becomes: {
          'several:b': {
            sends: [
              { n: 1, state: 'asked', fingerprint: fingerprint(dave) },
              { n: 2, state: 'asked', fingerprint: fingerprint(erin) },
              { n: 3, state: 'asked', fingerprint: fingerprint(frank) },
            ],
          },
        },
      },
      'under way, and somebody’s doubt was told to nobody': {
        batches: [batch({ id: 'several:b', emails, ...underWay })],
        grants: [person(1, { ...settled, outcome: stopped })],
        becomes: {
          'several:b': {
            sends: [{ outcome: stopped, is_doubt_told: 0 }, { state: 'asked' }, { state: 'asked' }],
          },
        },
      },
      'settled and untold: who was not sent never will be': {
        batches: [batch({ id: 'several:b', emails, ...settled, telling_until: 3_000 })],
        grants: [person(1, { ...settled, outcome: forbidden }), person(2, { state: 'cancelled' })],
        becomes: {
          'several:b': {
            ...{ state: 'settled', settled_at: 2_000, is_told: 0, telling_until: 3_000 },
            sends: [
              { n: 1, state: 'settled', outcome: forbidden },
              { n: 2, state: 'never-sent', outcome: null },
              { n: 3, state: 'never-sent', outcome: null },
            ],
          },
        },
      },
      'settled by an even older version: it has five minutes to tell it': {
        batches: [batch({ id: 'several:b', emails, ...settled })],
        becomes: { 'several:b': { is_told: 0, telling_until: 302_000 } },
      },
      'ended by others and not told: it is told at once, its doubts as new ones': {
        batches: [batch({ id: 'several:b', emails, ...settled, lease_until: 1_900 })],
        grants: [person(1, { ...settled, lease_until: 1_800, outcome: stopped })],
        becomes: {
          'several:b': {
            ...{ lease_until: 1_900, is_told: 0, telling_until: 2_000 },
            sends: [{ outcome: stopped, is_doubt_told: 0 }, {}, {}],
          },
        },
      },
      'ended by others and being told': {
        batches: [batch({ id: 'several:b', emails, ...settled, lease_until: 1_900, telling_until: 5_000 })],
        grants: [person(1, { ...settled, outcome: stopped })],
        becomes: {
          'several:b': {
            ...{ is_told: 0, telling_until: 5_000 },
            sends: [{ outcome: stopped, is_doubt_told: 1 }, { is_doubt_told: 0 }, { is_doubt_told: 0 }],
          },
        },
      },
      'ended by others and told, and somebody was corrected': {
        batches: [batch({ id: 'several:b', emails, ...settled, lease_until: 1_900, is_told: 1 })],
        grants: [
          person(1, { ...settled, outcome: stopped }),
          person(2, { ...settled, outcome: corrected }),
          person(3, { ...settled, outcome: granted }),
        ],
        becomes: {
          'several:b': {
            ...{ lease_until: 1_900, is_told: 1, telling_until: null },
            sends: [
              { outcome: stopped, is_doubt_told: 1 },
              { outcome: granted, is_doubt_told: 1 },
              { outcome: granted, is_doubt_told: 0 },
            ],
          },
        },
      },
      'told and shared': {
        batches: [batch({ id: 'several:b', emails, ...settled, is_told: 1, is_shared: 1 })],
        becomes: { 'several:b': { state: 'settled', is_told: 1, is_shared: 1, telling_until: null } },
      },
      cancelled: {
        batches: [batch({ id: 'several:b', emails: [dave, erin], state: 'cancelled' })],
        becomes: {
          'several:b': { state: 'cancelled', sends: [{ state: 'never-sent' }, { state: 'never-sent' }] },
        },
      },
      'given up for an approval': {
        batches: [batch({ id: 'several:b', emails: [dave, erin], state: 'cancelled', is_handed_over: 1 })],
        becomes: {
          'several:b': { state: 'handed-over', sends: [{ state: 'never-sent' }, { state: 'never-sent' }] },
        },
      },
      'joined to an equal one': {
        batches: [batch({ id: 'several:b', emails: [dave, erin], state: 'joined', joined_id: 'several:a' })],
        becomes: {
          'several:b': {
            ...{ state: 'joined', joined_id: 'several:a' },
            sends: [{ state: 'never-sent' }, { state: 'never-sent' }],
          },
        },
      },
      'its people joined another wish, of one or of several': {
        batches: [
          batch({ id: 'several:a', emails: ['zoe@example.com', erin], ...settled, is_told: 1 }),
          batch({ id: 'several:b', emails, ...settled, is_told: 1 }),
        ],
        grants: [
          grant({ id: 'g', email: dave, ...settled, outcome: granted, is_told: 1 }),
          grant({ id: 'several:a.2', email: erin, ...settled, outcome: granted, ...toldElsewhere }),
          person(1, { state: 'joined', joined_id: 'g' }),
          person(2, { state: 'joined', joined_id: 'several:a.2' }),
          person(3, { state: 'joined', joined_id: 'forgotten' }),
        ],
        becomes: {
          g: {},
          'several:a': { sends: [{ state: 'never-sent' }, { state: 'settled' }] },
          'several:b': {
            sends: [
              { n: 1, state: 'joined', joined_wish_id: 'g', joined_n: 1 },
              { n: 2, state: 'joined', joined_wish_id: 'several:a', joined_n: 2 },
              { n: 3, state: 'never-sent', joined_wish_id: null, joined_n: null },
            ],
          },
        },
      },
      'forgotten before its people: each becomes a wish, told': {
        grants: [person(1, { ...settled, outcome: granted }), person(2, { ...settled, outcome: forbidden })],
        becomes: {
          'several:b.1': { state: 'settled', is_told: 1, sends: [{ n: 1, outcome: granted }] },
          'several:b.2': { state: 'settled', is_told: 1, sends: [{ n: 1, outcome: forbidden }] },
        },
      },
    }))

  it('an attempt of an approval becomes a wish of the approver, for the asker', async () => {
    const older = await make()
    await keep(older, {
      approvals: [{ id: 'a', emails: [dave], state: 'ended', attempt: 1 }],
      grants: [sent('a:1', dave, { ...settled, outcome: granted })],
    })

    const { wish } = await upgrade(older)

    expect(await wish('a:1')).toEqual({
      ...{ sender_id: 'U2', asker_id: 'U1', channel_id: null, about: null },
      ...{ state: 'settled', joined_id: null, follows_id: null, follows_as: null },
      ...{ asked_at: 1_500, lease_until: null, settled_at: 2_000 },
      // The approval tells what became of it.
      ...{ is_told: 1, telling_until: null, is_shared: 0, is_told_elsewhere: 1 },
    })
  })

  it('an attempt of an approval goes on from where it was, with everybody in it', () =>
    upgradeEach(make, {
      'of one person, approved twice': {
        approvals: [{ id: 'a', emails: [dave], state: 'ended', attempt: 2 }],
        grants: [
          sent('a:1', dave, { ...settled, is_standing: 0, outcome: forbidden }),
          sent('a:2', dave, { ...settled, settled_at: 4_000, outcome: granted }),
        ],
        becomes: {
          'a:1': { state: 'settled', settled_at: 2_000, sends: [{ sender_id: 'U2', outcome: forbidden }] },
          'a:2': { state: 'settled', settled_at: 4_000, sends: [{ outcome: granted, is_standing: 1 }] },
        },
      },
      'of one person, under way: it has the lease of its approval': {
        approvals: [{ id: 'a', emails: [dave], state: 'granting', attempt: 1, leaseUntil: 9_500 }],
        grants: [sent('a:1', dave, underWay)],
        becomes: {
          'a:1': {
            ...{ state: 'sending', lease_until: 9_500, settled_at: null, is_told: 1 },
            sends: [{ state: 'sending', lease_until: 9_000 }],
          },
        },
      },
      'of several people, under way': {
        approvals: [{ id: 'a', emails, state: 'granting', attempt: 1, leaseUntil: 9_500 }],
        grants: [sent('a:1.1', dave, { ...settled, outcome: granted }), sent('a:1.2', erin)],
        becomes: {
          'a:1': {
            ...{ state: 'sending', lease_until: 9_500, asked_at: 1_500, settled_at: null },
            sends: [
              { n: 1, state: 'settled', outcome: granted },
              { n: 2, state: 'asked' },
              { n: 3, sender_id: 'U2', fingerprint: fingerprint(frank), state: 'asked' },
            ],
          },
        },
      },
      'of several people, all sent, though its approval says nothing yet': {
        approvals: [{ id: 'a', emails: [dave, erin], state: 'granting', attempt: 1, leaseUntil: 9_500 }],
        grants: [
          sent('a:1.1', dave, { ...settled, outcome: stopped }),
          sent('a:1.2', erin, { ...settled, settled_at: 2_500, outcome: granted }),
        ],
        becomes: {
          'a:1': {
            ...{ state: 'settled', lease_until: null, settled_at: 2_500 },
            // Whoever concludes the approval may have told it.
            sends: [{ outcome: stopped, is_doubt_told: 1 }, { is_doubt_told: 0 }],
          },
        },
      },
      'of several people, ended': {
        approvals: [{ id: 'a', emails, state: 'ended', attempt: 1 }],
        grants: [
          sent('a:1.1', dave, { ...settled, outcome: corrected }),
          sent('a:1.2', erin, { state: 'cancelled' }),
        ],
        becomes: {
          'a:1': {
            ...{ state: 'settled', is_told: 1 },
            sends: [
              { n: 1, outcome: granted, is_doubt_told: 1 },
              { n: 2, state: 'never-sent' },
              { n: 3, state: 'never-sent' },
            ],
          },
        },
      },
      'open again, and another attempt is under way: what waits in the first never goes': {
        approvals: [{ id: 'a', emails: [dave], state: 'granting', attempt: 2, leaseUntil: 9_500 }],
        grants: [sent('a:1', dave), sent('a:2', dave)],
        becomes: {
          'a:1': { state: 'settled', lease_until: null, sends: [{ state: 'never-sent' }] },
          'a:2': { state: 'sending', lease_until: 9_500, sends: [{ state: 'asked' }] },
        },
      },
      'ended before anything was kept of it: there is none': {
        approvals: [
          { id: 'a', emails: [dave], state: 'granting', attempt: 1, leaseUntil: 9_500 },
          { id: 'b', emails: [dave], state: 'open', attempt: 0 },
        ],
        becomes: {},
      },
      'forgotten before its people: each becomes a wish, told': {
        grants: [sent('a:1.2', erin, { ...settled, outcome: granted })],
        becomes: {
          'a:1.2': { sender_id: 'U2', asker_id: 'U2', state: 'settled', is_told: 1, sends: [{ n: 1 }] },
        },
      },
    }))

  it('a wish that asks again follows the one before', () => {
    const several = (id: string) => batch({ id, emails })
    return upgradeEach(make, {
      'of one person, however often': {
        grants: ['x', 'x:again', 'x:again:rest', 'x:again:rest:rest'].map((id) => grant({ id })),
        becomes: {
          x: { follows_id: null, follows_as: null },
          'x:again': { follows_id: 'x', follows_as: 'again' },
          'x:again:rest': { follows_id: 'x:again', follows_as: 'rest' },
          'x:again:rest:rest': { follows_id: 'x:again:rest', follows_as: 'rest' },
        },
      },
      'of several people, and of the last of them': {
        batches: [several('several:x'), several('several:x:rest')],
        grants: [grant({ id: 'x:rest:again' })],
        becomes: {
          'several:x': { follows_id: null },
          'several:x:rest': { follows_id: 'several:x', follows_as: 'rest' },
          'x:rest:again': { follows_id: 'several:x:rest', follows_as: 'again' },
        },
      },
      'of its own kind first': {
        batches: [several('several:x'), several('several:x:again')],
        grants: [grant({ id: 'x' }), grant({ id: 'x:rest' })],
        becomes: {
          x: { follows_id: null },
          'several:x': { follows_id: null },
          'x:rest': { follows_id: 'x', follows_as: 'rest' },
          'several:x:again': { follows_id: 'several:x', follows_as: 'again' },
        },
      },
      'of one, for several': {
        batches: [several('several:x:rest')],
        grants: [grant({ id: 'x' })],
        becomes: { x: {}, 'several:x:rest': { follows_id: 'x', follows_as: 'rest' } },
      },
      'of one that is forgotten: it follows nobody': {
        grants: [grant({ id: 'x:rest' })],
        becomes: { 'x:rest': { follows_id: null, follows_as: null } },
      },
      'of one that another follows as the same: the first follows it': {
        batches: [several('several:x'), batch({ id: 'several:x:rest', emails, asked_at: 3_000 })],
        grants: [grant({ id: 'x:rest', asked_at: 2_000 }), grant({ id: 'x:again' })],
        becomes: {
          'several:x': {},
          'x:rest': { follows_id: 'several:x', follows_as: 'rest' },
          'several:x:rest': { follows_id: null, follows_as: null },
          'x:again': { follows_id: 'several:x', follows_as: 'again' },
        },
      },
    })
  })
})

describe.each(engines)('a database on %s', (_, make) => {
  it('with equal ids in two workspaces keeps them apart', async () => {
    const older = await make()
    await keep(older, {
      batches: [
        batch({ id: 'several:b', emails: [dave, erin], ...settled, is_told: 1 }),
        batch({ id: 'several:b', emails: [dave, erin], workspace: 'T2' }),
        batch({ id: 'several:b:rest', emails, workspace: 'T2' }),
      ],
      grants: [
        grant({ id: 'several:b.1', ...settled, outcome: granted, ...toldElsewhere }),
        // No batch of this workspace is for three.
        grant({ id: 'several:b.3', workspace: 'T2', is_told: 1 }),
        grant({ id: 'g', email: dave, ...settled, outcome: forbidden, is_told: 1 }),
        grant({ id: 'g', email: dave, workspace: 'T2', ...underWay }),
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
      batches: [batch({ id: 'several:b', emails })],
      grants: [grant({ id: 'old' }), grant({ id: 'new', asked_at: 5_000, workspace: 'T2' })],
    })

    const { durable, migrated } = await upgrade(older)

    expect(migrated[0]).toBe('0017-wishes')
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

  it('that a process died on goes on: what lapsed is ended, what is untold is told, by ids that Slack knows', async () => {
    const older = await make()
    await keep(older, {
      approvals: [{ id: 'a', emails: [dave], state: 'granting', attempt: 1, leaseUntil: 9_500 }],
      batches: [batch({ id: 'several:b', emails, ...underWay })],
      grants: [
        person(1, { ...settled, outcome: granted }),
        person(2, underWay),
        person(3),
        sent('a:1', dave, underWay),
        grant({ id: 'untold', ...settled, lease_until: 1_900, outcome: stopped }),
        grant({ id: 'told', ...settled, outcome: granted, is_told: 1 }),
        grant({ id: 'joined', email: emailOf('told'), state: 'joined', joined_id: 'told' }),
        grant({ id: 'beside', email: erin, state: 'joined', joined_id: 'several:b.2' }),
      ],
    })

    const { wishes } = await openUrl(older.url)
    await wishes.endLapsed()

    const untold = await wishes.claimUntold(60_000)
    expect(untold.map(({ id }) => id)).toEqual(['untold', 'several:b'])
    const outcomesOf = async (id: string) => {
      const wish = await wishes.find('T1', id)
      return [wish?.state, ...(wish?.sends.map(({ outcome }) => outcome?.kind) ?? [])]
    }
    expect(await outcomesOf('several:b')).toEqual(['settled', 'done', 'uncertain', 'not-sent'])
    expect(await outcomesOf('a:1')).toEqual(['settled', 'uncertain'])
    expect(await outcomesOf('joined')).toEqual(['settled', 'done'])
    expect(await outcomesOf('beside')).toEqual(['settled', 'uncertain'])
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

    const { db, url: where, schema } = older
    const broken = migrate(db, { where, schema, migrations: { ...migrations, '9000-dies': dies } })

    await expect(broken).rejects.toThrow('killed')
    const kept = await older.db.withTables<FormerTables>().selectFrom('grants').select('id').execute()
    expect(kept).toEqual([{ id: 'g' }])
    await expect(sql`select * from wishes`.execute(older.db)).rejects.toThrow('wishes')
    const { migrated, wish } = await upgrade(older)
    expect(migrated[0]).toBe('0017-wishes')
    expect(await wish('g')).toMatchObject({ state: 'asked' })
  })
})
