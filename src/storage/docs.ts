// Two kinds of stores: of documents, which change step by step, and of values, each of which is kept under a key until a
// time. A step is a pure function from a document to its next state. The next state is written only if the document is
// still as the step found it. So of two processes that make the same step, one succeeds.
import { dayMs } from '../work/durations.ts'
import type { Database } from './problem.ts'
import { type Sql, type Value, where } from './sql.ts'

export interface DocKey {
  readonly workspaceId: string
  readonly id: string
}

type PlacesByList = Readonly<Record<string, number>>

/** Columns by which documents of a kind are found. They are computed from the document each time it is written. */
export interface Facets {
  /** The id of the person whose document it is; '' for nobody's. */
  readonly ownerId: string
  /** The subject to find the document by: a channel or an alert’s key, for example; '' for none. */
  readonly ref: string
  /** A key that only one document of its kind in a workspace can hold at a time; null: the document holds none. */
  readonly claim: string | null
  /** When a process has to look after the document, in milliseconds since 1970; null: never. */
  readonly dueAt: number | null
  /** The document’s place in each list that it stands in, by the list’s name. A list is read in the order of places. */
  readonly lists?: PlacesByList | undefined
}

const removal = { text: 'delete from docs', values: [] }

/** Facets by which documents are listed: the workspace, and at least one other. */
type ListedBy = { readonly workspaceId: string; readonly newest?: number } & (
  | Pick<Facets, 'ownerId'>
  | Pick<Facets, 'ref'>
  | Pick<Facets, 'claim'>
  | { readonly newest: number }
)

interface DocRow {
  readonly doc: string
}

interface DueRow extends DocKey, DocRow {
  readonly due: number
  readonly owner: string
}

/** Selects due documents, the longest due first; of those due at one moment, an owner’s come together. */
const selectDue = `select due_at due, owner_id owner, workspace_id "workspaceId", id, doc from docs
  where kind = ? and due_at <= ? and (due_at, owner_id, workspace_id, id) > (?, ?, ?, ?)
  order by due_at, owner_id, workspace_id, id limit ?`

const selectListed = 'select doc from docs_listed join docs using (kind, workspace_id, id)'

const list = 'insert into docs_listed values (?, ?, ?, ?, ?)'
const unlist =
  'delete from docs_listed where kind = ? and list = ? and workspace_id = ? and place = ? and id = ?'

/** A document’s next state: undefined leaves it as it is, `gone` takes it away. */
type Step<Doc> = (doc: Doc, now: number) => Doc | 'gone' | undefined

interface Count {
  readonly count: number
  readonly first: number | null
}
const none: Count = { count: 0, first: null }

