// Wishes in the database: keeping, beginning and ending them, and what was told. Each send is made by sends.ts.
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Begun, KeptWish, NewWish, Wishes } from '../../../send/wishes.ts'
import { didChange, type Engine, fromNow } from '../../engine.ts'
import type { Tables, WishesTable } from '../../tables.ts'
import { giveUpSends, lapseSends, readSends, rowOfSend, sendOf } from './sends.ts'

// Literals, not parameters: SQLite uses a partial index only when it sees its condition in the statement.
const sending = sql.lit('sending' as const)
const settled = sql.lit('settled' as const)
const no = sql.lit(0 as const)

type Row = Selectable<WishesTable>

/** Columns of a wish that is begun as it is kept. */
interface BegunColumns {
  readonly state: 'sending'
  readonly lease_until: RawBuilder<number>
}

export function wishesIn(db: Kysely<Tables>, engine: Engine): Wishes {
  return {
    async keep(wish) {
      const { workspaceId } = wish.sender
      const isKept = await insert(wish)
      const kept =
        (await find(workspaceId, wish.id)) ??
        (isKept || wish.follows === undefined ? undefined : await findFollowing(workspaceId, wish.follows))
      if (kept === undefined) throw new Error(`wish ${wish.id} was forgotten as it was kept`)
      return kept
    },

    async keepBegun(wish, leaseMs) {
      if (!(await insert(wish, { state: 'sending', lease_until: fromNow(engine, leaseMs) }))) return undefined
      const kept = await find(wish.sender.workspaceId, wish.id)
      if (kept === undefined) throw new Error(`wish ${wish.id} was forgotten as it was kept`)
      return { kind: 'begun', wish: kept, isToldElsewhere: wish.isToldElsewhere === true }
    },

    find,
    async cancel({ workspaceId, userId }, id, as = 'cancelled') {
      return db.transaction().execute(async (transaction) => {
        const wasWaiting = await didChange(
          only(workspaceId, id, transaction)
            .set({ state: as })
            .where('sender_id', '=', userId)
            .where('state', '=', 'asked'),
        )
        if (!wasWaiting) return false
        await giveUpSends(transaction, workspaceId, id)
        return true
      })
    },

    async begin({ workspaceId, userId }, id, { leaseMs, askedAfter }) {
      const row = await only(workspaceId, id)
        .set({ state: 'sending', lease_until: fromNow(engine, leaseMs) })
        .where('sender_id', '=', userId)
        .where('state', '=', 'asked')
        .where('asked_at', '>=', askedAfter)
        .returningAll()
        .executeTakeFirst()
      // Nobody has told it yet.
      if (row !== undefined)
        return { kind: 'begun', wish: await withSends(row), isToldElsewhere: row.is_told === 1 }
      return begunBefore(userId, await find(workspaceId, id))
    },

    async renew(workspaceId, id, leaseMs) {
      const until = fromNow(engine, leaseMs)
      await only(workspaceId, id)
        .set({
          lease_until: sql`case when state = ${sending} then ${until} else lease_until end`,
          telling_until: sql`case when state = ${settled} then ${until} else telling_until end`,
        })
        .where((where) =>
          where.or([
            where('state', '=', 'sending'),
            where.and([where('state', '=', 'settled'), where('is_told', '=', 0)]),
          ]),
        )
        .execute()
      await db
        .updateTable('sends')
        .set({ lease_until: until })
        .where('workspace_id', '=', workspaceId)
        .where('wish_id', '=', id)
        .where('state', '=', 'sending')
        .execute()
    },

    settle: (workspaceId, id, tellingMs) =>
      didChange(
        only(workspaceId, id)
          .set({
            ...({ state: 'settled', lease_until: null, settled_at: engine.now() } as const),
            telling_until: fromNow(engine, tellingMs),
          })
          .where('state', '=', 'sending'),
      ),

    async owe(workspaceId, id, tellingMs) {
      await only(workspaceId, id)
        .set({ is_told: 0, telling_until: fromNow(engine, tellingMs) })
        .where('state', '=', 'settled')
        .where('is_told_elsewhere', '=', 0)
        .execute()
    },

    async endLapsed() {
      await lapseSends(db, engine)
      const rows = await db
        .selectFrom('wishes')
        .select(['workspace_id', 'id'])
        .where('state', '=', sending)
        .where('lease_until', '<=', engine.now())
        .execute()
      // A live sender renews its lease, so nobody is behind these any more.
      for (const { workspace_id: workspaceId, id } of rows) {
        await giveUpSends(db, workspaceId, id)
        await settleLapsed(workspaceId, id)
      }
    },

    told: (workspaceId, id) => setOnce('is_told', workspaceId, id),

    async leaveUntold(workspaceId, id) {
      await only(workspaceId, id)
        .set({ telling_until: engine.now() })
        .where('state', '=', 'settled')
        .execute()
    },

    async share(workspaceId, id, isShared) {
      if (isShared) return setOnce('is_shared', workspaceId, id)
      await only(workspaceId, id).set({ is_shared: 0 }).execute()
      return true
    },

    async claimUntold(leaseMs) {
      const rows = await db
        .updateTable('wishes')
        .set({ telling_until: fromNow(engine, leaseMs) })
        .where('state', '=', settled)
        .where('is_told', '=', no)
        .where('telling_until', '<=', engine.now())
        .returningAll()
        .execute()
      // `returning` promises no order.
      const inOrder = rows.toSorted((a, b) => (a.settled_at ?? 0) - (b.settled_at ?? 0))
      return Promise.all(inOrder.map(withSends))
    },

    async forgetWorkspace(workspaceId) {
      await db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('sends').where('workspace_id', '=', workspaceId).execute()
        await transaction.deleteFrom('wishes').where('workspace_id', '=', workspaceId).execute()
      })
    },

    async prune(before) {
      await db.deleteFrom('wishes').where('asked_at', '<', before).where('state', '!=', 'sending').execute()
      await db.deleteFrom('sends').where('asked_at', '<', before).where('state', '!=', 'sending').execute()
    },
  }

  function only(workspaceId: string, id: string, on: Kysely<Tables> = db) {
    return on.updateTable('wishes').where('workspace_id', '=', workspaceId).where('id', '=', id)
  }

  /** False when another one is kept in its place. */
  async function insert(wish: NewWish, begun: BegunColumns | undefined = undefined): Promise<boolean> {
    const { workspaceId, userId } = wish.sender
    return db.transaction().execute(async (transaction) => {
      const row = await transaction
        .insertInto('wishes')
        .values({ ...rowOf(wish), ...begun, asked_at: engine.now() })
        .onConflict((conflict) => conflict.doNothing())
        .returning('asked_at')
        .executeTakeFirst()
      if (row === undefined) return false
      const writes = wish.writes.map((write, index) => ({
        ...rowOfSend({ workspaceId, userId }, wish.id, index + 1, write),
        asked_at: row.asked_at,
      }))
      await transaction.insertInto('sends').values(writes).execute()
      return true
    })
  }

  function read(workspaceId: string) {
    return db.selectFrom('wishes').selectAll().where('workspace_id', '=', workspaceId)
  }

  async function find(workspaceId: string, id: string): Promise<KeptWish | undefined> {
    const row = await read(workspaceId).where('id', '=', id).executeTakeFirst()
    return row && withSends(row)
  }

  async function findFollowing(workspaceId: string, { id, as }: NonNullable<NewWish['follows']>) {
    const row = await read(workspaceId)
      .where('follows_id', '=', id)
      .where('follows_as', '=', as)
      .select('id')
      .executeTakeFirst()
    return row && find(workspaceId, row.id)
  }

  async function withSends(row: Row): Promise<KeptWish> {
    const sends = await readSends(db, row.workspace_id, row.id).execute()
    return {
      id: row.id,
      sender: { workspaceId: row.workspace_id, userId: row.sender_id },
      askerId: row.asker_id,
      channelId: row.channel_id ?? undefined,
      about: row.about === null ? undefined : JSON.parse(row.about),
      state: row.state,
      sends: sends.map(sendOf),
      ...(row.is_told_elsewhere === 1 ? { isToldElsewhere: true } : {}),
      askedAt: row.asked_at,
    }
  }

  async function settleLapsed(workspaceId: string, id: string): Promise<void> {
    // Otherwise the lease of one of its sends has not run out yet: it is looked at again.
    const ended = (await readSends(db, workspaceId, id).execute()).map(sendOf)
    if (ended.some(({ outcome }) => outcome === undefined)) return
    await only(workspaceId, id)
      .set({
        ...({ state: 'settled', lease_until: null, settled_at: engine.now() } as const),
        telling_until: engine.now(),
      })
      .where('state', '=', 'sending')
      .where('lease_until', '<=', engine.now())
      .execute()
  }

  /** True for the one caller that sets the mark; only what is settled can have it. */
  function setOnce(mark: 'is_told' | 'is_shared', workspaceId: string, id: string): Promise<boolean> {
    return didChange(
      only(workspaceId, id)
        .set({ [mark]: 1 })
        .where('state', '=', 'settled')
        .where(mark, '=', 0),
    )
  }
}

function begunBefore(userId: string, wish: KeptWish | undefined): Begun {
  if (wish?.sender.userId !== userId) return { kind: 'gone', wish: undefined }
  return wish.state === 'sending' || wish.state === 'settled'
    ? { kind: 'repeated', wish }
    : { kind: 'gone', wish }
}

/** A row in which nothing has been sent yet, but for its time. */
function rowOf(wish: NewWish): Omit<WishesTable, 'asked_at'> {
  const { sender, id, askerId = sender.userId, channelId, about, follows, isToldElsewhere = false } = wish
  return {
    ...{ workspace_id: sender.workspaceId, id, sender_id: sender.userId, asker_id: askerId },
    channel_id: channelId ?? null,
    about: about === undefined ? null : JSON.stringify(about),
    state: 'asked',
    ...{ follows_id: follows?.id ?? null, follows_as: follows?.as ?? null },
    ...{ lease_until: null, settled_at: null },
    is_told: isToldElsewhere ? 1 : 0,
    is_told_elsewhere: isToldElsewhere ? 1 : 0,
    ...{ telling_until: null, is_shared: 0 },
  }
}
