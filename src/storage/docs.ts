// Documents with a life of their own, and values under a key until a time. Each step of a life is a pure function of
// what a document says now, and is written only where it still says that: of two processes that try one, one is first.
import { dayMs } from '../work/durations.ts'
import type { Database } from './problem.ts'
import { type Sql, type Value, where } from './sql.ts'

export interface DocKey {
  readonly workspaceId: string
  readonly id: string
}

type PlacesByList = Readonly<Record<string, number>>

/** Columns that documents are found by, and no other. They follow from what a document says. */
export interface Facets {
  /** Whose it is; '' for nobody's. */
  readonly ownerId: string
  /** The subject that it is found by; '' for none. */
  readonly ref: string
  /** One document of a kind in a workspace holds it; null holds nothing. */
  readonly claim: string | null
  /** When somebody has to look after it; null: never. */
  readonly dueAt: number | null
  /** Lists that it stands in, each with its place there: such as what one person has, soonest first. */
  readonly lists?: PlacesByList | undefined
}

const removal = { text: 'delete from docs', values: [] }

/** Facets by which documents are listed: at least one beside the workspace, as nobody lists all of it. */
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

/** Due at one moment, documents of one owner come together: one message may do for them. */
const selectDue = `select due_at due, owner_id owner, workspace_id "workspaceId", id, doc from docs
  where kind = ? and due_at <= ? and (due_at, owner_id, workspace_id, id) > (?, ?, ?, ?)
  order by due_at, owner_id, workspace_id, id limit ?`

const selectListed = `select docs.doc from docs_listed join docs
  on docs.kind = docs_listed.kind and docs.workspace_id = docs_listed.workspace_id and docs.id = docs_listed.id`

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

/** @param how.isLasting - A power cut takes none of its steps. */
export function docsOf<Doc extends DocKey>(
  { db, now }: Database,
  kind: string,
  facets: (doc: Doc) => Facets,
  { isLasting = false } = {},
) {
  const run = isLasting ? db.runLasting : db.run
  const listsOf = (doc: Doc | undefined): PlacesByList => (doc && facets(doc).lists) ?? {}

  /**
   * Writes its row, and with that the lists it stands in: most writes change none.
   * @param before - Undefined where it isn’t there yet. @param after - Undefined where it goes.
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
  /** Bellhop alone writes these rows, so what stands in them is what was written. */
  const read = ({ doc }: DocRow): Doc => JSON.parse(doc)
  const readAll = async (text: string, values: readonly Value[]): Promise<readonly Doc[]> =>
    (await db.all<DocRow>(text, values)).map(read)
  const isOne = 'kind = ? and workspace_id = ? and id = ?'
  const keyOf = ({ workspaceId, id }: DocKey) => [kind, workspaceId, id]
  const rowOf = async (key: DocKey) =>
    (await db.all<DocRow>(`select doc from docs where ${isOne}`, keyOf(key)))[0]

  /**
   * The document after the step; undefined where the step left it, or it was not there. Where somebody else was faster, the
   * step is made again, of what that one has left.
   * @param seen - Its row, where that was read already.
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
    // A column that is set has its index written, whatever it says.
    const changed = Object.entries(columnsOf(next)).filter(([name, value]) => value !== was[name])
    const says = [...changed, ['doc', JSON.stringify(next)] as const]
    const columns = says.map(([name]) => `${name} = ?`).join(', ')
    return { text: `update docs set ${columns}`, values: says.map(([, value]) => value) }
  }

  /** As `move`; undefined also where the step took it away. */
  async function change(key: DocKey, step: Step<Doc>, seen?: DocRow) {
    const moved = await move(key, step, seen)
    return moved === 'gone' ? undefined : moved
  }

  /** Takes what is due between two times, page by page: documents that a step leaves as they are hold up no others. */
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
    /** As `change` above. @param seen - As it was kept just now: it isn’t read again unless somebody has changed it since. */
    change: (key: DocKey, step: Step<Doc>, seen?: Doc) =>
      change(key, step, seen && { doc: JSON.stringify(seen) }),

    /** False where another has its id, or holds its claim. */
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

    /** The oldest first; with `newest` only so many, the newest first. */
    list({ newest, ...by }: ListedBy): Promise<readonly Doc[]> {
      const { text, values } = where({ kind, ...by })
      // Only what is about something is in that index.
      const about = 'ref' in by ? ` and ref <> ''` : ''
      const [order, limit] = newest === undefined ? ['', []] : [' desc limit ?', [newest]]
      const all = `select doc from docs where ${text}${about} order by kept_at${order}`
      return readAll(all, [...values, ...limit])
    },

    /** Documents in one list, in the order of their places there. @param workspaceId - Default: of each after the other. */
    inList(list: string, workspaceId?: string): Promise<readonly Doc[]> {
      const { text, values } = where({ kind, list, workspaceId })
      const columns = text.replaceAll(/(\w+) =/g, 'docs_listed.$1 =')
      const order = 'order by docs_listed.workspace_id, docs_listed.place'
      return readAll(`${selectListed} where ${columns} ${order}`, values)
    },

    /** How many stand in a list, and the first place there: reads none of them. @param before - Places from there on don’t count. */
    async count(list: string, before = everMs): Promise<Count> {
      const counted = `select count(*) "count", min(place) "first" from docs_listed
        where kind = ? and list = ? and place < ?`
      const [found] = await db.all<Count>(counted, [kind, list, before])
      return found ?? none
    },

    /** How many there are. */
    async countAll(): Promise<number> {
      const counted = 'select count(*) "count", null "first" from docs where kind = ?'
      const [found] = await db.all<Count>(counted, [kind])
      return (found ?? none).count
    },

    /** The first of what will be due, the longest due first. */
    firstDue(most: number): Promise<readonly Doc[]> {
      const first = `select doc from docs where kind = ? and due_at is not null order by due_at limit ?`
      return readAll(first, [kind, most])
    },

    /**
     * Hands out what is due, the longest due first, each to the one caller whose step it makes. A step must move its due
     * time, or end it; what it leaves as it is is stepped over.
     * @param most - So many at once: the rest stays due.
     * @param mostAheadMs - Nothing of this kind is due in longer than this: the clock was set back, and it is due now.
     */
    async takeDue(step: Step<Doc>, most: number, mostAheadMs = everMs): Promise<readonly Doc[]> {
      const at = now()
      const due = await takeBetween(step, 0, at, most)
      if (due.length >= most || mostAheadMs >= everMs) return due
      const ahead = await takeBetween(step, at + mostAheadMs + 1, everMs + at, most - due.length)
      return [...due, ...ahead]
    },

    /** False where it was gone already. */
    drop: async (key: DocKey) => (await move(key, () => 'gone')) === 'gone',

    /**
     * Forgets what was inserted before this time, unless it holds a claim. Nothing that is forgotten so stands in lists.
     * @param beside - One stays for as long as one of this kind goes by the same id.
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
  /** Whose it is: it is forgotten with all of theirs; empty where it is nobody's. */
  readonly userId: string
  /** Empty where it says all that it is there. */
  readonly value: string
}