/** The store of one kind of documents. @param how.isLasting - True: each step survives a power cut. */
export function docsOf<Doc extends DocKey>(
  { db, now }: Database,
  kind: string,
  facets: (doc: Doc) => Facets,
  { isLasting = false } = {},
) {
  const run = isLasting ? db.runLasting : db.run
  const listsOf = (doc: Doc | undefined): PlacesByList => (doc && facets(doc).lists) ?? {}

  /**
   * Writes a document’s row, together with its places in lists if they change; false if no row fits the statement.
   * @param before - The document so far; undefined if it isn’t there yet. @param after - Undefined if it is deleted.
   */
  async function write(
    text: string,
    values: readonly Value[],
    key: DocKey,
    before: Doc | undefined,
    after: Doc | undefined,
  ): Promise<boolean> {
    const { workspaceId, id } = key
    const [old, next] = [listsOf(before), listsOf(after)]
    const changed = (lists: PlacesByList, others: PlacesByList) =>
      Object.entries(lists)
        .filter(([list, place]) => others[list] !== place)
        .map(([list, place]) => [kind, list, workspaceId, place, id])
    const left = changed(old, next)
    const joined = changed(next, old)
    if (left.length + joined.length === 0) return (await run(text, values)) > 0

    const work = async (sql: Sql) => {
      if ((await sql.run(text, values)) === 0) return false
      for (const row of left) await sql.run(unlist, row)
      for (const row of joined) await sql.run(list, row)
      return true
    }
    return db.transaction(`${kind} ${id}`, work, { isLasting })
  }

  const columnsOf = (doc: Doc): Readonly<Record<string, Value>> => {
    const { ownerId, ref, claim, dueAt } = facets(doc)
    return { owner_id: ownerId, ref, claim, due_at: dueAt }
  }
  /** Reads a document without checking it, as only Bellhop writes these rows. */
  const read = ({ doc }: DocRow): Doc => JSON.parse(doc)
  const readAll = async (text: string, values: readonly Value[]): Promise<readonly Doc[]> =>
    (await db.all<DocRow>(text, values)).map(read)
  const isOne = 'kind = ? and workspace_id = ? and id = ?'
  const keyOf = ({ workspaceId, id }: DocKey) => [kind, workspaceId, id]
  const rowOf = async (key: DocKey) =>
    (await db.all<DocRow>(`select doc from docs where ${isOne}`, keyOf(key)))[0]

  /**
   * Makes a step, and returns the document’s next state, or `gone`; undefined if the step leaves the document as it is, or
   * there is no document. If another process was faster, the step is made again, on what that process has written.
   * @param seen - The document’s row, if that was read already.
   */
  async function move(
    key: DocKey,
    step: Step<Doc>,
    seen?: DocRow,
  ): Promise<Doc | 'gone' | undefined> {
    for (let row = seen ?? (await rowOf(key)); row !== undefined; row = await rowOf(key)) {
      const doc = read(row)
      const next = step(doc, now())
      if (next === undefined) return undefined
      const after = next === 'gone' ? undefined : next
      const { text, values } = after === undefined ? removal : updateOf(doc, after)
      const asSeen = [...values, ...keyOf(key), row.doc]
      if (await write(`${text} where ${isOne} and doc = ?`, asSeen, key, doc, after)) return next
    }
    return undefined
  }

  function updateOf(doc: Doc, next: Doc) {
    const was = columnsOf(doc)
    // Only changed columns are set: setting a column writes its index again, even if the value stays the same.
    const changed = Object.entries(columnsOf(next)).filter(([name, value]) => value !== was[name])
    const says = [...changed, ['doc', JSON.stringify(next)] as const]
    const columns = says.map(([name]) => `${name} = ?`).join(', ')
    return { text: `update docs set ${columns}`, values: says.map(([, value]) => value) }
  }

  /** As `move`; but undefined also if the step deleted the document. */
  async function change(key: DocKey, step: Step<Doc>, seen?: DocRow) {
    const moved = await move(key, step, seen)
    return moved === 'gone' ? undefined : moved
  }

  /**
   * Makes the step on what is due between two times, page by page, so that documents which the step leaves as they are
   * don't hold up others.
   */
  async function takeBetween(
    step: Step<Doc>,
    from: number,
    until: number,
    most: number,
  ): Promise<readonly Doc[]> {
    const ifDue: Step<Doc> = (doc, at) => {
      const { dueAt } = facets(doc)
      return dueAt !== null && dueAt >= from && dueAt <= until ? step(doc, at) : undefined
    }
    const taken: Doc[] = []
    let last = { due: from, owner: '', workspaceId: '', id: '' }
    while (taken.length < most) {
      const rows = await db.all<DueRow>(selectDue, [
        kind,
        until,
        last.due,
        last.owner,
        last.workspaceId,
        last.id,
        most - taken.length,
      ])
      const moved = await Promise.all(rows.map((row) => change(read(row), ifDue, row)))
      taken.push(...moved.filter((doc) => doc !== undefined))
      const end = rows.at(-1)
      if (end === undefined) break
      last = end
    }
    return taken
  }

  return {
    /**
     * As `change` above.
     * @param seen - The document as just stored: it is read again only if somebody has changed it since.
     */
    change: (key: DocKey, step: Step<Doc>, seen?: Doc) =>
      change(key, step, seen && { doc: JSON.stringify(seen) }),

    /** Stores a new document; false if another one has its id, or holds its claim. */
    async insert(make: (now: number) => Doc): Promise<boolean> {
      const keptAt = now()
      const doc = make(keptAt)
      const columnsHeld = Object.values(columnsOf(doc))
      const row = [kind, doc.workspaceId, doc.id, keptAt, ...columnsHeld, JSON.stringify(doc)]
      const columns = 'kind, workspace_id, id, kept_at, owner_id, ref, claim, due_at, doc'
      const insert = `insert into docs (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`
      return write(insert, row, doc, undefined, doc)
    },

    async find(key: DocKey): Promise<Doc | undefined> {
      const row = await rowOf(key)
      return row && read(row)
    },

    /** Documents, the oldest first; with `newest`, only so many, the newest first. */
    list({ newest, ...by }: ListedBy): Promise<readonly Doc[]> {
      const { text, values } = where({ kind, ...by })
      // The index by `ref` holds only documents with a ref. It is used only if the statement asks for these alone.
      const about = 'ref' in by ? ` and ref <> ''` : ''
      const [order, limit] = newest === undefined ? ['', []] : [' desc limit ?', [newest]]
      const all = `select doc from docs where ${text}${about} order by kept_at${order}`
      return readAll(all, [...values, ...limit])
    },

    /** Documents in one list, by their places there. @param workspaceId - Default: all workspaces, one after the other. */
    inList(list: string, workspaceId?: string): Promise<readonly Doc[]> {
      const { text, values } = where({ kind, list, workspaceId })
      return readAll(`${selectListed} where ${text} order by workspace_id, place`, values)
    },

    /** How many documents stand in a list, and the lowest place there. @param before - Counts only places below this. */
    async count(list: string, before = everMs): Promise<Count> {
      const counted = `select count(*) "count", min(place) "first" from docs_listed
        where kind = ? and list = ? and place < ?`
      const [found] = await db.all<Count>(counted, [kind, list, before])
      return found ?? none
    },

    /** How many documents of this kind there are. */
    async countAll(): Promise<number> {
      const counted = 'select count(*) "count", null "first" from docs where kind = ?'
      const [found] = await db.all<Count>(counted, [kind])
      return (found ?? none).count
    },

    /** Documents with a due time, passed or to come, the earliest first. */
    firstDue(most: number): Promise<readonly Doc[]> {
      const first = `select doc from docs where kind = ? and due_at is not null order by due_at limit ?`
      return readAll(first, [kind, most])
    },

    /**
     * Makes the step on due documents, the longest due first, and returns those that it changed. A step that changes a
     * document must also move or end its due time: so no other caller gets the document. A document that the step leaves as
     * it is stays due.
     * @param most - How many documents to change at most: others stay due.
     * @param mostAheadMs - A due time further ahead than this counts as passed: the clock must have been set back.
     */
    async takeDue(step: Step<Doc>, most: number, mostAheadMs = everMs): Promise<readonly Doc[]> {
      const at = now()
      const due = await takeBetween(step, 0, at, most)
      if (due.length >= most || mostAheadMs >= everMs) return due
      const ahead = await takeBetween(step, at + mostAheadMs + 1, everMs + at, most - due.length)
      return [...due, ...ahead]
    },

    /** Deletes a document; false if it was gone already. */
    drop: async (key: DocKey) => (await move(key, () => 'gone')) === 'gone',

    /**
     * Forgets documents that were inserted before this time and hold no claim. Only for kinds whose documents stand in no
     * lists: places in lists would stay.
     * @param beside - Another kind. A document is kept for as long as a document of that kind has the same id.
     */
    async prune(before: number, beside = '') {
      const isBeside =
        'select 1 from docs other where other.kind = ? and other.workspace_id = docs.workspace_id and other.id = docs.id'
      const old = 'kind = ? and kept_at < ? and claim is null'
      await run(`delete from docs where ${old} and not exists (${isBeside})`, [
        kind,
        before,
        beside,
      ])
    },
  }
}

