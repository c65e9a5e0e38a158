// Documents with a life of their own, and values under a key until a time. Each step of a life is a pure function of
// what a document says now, and is written only where it still says that: of two processes that try one, one is first.
import type { Database } from './problem.ts'
import { where } from './sql.ts'

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
  /** One document of a kind in a workspace holds it; null holds nothing. */
  readonly claim: string | null
  /** When somebody has to look after it; null: never. */
  readonly dueAt: number | null
}

interface Listed extends Partial<Omit<Facets, 'dueAt'>> {
  readonly workspaceId?: string
  readonly newest?: number
}

interface DueRow extends DocKey {
  readonly due: number
  readonly owner: string
  readonly doc: string
}

/** Due at one moment, documents of one owner come together: one message may do for them. */
const selectDue = `select due_at due, owner_id owner, workspace_id "workspaceId", id, doc from docs
  where kind = ? and due_at <= ? and (due_at, owner_id, workspace_id, id) > (?, ?, ?, ?)
  order by due_at, owner_id, workspace_id, id limit ?`

/** What a document says next: undefined leaves it as it is, `gone` takes it away. */
type Step<Doc> = (doc: Doc, now: number) => Doc | 'gone' | undefined

/** @param how.isLasting - A power cut takes none of its steps. */
export function docsOf<Doc extends DocKey>(
  { db, now }: Database,
  kind: string,
  facets: (doc: Doc) => Facets,
  { isLasting = false }: { readonly isLasting?: boolean } = {},
) {
  const run = isLasting ? db.runLasting : db.run
  const columnsOf = (doc: Doc) => {
    const { ownerId, ref, claim, dueAt } = facets(doc)
    return [ownerId, ref, claim, dueAt, JSON.stringify(doc)]
  }
  /** Bellhop alone writes these rows, so what stands in them is what was written. */
  const read = ({ doc }: { readonly doc: string }): Doc => JSON.parse(doc)
  const isOne = 'kind = ? and workspace_id = ? and id = ?'
  const keyOf = ({ workspaceId, id }: DocKey) => [kind, workspaceId, id]
  const rowOf = async (key: DocKey) => {
    const [found] = await db.all<{ doc: string }>(`select doc from docs where ${isOne}`, keyOf(key))
    return found
  }

  /**
   * What it says after the step; undefined where the step left it, took it away, or it was not there. Where somebody else was
   * faster, the step is made again, of what that one has left.
   * @param seen - Its row, where that was read already.
   */
  async function change(
    key: DocKey,
    step: Step<Doc>,
    seen?: { doc: string },
  ): Promise<Doc | undefined> {
    for (let row = seen ?? (await rowOf(key)); row !== undefined; row = await rowOf(key)) {
      const next = step(read(row), now())
      if (next === undefined) return undefined
      const asSeen = [...keyOf(key), row.doc]
      const isGone = next === 'gone'
      const says = 'update docs set owner_id = ?, ref = ?, claim = ?, due_at = ?, doc = ?'
      const what = isGone ? 'delete from docs' : says
      const values = isGone ? asSeen : [...columnsOf(next), ...asSeen]
      if ((await run(`${what} where ${isOne} and doc = ?`, values)) > 0)
        return isGone ? undefined : next
    }
    return undefined
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
    change,

    /** False where another has its id, or holds its claim. */
    async insert(make: (now: number) => Doc): Promise<boolean> {
      const keptAt = now()
      const doc = make(keptAt)
      const row = [kind, doc.workspaceId, doc.id, keptAt, ...columnsOf(doc)]
      const columns = 'kind, workspace_id, id, kept_at, owner_id, ref, claim, due_at, doc'
      const insert = `insert into docs (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`
      return (await run(insert, row)) > 0
    },

    async find(key: DocKey): Promise<Doc | undefined> {
      const row = await rowOf(key)
      return row && read(row)
    },

    /** The oldest first; with `newest` only so many, the newest first. */
    async list({ newest, ...by }: Listed): Promise<readonly Doc[]> {
      const { text, values } = where({ kind, ...by })
      // Only what is about something is in that index.
      const about = by.ref === undefined ? '' : ` and ref <> ''`
      const [order, limit] = newest === undefined ? ['', []] : [' desc limit ?', [newest]]
      const all = `select doc from docs where ${text}${about} order by kept_at${order}`
      return (await db.all<{ doc: string }>(all, [...values, ...limit])).map(read)
    },

    /** What is due by then, the longest due first; changes nothing. @param until - Milliseconds since 1970. */
    async listDue(until: number): Promise<readonly Doc[]> {
      const due = 'select doc from docs where kind = ? and due_at <= ? order by due_at'
      return (await db.all<{ doc: string }>(due, [kind, until])).map(read)
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

    drop: async (key: DocKey): Promise<boolean> =>
      (await run(`delete from docs where ${isOne}`, keyOf(key))) > 0,

    /**
     * Forgets what was inserted before this time, unless it holds a claim.
     * @param beside - One stays for as long as one of this kind goes by the same id.
     */
    async prune(before: number, beside = ''): Promise<void> {
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
const everMs = 100 * 365 * 24 * 60 * 60_000

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
      // Only what is somebody’s is in that index.
      const theirs = by.userId ? ` and user_id <> ''` : ''
      const live = `select ${kept} from kept where ${text}${theirs} and until > ? order by kept_at desc limit 1`
      const [found] = await db.all<Kept>(live, [...values, now()])
      return found
    },
    put: async (one: NewKept): Promise<void> => void (await db.run(upsert, rowOf(one))),
    /** True for the one caller that puts it there: nothing was, or it was over. */
    add: async (one: NewKept): Promise<boolean> =>
      (await db.run(`${upsert} where kept.until <= ?`, [...rowOf(one), now()])) > 0,
    /** Takes it away: of two callers, one gets it. */
    async take(workspaceId: string, key: string): Promise<Kept | undefined> {
      const one = 'delete from kept where kind = ? and workspace_id = ? and key = ? and until > ?'
      const [taken] = await db.all<Kept>(`${one} returning ${kept}`, [
        kind,
        workspaceId,
        key,
        now(),
      ])
      return taken
    },
  }
}