interface NewKept
  extends Pick<Kept, 'workspaceId' | 'key'>,
    Partial<Pick<Kept, 'userId' | 'value'>> {
  /** Default: as long as the workspace. */
  readonly forMs?: number
}

/** Longer than anything is kept, in milliseconds. */
const everMs = 100 * 365 * dayMs

const mostKeys = 50

/** @param kind - Of what is kept by it; others don't see it. */
export function keptOf({ db, now }: Pick<Database, 'db' | 'now'>, kind: string) {
  const kept = 'workspace_id "workspaceId", key, user_id "userId", value'
  const upsert = `insert into kept (kind, key, workspace_id, user_id, value, kept_at, until) values (?, ?, ?, ?, ?, ?, ?)
    on conflict (kind, key, workspace_id) do update set
    user_id = excluded.user_id, value = excluded.value, kept_at = excluded.kept_at, until = excluded.until`
  const rowOf = ({ workspaceId, key, value = '', forMs = everMs, userId = '' }: NewKept) => {
    return [kind, key, workspaceId, userId, value, now(), now() + forMs]
  }

  return {
    /** The newest that has all of this. A key may be unique whatever its workspace, such as the hash of a secret. */
    async find(by: Partial<Kept>): Promise<Kept | undefined> {
      const { text, values } = where({ kind, ...by })
      // The index by person has only values that are somebody’s.
      const theirs = by.userId ? ` and user_id <> ''` : ''
      const live = `select ${kept} from kept where ${text}${theirs} and until > ? order by kept_at desc limit 1`
      const [found] = await db.all<Kept>(live, [...values, now()])
      return found
    },
    /** Finds those that are there, of fifty keys at most. */
    findAll(workspaceId: string, keys: readonly string[]): Promise<readonly Kept[]> {
      // Always as many: the engines keep each statement that they have seen.
      const asked = Array.from({ length: mostKeys }, (_, at) => keys[at] ?? '')
      const marks = asked.map(() => '?').join(', ')
      const some = `select ${kept} from kept where kind = ? and key in (${marks}) and workspace_id = ? and until > ?`
      return db.all<Kept>(some, [kind, ...asked, workspaceId, now()])
    },
    put: (one: NewKept) => db.run(upsert, rowOf(one)),
    /** True for the one caller that puts it there: nothing was, or it was over. */
    add: async (one: NewKept) =>
      (await db.run(`${upsert} where kept.until <= ?`, [...rowOf(one), now()])) > 0,
    /** Takes it away: of two callers, one gets it. */
    async take(workspaceId: string, key: string): Promise<Kept | undefined> {
      const one = 'delete from kept where kind = ? and workspace_id = ? and key = ? and until > ?'
      const values = [kind, workspaceId, key, now()]
      const [taken] = await db.all<Kept>(`${one} returning ${kept}`, values)
      return taken
    },
  }
}