export interface Kept {
  readonly workspaceId: string
  readonly key: string
  /** The person whose value it is, so that it is forgotten when their data are; empty if it is nobody’s. */
  readonly userId: string
  /** Empty if the key alone says everything. */
  readonly value: string
}

interface NewKept
  extends Pick<Kept, 'workspaceId' | 'key'>,
    Partial<Pick<Kept, 'userId' | 'value'>> {
  /** How long the value is kept. Default: until the workspace is forgotten. */
  readonly forMs?: number
}

/** Longer than anything is kept, in milliseconds. */
const everMs = 100 * 365 * dayMs

const mostKeys = 50

/** Values of one kind, each under a key until a time. @param kind - Values of other kinds are not seen. */
export function keptOf({ db, now }: Pick<Database, 'db' | 'now'>, kind: string) {
  const kept = 'workspace_id "workspaceId", key, user_id "userId", value'
  const upsert = `insert into kept (kind, key, workspace_id, user_id, value, kept_at, until) values (?, ?, ?, ?, ?, ?, ?)
    on conflict (kind, key, workspace_id) do update set
    user_id = excluded.user_id, value = excluded.value, kept_at = excluded.kept_at, until = excluded.until`
  const rowOf = ({ workspaceId, key, value = '', forMs = everMs, userId = '' }: NewKept) => {
    return [kind, key, workspaceId, userId, value, now(), now() + forMs]
  }

  return {
    /** The newest value that fits all of `by`. Some keys, such as the hash of a secret, need no workspace to be unique. */
    async find(by: Partial<Kept>): Promise<Kept | undefined> {
      const { text, values } = where({ kind, ...by })
      // The index by person holds only values that are somebody’s. It is used only if the statement asks for these alone.
      const theirs = by.userId ? ` and user_id <> ''` : ''
      const live = `select ${kept} from kept where ${text}${theirs} and until > ? order by kept_at desc limit 1`
      const [found] = await db.all<Kept>(live, [...values, now()])
      return found
    },
    /** Values that are there under these keys. Keys behind the fiftieth are not looked up. */
    findAll(workspaceId: string, keys: readonly string[]): Promise<readonly Kept[]> {
      // One statement for any number of keys, as the engines keep every different statement: missing keys are empty.
      const asked = Array.from({ length: mostKeys }, (_, at) => keys[at] ?? '')
      const marks = asked.map(() => '?').join(', ')
      const some = `select ${kept} from kept where kind = ? and key in (${marks}) and workspace_id = ? and until > ?`
      return db.all<Kept>(some, [kind, ...asked, workspaceId, now()])
    },
    put: (one: NewKept) => db.run(upsert, rowOf(one)),
    /**
     * Puts a value under its key, unless a value whose time isn’t over is there. Of several callers, only the one whose
     * value is kept gets true.
     */
    add: async (one: NewKept) =>
      (await db.run(`${upsert} where kept.until <= ?`, [...rowOf(one), now()])) > 0,
    /** Takes a value away and returns it: of two callers, one gets it. */
    async take(workspaceId: string, key: string): Promise<Kept | undefined> {
      const one = 'delete from kept where kind = ? and workspace_id = ? and key = ? and until > ?'
      const values = [kind, workspaceId, key, now()]
      const [taken] = await db.all<Kept>(`${one} returning ${kept}`, values)
      return taken
    },
  }
}
