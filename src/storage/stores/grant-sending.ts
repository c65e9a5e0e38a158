// From a wish to its outcome: who sends a grant, across all processes, and what became of it.
//
// No transaction is needed. The grant that equal requests join is *standing*, a unique index allows one of those per
// asker and request, and each step is one statement that either takes the place or finds it taken.
import { type Kysely, type Selectable, sql } from 'kysely'
import { type Begun, type Grant, type GrantOutcome, type Grants, lapsed } from '../../grant/grants.ts'
import { type Engine, fromNow } from '../engine.ts'
import type { GrantsTable, Tables } from '../tables.ts'
import { isTaken } from '../taken.ts'
import { correctionOf, grantOf, readRow } from './grant-rows.ts'
import { retireStanding, standing } from './standing.ts'

/** A place that is found taken and free again at each look means that something else is wrong. */
const MOST_LOOKS = 20

// A literal, not a parameter: SQLite uses a partial index only when it sees its condition in the statement.
const sending = sql.lit('sending' as const)

type Row = Selectable<GrantsTable>

export function sendingIn(db: Kysely<Tables>, engine: Engine): Pick<Grants, 'begin' | 'settle' | 'lapse'> {
  return {
    async begin(asker, id, { leaseMs, joinMs, askedAfter }) {
      for (let look = 0; look < MOST_LOOKS; look++) {
        const row = await readRow(db, asker.workspaceId, id)
        if (row === undefined || row.asker_id !== asker.userId) return { kind: 'gone' }
        if (row.state !== 'asked') return begunBefore(row)
        if (row.asked_at < askedAfter) return { kind: 'gone' }

        await retireStanding(db, engine, 'grants', row, joinMs)
        const begun = (await takePlace(row, leaseMs)) ?? (await joinStanding(row))
        if (begun !== undefined) return begun
      }
      throw new Error(`grant ${id} found its place neither free nor taken`)
    },

    // One statement, as others may be claiming the doubt at the same moment: on the right of a `set`, and in a `case`,
    // stands what the row held before.
    async settle(workspaceId, id, outcome, tellingMs) {
      const { state, settled_at, is_standing } = settled(outcome)
      const correction = correctionOf(outcome)
      const isTelling = sql<boolean>`telling_until > ${engine.now()}`
      const row = await db
        .updateTable('grants')
        .set({
          ...{ state, settled_at, lease_until: null },
          outcome: sql<string>`case when state = ${sending} or (is_told = 0 and (telling_until is null
            or not ${isTelling})) then ${JSON.stringify(outcome)} else ${correction} end`,
          // Of one that has lapsed, an equal wish may have taken the place since.
          ...(is_standing === 0
            ? { is_standing }
            : { is_standing: sql<0 | 1>`case when state = ${sending} then 1 else is_standing end` }),
          ...(tellingMs === undefined ? {} : { is_told: 0, telling_until: fromNow(engine, tellingMs) }),
        })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where((where) =>
          where.or([
            where('state', '=', 'sending'),
            where.and([where('state', '=', 'settled'), where('outcome', '=', JSON.stringify(lapsed))]),
          ]),
        )
        .returning('outcome')
        .executeTakeFirst()
      return { wasDoubted: row?.outcome === correction }
    },

    // The lease stays as it ran out: it says that there is nobody left to tell the outcome.
    async lapse() {
      await db
        .updateTable('grants')
        .set({ ...settled(lapsed), outcome: JSON.stringify(lapsed) })
        .where('state', '=', sending)
        .where('lease_until', '<=', engine.now())
        .execute()
    },
  }

  function settled(outcome: GrantOutcome) {
    // A refused token says nothing about the wish: with another one it is tried again, at once.
    const isRefused = outcome.kind === 'not-granted' && outcome.code === 'refused'
    return {
      state: 'settled',
      settled_at: engine.now(),
      is_standing: isRefused ? 0 : 1,
    } as const
  }

  async function begunBefore(row: Row): Promise<Begun> {
    const standing = row.joined_id === null ? row : await readRow(db, row.workspace_id, row.joined_id)
    const isCancelled = standing === undefined || standing.state === 'cancelled'
    return isCancelled ? { kind: 'gone' } : joined(standing)
  }

  /** Undefined when the grant waits no more, or an equal one stands in its way. */
  async function takePlace(wish: Row, leaseMs: number): Promise<Begun | undefined> {
    try {
      const row = await db
        .updateTable('grants')
        .set({ state: 'sending', is_standing: 1, lease_until: fromNow(engine, leaseMs) })
        .where('workspace_id', '=', wish.workspace_id)
        .where('id', '=', wish.id)
        .where('state', '=', 'asked')
        .returningAll()
        .executeTakeFirst()
      return row && { kind: 'begun', grant: grantOf(row) }
    } catch (error) {
      if (isTaken(error)) return undefined
      throw error
    }
  }

  /** Joins the equal grant that stands, if one does, and writes that down: this intent is answered for good. */
  async function joinStanding(wish: Row): Promise<Begun | undefined> {
    const other = await db
      .selectFrom('grants')
      .selectAll()
      .where('workspace_id', '=', wish.workspace_id)
      .where('asker_id', '=', wish.asker_id)
      .where('fingerprint', '=', wish.fingerprint)
      .where('is_standing', '=', standing)
      .executeTakeFirst()
    if (other === undefined) return undefined
    await db
      .updateTable('grants')
      .set({ state: 'joined', joined_id: other.id })
      .where('workspace_id', '=', wish.workspace_id)
      .where('id', '=', wish.id)
      .where('state', '=', 'asked')
      .execute()
    return joined(other)
  }
}

function joined(row: Row): { readonly kind: 'joined'; readonly grant: Grant } {
  return { kind: 'joined', grant: grantOf(row) }
}
