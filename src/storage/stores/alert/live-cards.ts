// Live cards in the database: who looks after each, across all processes, what a look leaves behind, how they are read.
//
// A lease is taken by one statement and given back by the next look's result. Every write of a holder names itself, so
// that one whose lease has run out changes nothing.
import { type Kysely, type Selectable, sql } from 'kysely'
import type { CardShown, LiveCard, Watcher, Watches } from '../../../watch/watches.ts'
import { didChange, type Engine, fromNow } from '../../engine.ts'
import type { LiveCardsTable, Tables, WatchesTable } from '../../tables.ts'
import { postedOf } from './cards.ts'

type Leases = Pick<Watches, 'lease' | 'release' | 'isStill' | 'markEnded' | 'drop' | 'looked' | 'finish'>

export function leasesIn(db: Kysely<Tables>, engine: Engine): Leases {
  return {
    async lease({ owner, leaseMs, most, farthestMs }) {
      const due = free()
        .where((where) =>
          where.or([where('due_at', '<=', engine.now()), where('due_at', '>', fromNow(engine, farthestMs))]),
        )
        .orderBy('due_at')
        .limit(most)
      return claim(due, owner, leaseMs)
    },

    async release(owner) {
      await db
        .updateTable('live_cards')
        .set({ lease_owner: null, lease_until: null })
        .where('lease_owner', '=', owner)
        .execute()
    },

    async isStill(owner, live) {
      return (await heldUnpoked(db, owner, live).executeTakeFirst()) !== undefined
    },

    async markEnded(owner, live, userId, ended) {
      return didChange(
        db
          .updateTable('watches')
          .set({ slot: null, ended: JSON.stringify(ended) })
          .where('workspace_id', '=', live.workspaceId)
          .where('card_id', '=', live.cardId)
          .where('user_id', '=', userId)
          .where('ended', 'is', null)
          .where(({ exists }) => exists(heldUnpoked(db, owner, live))),
      )
    },

    async drop(owner, live, userIds) {
      if (userIds.length === 0) return
      await db
        .deleteFrom('watches')
        .where('workspace_id', '=', live.workspaceId)
        .where('card_id', '=', live.cardId)
        .where('user_id', 'in', userIds)
        .where(({ exists }) => exists(heldUnpoked(db, owner, live)))
        .execute()
    },

    looked: lookedIn(db, engine),

    finish: (owner, live) =>
      db.transaction().execute(async (transaction) => {
        // The live card first, as everybody does: two who lock in different orders would wait for each other.
        const isOver = await didChange(
          transaction
            .deleteFrom('live_cards')
            .where('workspace_id', '=', live.workspaceId)
            .where('card_id', '=', live.cardId)
            .where('lease_owner', '=', owner)
            .where('pokes', '=', live.pokes),
        )
        if (!isOver) {
          const back = { due_at: engine.now(), lease_owner: null, lease_until: null }
          await held(owner, live, transaction).set(back).execute()
          return false
        }
        await transaction
          .deleteFrom('watches')
          .where('workspace_id', '=', live.workspaceId)
          .where('card_id', '=', live.cardId)
          .execute()
        return true
      }),
  }

  /** Live cards that no process has leased. */
  function free() {
    return db
      .selectFrom('live_cards')
      .select(['workspace_id', 'card_id'])
      .where((where) =>
        where.or([where('lease_until', 'is', null), where('lease_until', '<=', engine.now())]),
      )
  }

  async function claim(wanted: ReturnType<typeof free>, owner: string, leaseMs: number) {
    const rows = await db
      // Materialized: a plan that ran it once a row would take more than it may.
      .with(
        (cte) => cte('due').materialized(),
        // Another process that looks at this moment takes others.
        () => (engine.hasRowLocks ? wanted.forUpdate().skipLocked() : wanted),
      )
      .updateTable('live_cards')
      .set({ lease_owner: owner, lease_until: fromNow(engine, leaseMs) })
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('workspace_id', 'card_id'),
          'in',
          selectFrom('due').select(['workspace_id', 'card_id']).$asTuple('workspace_id', 'card_id'),
        ),
      )
      .returningAll()
      .returning(engine.now().as('now'))
      .execute()
    // `returning` promises no order.
    return withCards(rows.toSorted((one, other) => one.due_at - other.due_at))
  }

  function held(owner: string, live: LiveCard, on: Kysely<Tables> = db) {
    return on
      .updateTable('live_cards')
      .where('workspace_id', '=', live.workspaceId)
      .where('card_id', '=', live.cardId)
      .where('lease_owner', '=', owner)
  }

  async function withCards(
    rows: readonly (Selectable<LiveCardsTable> & { readonly now: number })[],
  ): Promise<readonly LiveCard[]> {
    if (rows.length === 0) return []
    const workspaces = [...new Set(rows.map((row) => row.workspace_id))]
    const ids = rows.map((row) => row.card_id)
    const watchers = await db
      .selectFrom('watches')
      .selectAll()
      .where('workspace_id', 'in', workspaces)
      .where('card_id', 'in', ids)
      .orderBy('since')
      .execute()
    return rows.map((row) => {
      const { workspace_id: workspaceId, card_id: cardId } = row
      const ofCard = watchers.filter((one) => one.card_id === cardId && one.workspace_id === workspaceId)
      return liveCardOf(
        row,
        ofCard.map((one) => watcherOf(one, row.now)),
      )
    })
  }
}

