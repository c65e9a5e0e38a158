// Sends in the database: who makes the one request of each, across all processes, and what became of it.
//
// No transaction is needed to send. The send that equal ones join is *standing*, a unique index allows one of those per
// sender and write, and each step is one statement that either takes the place or finds it taken.
import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import {
  isLapsed,
  isOpenDoubt,
  isRefusedFor,
  lapsed,
  type SendOutcome,
  type Settled,
} from '../../../send/outcome.ts'
import type { Send, SendBegun, SendKey, Sends } from '../../../send/wishes.ts'
import { type AddUser, fingerprintOf, targetOf, type Write } from '../../../send/writes.ts'
import type { SlackUser } from '../../../slack/ids.ts'
import { didChange, type Engine, fromNow, isTaken, mostLooks } from '../../engine.ts'
import type { SendsTable, Tables } from '../../tables.ts'
import { beforeIn, lookColumn, lookIn, outcomeColumn, settledIn, writeIn } from './columns.ts'

// Literals, not parameters: SQLite uses a partial index only when it sees its condition in the statement.
const standing = sql.lit(1 as const)
const sending = sql.lit('sending' as const)

export function sendsIn(db: Kysely<Tables>, engine: Engine): Sends {
  return {
    async letJoin(workspaceId, wishId) {
      for (let look = 0; look < mostLooks; look++) {
        if (await takePlacesAhead(workspaceId, wishId)) return
      }
      // Each is taken when its turn comes.
    },

    async begin(sender, send, { leaseMs, joinableMs }) {
      for (let look = 0; look < mostLooks; look++) {
        const found = await takePlace(send, leaseMs)
        if (found === 'begun') return { kind: 'begun' }
        if (found === 'waits-no-more') return begunBefore(send)
        await retireStanding(sender, send, joinableMs)
        const joined = await joinStanding(sender, send)
        if (joined !== undefined) return joined
      }
      throw new Error(`send ${send.n} of ${send.wishId} found its place neither free nor taken`)
    },

    async noteBefore(send, before) {
      return didChange(
        only(send)
          .set({ before: JSON.stringify(before) })
          .where('state', '=', 'sending'),
      )
    },

    async settle(send, outcome, { tellingMs, lookInMs, look } = {}) {
      const columns = {
        ...({ state: 'settled', settled_at: engine.now(), lease_until: null } as const),
        outcome: outcomeColumn(outcome),
        look_at: lookInMs === undefined ? null : fromNow(engine, lookInMs),
        look: lookColumn(look),
        // Of one that has lapsed, an equal one may have taken the place since: it takes none.
        is_standing: standsAs(outcome),
      }
      const isFirst = await didChange(only(send).set(columns).where('state', '=', 'sending'))
      if (isFirst) return { kept: 'first', wasDoubted: false, wasTold: false }
      return db.transaction().execute(async (transaction) => {
        const row = await only(send, transaction)
          .set(columns)
          .where('state', '=', 'settled')
          .where('outcome', '=', lapsedColumns.outcome)
          .returning('is_doubt_told')
          .executeTakeFirst()
        const kept = row === undefined ? 'not' : 'in-place'
        const wasDoubted = row?.is_doubt_told === 1
        if (!wasDoubted || tellingMs === undefined) return { kept, wasDoubted, wasTold: false }
        return { kept, wasDoubted, wasTold: await oweTruth(transaction, send, tellingMs) }
      })
    },

    async find({ workspaceId, wishId, n }) {
      const row = await readSends(db, workspaceId, wishId).where('sends.n', '=', n).executeTakeFirst()
      return row && { outcome: sendOf(row).outcome }
    },

    giveUp: (workspaceId, wishId) => giveUpSends(db, workspaceId, wishId),

    async markDoubtTold(workspaceId, wishId) {
      const rows = await db
        .selectFrom('sends')
        .select(['n', 'joined_wish_id', 'joined_n'])
        .where('workspace_id', '=', workspaceId)
        .where('wish_id', '=', wishId)
        .execute()
      for (const { n, joined_wish_id, joined_n } of rows) {
        await only({ workspaceId, wishId: joined_wish_id ?? wishId, n: joined_n ?? n })
          .set({ is_doubt_told: 1 })
          .where('outcome', '=', lapsedColumns.outcome)
          .execute()
      }
    },
  }

  /** Should its sender die before it tells the truth, others do. @returns Whether the wish was told already. */
  async function oweTruth(
    transaction: Kysely<Tables>,
    { workspaceId, wishId }: SendKey,
    tellingMs: number,
  ): Promise<boolean> {
    const ended = () =>
      transaction
        .updateTable('wishes')
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', wishId)
        .where('state', '=', 'settled')
        .where('lease_until', 'is not', null)
    // Holds the wish, whatever others say of it at this moment, and reads what they have said.
    const row = await ended()
      .set({ telling_until: fromNow(engine, tellingMs) })
      .returning('is_told')
      .executeTakeFirst()
    if (row?.is_told !== 1) return false
    await ended().set({ is_told: 0 }).execute()
    return true
  }

  function only({ workspaceId, wishId, n }: SendKey, on: Kysely<Tables> = db) {
    return sendsOf(on, workspaceId, wishId).where('n', '=', n)
  }

  /**
   * Takes the places that are free, all or none. One after the other, in an order that all lists share: otherwise two
   * would each hold a place and wait for the other's.
   * @returns False when another list has taken one of them meanwhile.
   */
  async function takePlacesAhead(workspaceId: string, wishId: string): Promise<boolean> {
    try {
      await db.transaction().execute(async (transaction) => {
        const rows = await transaction
          .selectFrom('sends')
          .select('n')
          .where('workspace_id', '=', workspaceId)
          .where('wish_id', '=', wishId)
          .where('state', '=', 'asked')
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('sends as equal')
                  .select('equal.n')
                  .whereRef('equal.workspace_id', '=', 'sends.workspace_id')
                  .whereRef('equal.sender_id', '=', 'sends.sender_id')
                  .whereRef('equal.fingerprint', '=', 'sends.fingerprint')
                  .where('equal.is_standing', '=', standing),
              ),
            ),
          )
          .orderBy('fingerprint')
          .execute()
        for (const { n } of rows) {
          await only({ workspaceId, wishId, n }, transaction)
            .set({ is_standing: 1 })
            .where('state', '=', 'asked')
            .execute()
        }
      })
      return true
    } catch (error) {
      if (isTaken(error)) return false
      throw error
    }
  }

  async function takePlace(send: SendKey, leaseMs: number): Promise<'begun' | 'waits-no-more' | 'taken'> {
    try {
      const isBegun = await didChange(
        only(send)
          .set({ ...joinsNothing, state: 'sending', is_standing: 1, lease_until: fromNow(engine, leaseMs) })
          .where(isWaiting),
      )
      return isBegun ? 'begun' : 'waits-no-more'
    } catch (error) {
      if (isTaken(error)) return 'taken'
      throw error
    }
  }

  async function begunBefore(send: SendKey): Promise<SendBegun> {
    const { workspaceId, wishId, n } = send
    const row = await db
      .selectFrom('sends')
      .select(['state', 'joined_wish_id', 'joined_n'])
      .where('workspace_id', '=', workspaceId)
      .where('wish_id', '=', wishId)
      .where('n', '=', n)
      .executeTakeFirst()
    if (row === undefined || row.state === 'asked' || row.state === 'never-sent') return { kind: 'gone' }
    // Joined to itself while it is under way, it would be waited for by whoever sends it, for ever.
    if (row.state === 'sending') throw new Error(`send ${n} of ${wishId} is under way already`)
    if (row.joined_wish_id === null || row.joined_n === null) return { kind: 'joined', of: send }
    return { kind: 'joined', of: { workspaceId, wishId: row.joined_wish_id, n: row.joined_n } }
  }

  /** Sends of this sender that are equal to this one and hold its place. */
  function equalTo({ workspaceId, userId }: SlackUser, { wishId, n }: SendKey) {
    const fingerprint = db
      .selectFrom('sends as own')
      .select('own.fingerprint')
      .where('own.workspace_id', '=', workspaceId)
      .where('own.wish_id', '=', wishId)
      .where('own.n', '=', n)
    return { workspace_id: workspaceId, sender_id: userId, fingerprint }
  }

  /**
   * Lets one whose wish ended longer than `joinableMs` ago stand in the way no longer: until then, all of it stands. For
   * what is asked again on purpose (0), whatever is settled stands in the way no longer.
   */
  async function retireStanding(sender: SlackUser, send: SendKey, joinableMs: number): Promise<void> {
    const equal = equalTo(sender, send)
    await db
      .updateTable('sends')
      .set({ is_standing: 0 })
      .where('workspace_id', '=', equal.workspace_id)
      .where('sender_id', '=', equal.sender_id)
      .where('fingerprint', '=', equal.fingerprint)
      .where('is_standing', '=', standing)
      .where('state', '=', 'settled')
      .where('settled_at', '<', fromNow(engine, -joinableMs))
      .$if(joinableMs > 0, (query) =>
        query.where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('wishes')
                .select('wishes.id')
                .whereRef('wishes.workspace_id', '=', 'sends.workspace_id')
                .whereRef('wishes.id', '=', 'sends.wish_id')
                .where(({ or, eb }) =>
                  or([
                    eb('wishes.state', '=', 'sending'),
                    eb('wishes.settled_at', '>=', fromNow(engine, -joinableMs)),
                  ]),
                ),
            ),
          ),
        ),
      )
      .execute()
  }

  /** Joins the equal one that stands, if one does, and writes that down: this send is answered for good. */
  async function joinStanding(sender: SlackUser, send: SendKey): Promise<SendBegun | undefined> {
    const { workspaceId } = send
    const equal = equalTo(sender, send)
    const other = await db
      .selectFrom('sends')
      .select(['wish_id', 'n'])
      .where('workspace_id', '=', equal.workspace_id)
      .where('sender_id', '=', equal.sender_id)
      .where('fingerprint', '=', equal.fingerprint)
      .where('is_standing', '=', standing)
      .executeTakeFirst()
    if (other === undefined) return undefined
    const isJoined = await didChange(
      only(send).set({ state: 'joined', joined_wish_id: other.wish_id, joined_n: other.n }).where(isWaiting),
    )
    const of = { workspaceId, wishId: other.wish_id, n: other.n }
    return isJoined ? { kind: 'joined', of } : undefined
  }
}

