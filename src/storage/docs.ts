// Documents with a life of their own, and values under a key until a time. Each step of a life is a pure function of
// what a document says now, run in one transaction that holds its row: of two processes that try one, one is first.
// What is due is handed to one who looks after it.
import type { DeleteResult, ExpressionBuilder, InsertResult, Kysely, UpdateResult } from 'kysely'
import type { Database } from './problem.ts'
import type { KeptTable, Tables } from './tables.ts'

export interface DocKey {
  readonly workspaceId: string
  readonly id: string
}

/** Columns that documents are found by, and no other. They follow from what a document says. */
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

/** Those that are asked for. */
interface Listed extends Partial<Omit<Facets, 'dueAt'>> {
  readonly workspaceId?: string
  readonly newest?: number
}

/** What a document says next: undefined leaves it as it is, `gone` takes it away. */
type Step<Doc> = (doc: Doc, now: number) => Doc | 'gone' | undefined

export function docsOf<Doc extends DocKey>(
  { db, now, hasRowLocks }: Database,
  kind: string,
  facets: (doc: Doc) => Facets,
) {
  const columnsOf = (doc: Doc) => ({ ...facets(doc), doc: JSON.stringify(doc) })
  /** Bellhop alone writes these rows, so what stands in them is what was written. */
  const read = ({ doc }: { readonly doc: string }): Doc => JSON.parse(doc)
  const is = ({ workspaceId, id }: DocKey) => ({ kind, workspaceId, id })
  const isOne = (key: DocKey) => (row: ExpressionBuilder<Tables, 'docs'>) => row.and(is(key))
  const rows = (on: Kysely<Tables> = db) => on.selectFrom('docs').select('doc').where('kind', '=', kind)

  /** What it says after the step; undefined where the step left it, took it away, or it was not there. */
  const change = (key: DocKey, step: Step<Doc>): Promise<Doc | undefined> =>
    db.transaction().execute(async (transaction) => {
      const held = rows(transaction).where(isOne(key))
      const row = await held.$if(hasRowLocks, (query) => query.forUpdate()).executeTakeFirst()
      const next = row && step(read(row), now())
      if (next === 'gone') {
        await transaction.deleteFrom('docs').where(isOne(key)).execute()
        return undefined
      }
      if (next) await transaction.updateTable('docs').set(columnsOf(next)).where(isOne(key)).execute()
      return next
    })

  return {
    change,

    /** False where another has its id, or holds its claim. */
    insert(make: (now: number) => Doc): Promise<boolean> {
      const keptAt = now()
      const doc = make(keptAt)
      const row = { ...is(doc), keptAt, ...columnsOf(doc) }
      return didChange(
        db
          .insertInto('docs')
          .values(row)
          .onConflict((conflict) => conflict.doNothing()),
      )
    },

    async find(key: DocKey): Promise<Doc | undefined> {
      const row = await rows().where(isOne(key)).executeTakeFirst()
      return row && read(row)
    },

    /** The oldest first; with `newest` only so many, the newest first. */
    async list({ newest, ...by }: Listed): Promise<readonly Doc[]> {
      const found = await rows()
        .where((row) => row.and(by))
        .orderBy('keptAt', newest === undefined ? 'asc' : 'desc')
        .$if(newest !== undefined, (query) => query.limit(newest ?? 0))
        .execute()
      return found.map(read)
    },

    /**
     * Hands out what is due, each to the one caller whose step it makes. A step must move its due time, or end it.
     * @param mostAheadMs - Nothing of this kind is due in longer than this: the clock was set back, and it is due now.
     */
    async takeDue(step: Step<Doc>, mostAheadMs = everMs): Promise<readonly Doc[]> {
      const ifDue: Step<Doc> = (doc, at) => {
        const { dueAt } = facets(doc)
        return dueAt !== null && (dueAt <= at || dueAt > at + mostAheadMs) ? step(doc, at) : undefined
      }
      const due = await rows()
        .where(({ eb, or }) => or([eb('dueAt', '<=', now()), eb('dueAt', '>', now() + mostAheadMs)]))
        .orderBy('dueAt')
        .execute()
      const taken: Doc[] = []
      for (const row of due) {
        const doc = await change(read(row), ifDue)
        if (doc !== undefined) taken.push(doc)
      }
      return taken
    },

    /** True where it was there. */
    drop: (key: DocKey): Promise<boolean> => didChange(db.deleteFrom('docs').where(isOne(key))),

    /** Forgets what was inserted before this time, unless it holds a claim, or one of another kind goes by the same id. */
    async prune(before: number): Promise<void> {
      const old = db.deleteFrom('docs').where('kind', '=', kind).where('keptAt', '<', before)
      const others = db.selectFrom('docs').select('id').where('kind', '!=', kind)
      await old.where('claim', 'is', null).where('id', 'not in', others).execute()
    },
  }
}

interface NewKept {
  readonly workspaceId: string
  readonly key: string
  /** Default: empty, where it says all that it is there. */
  readonly value?: string
  /** Default: as long as the workspace. */
  readonly forMs?: number
  /** Whose it is; it is forgotten with all of theirs. */
  readonly userId?: string
}

/** Longer than anything is kept, in milliseconds. */
const everMs = 100 * 365 * 24 * 60 * 60_000

/** @param kind - Of what is kept by it; others don't see it. */
export function keptOf({ db, now }: Pick<Database, 'db' | 'now'>, kind: string) {
  const is = (workspaceId: string, key: string) => ({ kind, workspaceId, key })
  const insert = ({ workspaceId, key, value = '', forMs = everMs, userId = '' }: NewKept) => {
    const rest = { userId, value, keptAt: now(), until: now() + forMs }
    return { rest, inserted: db.insertInto('kept').values({ ...is(workspaceId, key), ...rest }) }
  }

  return {
    /** The newest that has all of this. A key may be unique whatever its workspace, such as the hash of a secret. */
    async find(by: Partial<Pick<KeptTable, 'workspaceId' | 'userId' | 'key' | 'value'>>) {
      const live = db.selectFrom('kept').selectAll().where('kind', '=', kind).where('until', '>', now())
      const found = live.where((row) => row.and(by)).orderBy('keptAt', 'desc')
      return found.executeTakeFirst()
    },
    /** In place of what was there. */
    async put(kept: NewKept): Promise<void> {
      const { inserted, rest } = insert(kept)
      await inserted
        .onConflict((conflict) => conflict.columns(['kind', 'key', 'workspaceId']).doUpdateSet(rest))
        .execute()
    },
    /** True for the one caller that puts it there: nothing was, or it was over. */
    add(kept: NewKept): Promise<boolean> {
      const { inserted, rest } = insert(kept)
      return didChange(
        inserted.onConflict((conflict) =>
          conflict.columns(['kind', 'key', 'workspaceId']).doUpdateSet(rest).where('kept.until', '<=', now()),
        ),
      )
    },
    /** Takes it away: of two callers, one gets it. */
    async take(workspaceId: string, key: string) {
      const taken = db.deleteFrom('kept').where((row) => row.and(is(workspaceId, key)))
      return taken.where('until', '>', now()).returningAll().executeTakeFirst()
    },
  }
}

/** Runs a statement that makes, changes or deletes rows. @returns True where it did with one. */
export async function didChange(statement: {
  executeTakeFirst(): Promise<InsertResult | UpdateResult | DeleteResult>
}): Promise<boolean> {
  const result = await statement.executeTakeFirst()
  if ('numInsertedOrUpdatedRows' in result) return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
  return ('numUpdatedRows' in result ? result.numUpdatedRows : result.numDeletedRows) > 0n
}
