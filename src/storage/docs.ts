// Documents with a life of their own. Each step is a pure function of what a document says now, run in one transaction that
// holds its row: of two processes that try one, one is first. What is due is handed to one who looks after it.
import type { Kysely, Transaction } from 'kysely'
import { didChange, type Engine, fromNow, timeIn } from './engine.ts'
import type { Tables } from './tables.ts'

export interface DocKey {
  readonly workspaceId: string
  readonly id: string
}

/** Columns that documents are found by. They follow from what a document says. */
export interface Facets {
  /** Whose it is; '' for nobody's. */
  readonly ownerId: string
  /** What it is about; '' for nothing that is asked for. */
  readonly ref: string
  /** Of those of a kind in a workspace, one holds it; null holds nothing. */
  readonly claim: string | null
  /** When somebody has to look after it; null: never. */
  readonly dueAt: number | null
}

/** What a document says next: undefined leaves it as it is, `gone` takes it away. */
export type Step<Doc> = (doc: Doc, now: number) => Doc | 'gone' | undefined

/** @param how.isDurable - Its steps survive a power cut. */
export function docsOf<Doc extends DocKey>(
  db: Kysely<Tables>,
  engine: Engine,
  kind: string,
  facets: (doc: Doc) => Facets,
  { isDurable = false }: { readonly isDurable?: boolean } = {},
) {
  const columnsOf = (doc: Doc) => {
    const { ownerId, ref, claim, dueAt } = facets(doc)
    return { owner_id: ownerId, ref, claim, due_at: dueAt, doc: JSON.stringify(doc) }
  }
  /** Bellhop alone writes these rows, so what stands in them is what was written. */
  const read = ({ doc }: { readonly doc: string }): Doc => JSON.parse(doc)
  const rows = (on: Kysely<Tables> = db) => on.selectFrom('docs').select('doc').where('kind', '=', kind)
  const one = ({ workspaceId, id }: DocKey, on?: Kysely<Tables>) =>
    rows(on).where('workspace_id', '=', workspaceId).where('id', '=', id)
  const inOne = <T>(work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T> =>
    isDurable ? engine.durably(db, work) : db.transaction().execute(work)
  const deletes = (on: Kysely<Tables> = db) => on.deleteFrom('docs').where('kind', '=', kind)

  async function stepIn(transaction: Transaction<Tables>, key: DocKey, step: Step<Doc>) {
    const row = await one(key, transaction)
      .$if(engine.hasRowLocks, (query) => query.forUpdate())
      .executeTakeFirst()
    // Read once the row is held: another's step may have been waited for.
    const next = row && step(read(row), await timeIn(engine, transaction))
    const { workspaceId, id } = key
    if (next === 'gone')
      await deletes(transaction).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
    else if (next !== undefined)
      await transaction
        .updateTable('docs')
        .set(columnsOf(next))
        .where('kind', '=', kind)
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute()
    return next === 'gone' ? undefined : next
  }

  /** What it says after the step; undefined where the step left it, took it away, or it was not there. */
  const change = (key: DocKey, step: Step<Doc>): Promise<Doc | undefined> =>
    inOne((transaction) => stepIn(transaction, key, step))

  return {
    change,

    /** False where another has its id, or holds its claim. */
    async insert(make: (now: number) => Doc): Promise<boolean> {
      const now = await timeIn(engine, db)
      const doc = make(now)
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('docs')
        .values({ kind, workspace_id: doc.workspaceId, id: doc.id, kept_at: now, ...columnsOf(doc) })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows > 0n
    },

    async find(key: DocKey): Promise<Doc | undefined> {
      const row = await one(key).executeTakeFirst()
      return row && read(row)
    },

    /** The oldest first; with `newest` only so many, the newest first. */
    async list(by: {
      readonly workspaceId?: string
      readonly ownerId?: string
      readonly ref?: string
      readonly claim?: string
      readonly newest?: number
    }): Promise<readonly Doc[]> {
      const { workspaceId, ownerId, ref, claim, newest } = by
      const found = await rows()
        .$if(workspaceId !== undefined, (query) => query.where('workspace_id', '=', workspaceId ?? ''))
        .$if(ownerId !== undefined, (query) => query.where('owner_id', '=', ownerId ?? ''))
        .$if(ref !== undefined, (query) => query.where('ref', '=', ref ?? ''))
        .$if(claim !== undefined, (query) => query.where('claim', '=', claim ?? ''))
        .orderBy('kept_at', newest === undefined ? 'asc' : 'desc')
        .$if(newest !== undefined, (query) => query.limit(newest ?? 0))
        .execute()
      return found.map(read)
    },

    /**
     * Hands out what is due, each to the one caller whose step it makes. A step must move its due time, or end it.
     * @param mostAheadMs - Nothing of this kind is due in longer than this: the clock was set back, and it is due now.
     */
    async takeDue(step: Step<Doc>, mostAheadMs?: number): Promise<readonly Doc[]> {
      const isAhead = (dueAt: number, now: number) => mostAheadMs !== undefined && dueAt > now + mostAheadMs
      const ifDue: Step<Doc> = (doc, now) => {
        const { dueAt } = facets(doc)
        return dueAt !== null && (dueAt <= now || isAhead(dueAt, now)) ? step(doc, now) : undefined
      }
      const due = await rows()
        .where(({ eb, or }) =>
          or([
            eb('due_at', '<=', engine.now()),
            ...(mostAheadMs === undefined ? [] : [eb('due_at', '>', fromNow(engine, mostAheadMs))]),
          ]),
        )
        .orderBy('due_at')
        .execute()
      const taken: Doc[] = []
      for (const row of due) {
        const doc = await change(read(row), ifDue)
        if (doc !== undefined) taken.push(doc)
      }
      return taken
    },

    /** True where it was there. */
    drop: ({ workspaceId, id }: DocKey): Promise<boolean> =>
      didChange(deletes().where('workspace_id', '=', workspaceId).where('id', '=', id)),

    /** Forgets what was inserted before this time, unless it holds a claim. */
    async prune(before: number): Promise<void> {
      await deletes().where('kept_at', '<', before).where('claim', 'is', null).execute()
    },
  }
}