/**
 * Frees the place at once when nothing was sent or the token was refused: an equal send then makes its own request. So it
 * does where the token lacks the flag for an alert.
 */
function standsAs(outcome: Settled): RawBuilder<0 | 1> {
  if (isRefusedFor(outcome, ['refused'])) return sql.lit(0)
  const adds = sql.lit('add-user' satisfies AddUser['kind'])
  const isFree = isRefusedFor(outcome, ['forbidden']) ? sql`true` : sql`before is null`
  return sql`case when kind <> ${adds} and ${isFree} then 0 else is_standing end`
}

const lapsedColumns = { state: 'settled', lease_until: null, outcome: outcomeColumn(lapsed) } as const

/**
 * Settles as not certain every send under way whose sender’s lease has run out; but what is read for before it is sent,
 * and was not, was certainly never sent.
 */
export async function lapseSends(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db
    .updateTable('sends')
    .set({ ...joinsNothing, state: 'never-sent', is_standing: 0, lease_until: null })
    .where('state', '=', sending)
    .where('lease_until', '<=', engine.now())
    .where('kind', '!=', 'add-user' satisfies AddUser['kind'])
    .where('before', 'is', null)
    .execute()
  await db
    .updateTable('sends')
    // Before its sender is told, somebody looks.
    .set({ ...lapsedColumns, settled_at: engine.now(), look_at: engine.now() })
    .where('state', '=', sending)
    .where('lease_until', '<=', engine.now())
    // What fell silent since the statement before is told from the others next time.
    .where(({ or, eb }) =>
      or([eb('kind', '=', 'add-user' satisfies AddUser['kind']), eb('before', 'is not', null)]),
    )
    .execute()
}

