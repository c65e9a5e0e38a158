// Sends in the database: who makes the one request of each, across all processes, and what became of it. No transaction
// is needed to send: each step is one statement that either moves the send on or finds it moved.
import { type Kysely, sql } from 'kysely'
import { lapsed, type SendOutcome } from '../../../send/outcome.ts'
import type { Send, SendKey, Sends } from '../../../send/wishes.ts'
import type { AddUser, Write } from '../../../send/writes.ts'
import type { SlackUser } from '../../../slack/ids.ts'
import { didChange, type Engine, fromNow } from '../../engine.ts'
import type { SendsTable, Tables } from '../../tables.ts'
import { beforeIn, lookColumn, lookIn, outcomeColumn, settledIn, writeIn } from './columns.ts'

// A literal, not a parameter: SQLite uses a partial index only when it sees its condition in the statement.
const sending = sql.lit('sending' as const)

export function sendsIn(db: Kysely<Tables>, engine: Engine): Sends {
  return {
    begin: (send, leaseMs) =>
      didChange(
        only(send)
          .set({ state: 'sending', lease_until: fromNow(engine, leaseMs) })
          .where('state', '=', 'asked'),
      ),

    noteBefore: (send, before) =>
      didChange(
        only(send)
          .set({ before: JSON.stringify(before) })
          .where('state', '=', 'sending'),
      ),

    async settle(send, outcome, look) {
      const columns = {
        ...({ state: 'settled', settled_at: engine.now(), lease_until: null } as const),
        ...{ outcome: outcomeColumn(outcome), look: lookColumn(look) },
      }
      if (await didChange(only(send).set(columns).where('state', '=', 'sending'))) return 'first'
      const inPlace = only(send).set(columns).where('outcome', '=', lapsedColumns.outcome)
      return (await didChange(inPlace)) ? 'in-place' : 'not'
    },

    looked: (send, doubt, { outcome = doubt, look }) =>
      didChange(
        only(send)
          .set({
            outcome: outcomeColumn(outcome),
            look: lookColumn(look),
          })
          .where('state', '=', 'settled')
          .where('outcome', '=', outcomeColumn(doubt)),
      ),

    async find({ workspaceId, wishId, n }) {
      const row = await readSends(db, workspaceId, wishId).where('n', '=', n).executeTakeFirst()
      return row && sendOf(row)
    },

    giveUp: (workspaceId, wishId) => giveUpSends(db, workspaceId, wishId),
  }

  function only({ workspaceId, wishId, n }: SendKey) {
    return sendsOf(db, workspaceId, wishId).where('n', '=', n)
  }
}

const lapsedColumns = { state: 'settled', lease_until: null, outcome: outcomeColumn(lapsed) } as const

/**
 * Settles as not certain every send under way whose sender’s lease has run out; but what is read for before it is sent,
 * and was not, was certainly never sent.
 */
export async function lapseSends(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db
    .updateTable('sends')
    .set({ state: 'never-sent', lease_until: null })
    .where('state', '=', sending)
    .where('lease_until', '<=', engine.now())
    .where('kind', '!=', 'add-user' satisfies AddUser['kind'])
    .where('before', 'is', null)
    .execute()
  await db
    .updateTable('sends')
    .set({ ...lapsedColumns, settled_at: engine.now() })
    .where('state', '=', sending)
    .where('lease_until', '<=', engine.now())
    // What fell silent since the statement before is told from the others next time.
    .where(({ or, eb }) =>
      or([eb('kind', '=', 'add-user' satisfies AddUser['kind']), eb('before', 'is not', null)]),
    )
    .execute()
}

function sendsOf(db: Kysely<Tables>, workspaceId: string, wishId: string) {
  return db.updateTable('sends').where('workspace_id', '=', workspaceId).where('wish_id', '=', wishId)
}

/** Gives up those of a wish that wait. @param db - May be a transaction. */
export async function giveUpSends(db: Kysely<Tables>, workspaceId: string, wishId: string): Promise<void> {
  await sendsOf(db, workspaceId, wishId).set({ state: 'never-sent' }).where('state', '=', 'asked').execute()
}

/** A row in which nothing has been sent yet, but for its time. */
export function rowOfSend(
  { workspaceId, userId }: SlackUser,
  wishId: string,
  n: number,
  write: Write,
): Omit<SendsTable, 'asked_at'> {
  const { kind, ...what } = write
  return {
    ...{ workspace_id: workspaceId, wish_id: wishId, n, sender_id: userId, kind },
    write: JSON.stringify(what),
    state: 'asked',
    ...{ lease_until: null, settled_at: null, outcome: null, before: null, look: null },
  }
}

/** The sends of a wish. */
export function readSends(db: Kysely<Tables>, workspaceId: string, wishId: string) {
  return db
    .selectFrom('sends')
    .select(['n', 'kind', 'write', 'state', 'outcome', 'before', 'look'])
    .where('workspace_id', '=', workspaceId)
    .where('wish_id', '=', wishId)
    .orderBy('n')
}

type ReadSend = Awaited<ReturnType<ReturnType<typeof readSends>['execute']>>[number]

export function sendOf(row: ReadSend): Send {
  const look = lookIn(row.look)
  return {
    n: row.n,
    write: writeIn(row),
    outcome: outcomeOf(row),
    ...(look && { look }),
    ...(row.before === null ? {} : { before: beforeIn(row.before) }),
  }
}

function outcomeOf({ state, outcome }: Pick<SendsTable, 'state' | 'outcome'>): SendOutcome | undefined {
  return state === 'never-sent' ? { kind: 'not-sent' } : settledIn(outcome)
}