function heldUnpoked(db: Kysely<Tables>, owner: string, { workspaceId, cardId, pokes }: LiveCard) {
  return db
    .selectFrom('live_cards')
    .select('pokes')
    .where('workspace_id', '=', workspaceId)
    .where('card_id', '=', cardId)
    .where('lease_owner', '=', owner)
    .where('pokes', '=', pokes)
}

/**
 * Stores what a look at a live card has found, and when the next one is due. The same statement gives the card back.
 */
function lookedIn(db: Kysely<Tables>, engine: Engine): Watches['looked'] {
  return async (owner, { workspaceId, cardId, pokes }, looked) => {
    const { drawn, isSeen, isRead, failures, inMs } = looked
    await db
      .updateTable('live_cards')
      .set({
        failures,
        // One that was poked meanwhile is due as it was.
        due_at: sql<number>`case when pokes <> ${pokes} then due_at else ${fromNow(engine, inMs)} end`,
        lease_owner: null,
        lease_until: null,
        ...(drawn === undefined ? {} : { shown: JSON.stringify(drawn), drawn_at: engine.now() }),
        ...(isSeen === undefined
          ? {}
          : { is_seen: sql<0 | 1>`case when pokes <> ${pokes} then 0 else ${isSeen ? 1 : 0} end` }),
        ...(isRead ? { true_at: engine.now() } : {}),
      })
      .where('workspace_id', '=', workspaceId)
      .where('card_id', '=', cardId)
      .where('lease_owner', '=', owner)
      .execute()
  }
}

export function shownOf(text: string | null): CardShown | undefined {
  return text === null ? undefined : JSON.parse(text)
}

export function watcherOf(row: Selectable<WatchesTable>, now: number): Watcher {
  return {
    userId: row.user_id,
    name: row.user_name,
    until: row.until,
    isOver: row.until <= now,
    ended: row.ended === null ? undefined : JSON.parse(row.ended),
  }
}

/** Undefined also when it is still to come: the clock has gone back, and nobody knows how long ago it was. */
function msAgo(at: number | null, now: number): number | undefined {
  return at === null || at > now ? undefined : now - at
}

function liveCardOf(
  row: Selectable<LiveCardsTable> & { readonly now: number },
  watchers: readonly Watcher[],
): LiveCard {
  return {
    workspaceId: row.workspace_id,
    cardId: row.card_id,
    since: row.since,
    posted: postedOf(row),
    watchers,
    shown: shownOf(row.shown),
    isSeen: row.is_seen === 1,
    readMsAgo: msAgo(row.true_at, row.now),
    drawnMsAgo: msAgo(row.drawn_at, row.now),
    failures: row.failures,
    pokes: row.pokes,
  }
}