const joinsNothing = { joined_wish_id: null, joined_n: null } as const

/** Not begun yet, or joined to a send that was given up, so it has to be sent itself. */
function isWaiting({ and, or, eb, exists, selectFrom }: ExpressionBuilder<Tables, 'sends'>) {
  const isReleased = exists(
    selectFrom('sends as joined')
      .select('joined.n')
      .whereRef('joined.workspace_id', '=', 'sends.workspace_id')
      .whereRef('joined.wish_id', '=', 'sends.joined_wish_id')
      .whereRef('joined.n', '=', 'sends.joined_n')
      .where('joined.state', '=', 'never-sent'),
  )
  return or([eb('sends.state', '=', 'asked'), and([eb('sends.state', '=', 'joined'), isReleased])])
}

/**
 * Lets those of a wish whose sender is gone join the equal ones that were sent since they were asked: of a double press
 * whose second process died, the person is told what became of it, and not that it was never sent.
 */
export async function joinEqualSends(db: Kysely<Tables>, workspaceId: string, wishId: string): Promise<void> {
  const rows = await db
    .selectFrom('sends')
    .innerJoin('sends as equal', (join) =>
      join
        .onRef('equal.workspace_id', '=', 'sends.workspace_id')
        .onRef('equal.sender_id', '=', 'sends.sender_id')
        .onRef('equal.fingerprint', '=', 'sends.fingerprint')
        .on('equal.is_standing', '=', standing),
    )
    .select(['sends.n', 'equal.wish_id as equal_wish_id', 'equal.n as equal_n'])
    .where('sends.workspace_id', '=', workspaceId)
    .where('sends.wish_id', '=', wishId)
    .where('sends.state', '=', 'asked')
    .where('equal.state', 'in', ['sending', 'settled'])
    .where(({ or, eb, ref }) =>
      or([eb('equal.settled_at', 'is', null), eb('equal.settled_at', '>=', ref('sends.asked_at'))]),
    )
    .execute()
  for (const { n, equal_wish_id, equal_n } of rows) {
    await sendsOf(db, workspaceId, wishId)
      .set({ state: 'joined', joined_wish_id: equal_wish_id, joined_n: equal_n })
      .where('n', '=', n)
      .where('state', '=', 'asked')
      .execute()
  }
}

function sendsOf(db: Kysely<Tables>, workspaceId: string, wishId: string) {
  return db.updateTable('sends').where('workspace_id', '=', workspaceId).where('wish_id', '=', wishId)
}

/** Gives up those of a wish that wait. @param db - May be a transaction. */
export async function giveUpSends(db: Kysely<Tables>, workspaceId: string, wishId: string): Promise<void> {
  await sendsOf(db, workspaceId, wishId)
    .set({ ...joinsNothing, state: 'never-sent', is_standing: 0 })
    .where(isWaiting)
    .execute()
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
    fingerprint: fingerprintOf(write),
    target: targetOf(write),
    state: 'asked',
    ...joinsNothing,
    is_standing: 0,
    ...{ lease_until: null, settled_at: null, outcome: null, is_doubt_told: 0 },
    ...{ before: null, look_at: null, looks: 0, look: null },
  }
}

/** The sends of a wish, each beside the one that it joined. */
export function readSends(db: Kysely<Tables>, workspaceId: string, wishId: string) {
  return db
    .selectFrom('sends')
    .leftJoin('sends as standing', (join) =>
      join
        .onRef('standing.workspace_id', '=', 'sends.workspace_id')
        .onRef('standing.wish_id', '=', 'sends.joined_wish_id')
        .onRef('standing.n', '=', 'sends.joined_n'),
    )
    .select(['sends.n', 'sends.kind', 'sends.write', 'sends.state', 'sends.outcome', 'sends.is_doubt_told'])
    .select(['sends.before', 'sends.looks'])
    .select(['standing.state as standing_state', 'standing.outcome as standing_outcome'])
    .select('standing.is_doubt_told as is_standing_doubt_told')
    .select(['sends.look', 'sends.look_at', 'standing.look as standing_look'])
    .select('standing.look_at as standing_look_at')
    .where('sends.workspace_id', '=', workspaceId)
    .where('sends.wish_id', '=', wishId)
    .orderBy('sends.n')
}

type ReadSend = Awaited<ReturnType<ReturnType<typeof readSends>['execute']>>[number]

export function sendOf(row: ReadSend): Send {
  const isJoined = row.state === 'joined'
  const outcome = isJoined
    ? outcomeOf(row.standing_state, row.standing_outcome)
    : outcomeOf(row.state, row.outcome)
  const look = lookIn(isJoined ? row.standing_look : row.look)
  const lookAt = isJoined ? row.standing_look_at : row.look_at
  const isDoubtTold = (isJoined ? row.is_standing_doubt_told : row.is_doubt_told) === 1
  return {
    n: row.n,
    write: writeIn(row),
    outcome,
    isJoined,
    wasDoubted: isDoubtTold && outcome !== undefined && !isLapsed(outcome),
    ...(look && { look }),
    ...(outcome?.kind === 'uncertain' && lookAt !== null ? { isLookedAtLater: true } : {}),
    ...(row.before === null ? {} : { before: beforeIn(row.before) }),
    ...(row.looks > 0 && outcome && !isOpenDoubt(outcome) ? { wasLookedFor: true } : {}),
  }
}

/** @param state - Null for what joined one that was forgotten: it was sent, and nobody knows more. */
function outcomeOf(state: SendsTable['state'] | null, outcome: string | null): SendOutcome | undefined {
  if (state === null) return lapsed
  if (state === 'never-sent') return { kind: 'not-sent' }
  return settledIn(outcome)
}
