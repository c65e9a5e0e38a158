// Grants, batches and attempts of approvals as they were kept until 0017, read in pieces.
// Never edited once released: changes are further migrations.
import type { Kysely } from 'kysely'
import type { ApprovalRow, BatchRow, Key, TablesAt17 } from './wishes-tables.ts'

/** Rows that are read, or written, with one statement. */
export const PIECE = 500

// Places: grants of lists of people carry the list's id and the person's number; what else has such an id is no list's.

interface Place {
  readonly wishId: string
  readonly n: number
}

/** By `placeKey`, of every grant that a batch or an attempt has, or would have. */
export type Places = ReadonlyMap<string, Place>

export function placeKey(workspaceId: string, grantId: string): string {
  return JSON.stringify([workspaceId, grantId])
}

export async function findPlaces(db: Kysely<TablesAt17>): Promise<Places> {
  const places = new Map<string, Place>()
  const add = ({ workspace_id, id, grantIds }: List) => {
    for (const [index, grantId] of grantIds.entries()) {
      places.set(placeKey(workspace_id, grantId), { wishId: id, n: index + 1 })
    }
  }
  for await (const batches of batchesOf(db)) for (const { list } of batches) add(list)
  for await (const attempts of attemptsOf(db)) for (const { list } of attempts) add(list)
  return places
}

/** One wish of one or several people, as former versions kept it: one grant a person. */
export interface List extends Key {
  readonly asked: Asked
  /** One for each person, in their order; some may not have been kept. */
  readonly grantIds: readonly string[]
}

/** JSON in the column `wish`. */
export interface Asked {
  readonly containerId: number
  readonly emails: readonly string[]
  readonly authProvider: string | undefined
  readonly member: boolean
  readonly permissions: readonly string[]
}

/** Undefined where nobody can be read from the column: then each grant becomes a wish of its own. */
function listOf(workspaceId: string, id: string, column: string): List | undefined {
  const asked = askedIn(JSON.parse(column))
  if (asked === undefined) return undefined
  const grantIds = asked.emails.length === 1 ? [id] : asked.emails.map((_, index) => `${id}.${index + 1}`)
  return { workspace_id: workspaceId, id, asked, grantIds }
}

function askedIn(value: unknown): Asked | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!('containerId' in value && typeof value.containerId === 'number')) return undefined
  if (!('emails' in value && isTexts(value.emails))) return undefined
  if (!('permissions' in value && isTexts(value.permissions))) return undefined
  const { containerId, emails, permissions } = value
  const member = 'member' in value && value.member === true
  const authProvider =
    'authProvider' in value && typeof value.authProvider === 'string' ? value.authProvider : undefined
  return { containerId, emails, authProvider, member, permissions }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

interface BatchList {
  readonly batch: BatchRow
  readonly list: List
}

export async function* batchesOf(db: Kysely<TablesAt17>): AsyncGenerator<readonly BatchList[]> {
  const pieces = readInPieces((after) =>
    db
      .selectFrom('batches_until_0016')
      .selectAll()
      .where(({ refTuple, tuple, eb }) =>
        eb(refTuple('workspace_id', 'id'), '>', tuple(after.workspace_id, after.id)),
      )
      .orderBy('workspace_id')
      .orderBy('id')
      .limit(PIECE)
      .execute(),
  )
  for await (const rows of pieces) {
    yield rows.flatMap((batch) => {
      const list = listOf(batch.workspace_id, batch.id, batch.wish)
      return list === undefined ? [] : [{ batch, list }]
    })
  }
}

// Attempts of approvals: each is a wish that the approver sends for the asker, and the approval tells what became of it.

export interface AttemptList {
  readonly approval: ApprovalRow
  readonly attempt: number
  readonly list: List
}

export async function* attemptsOf(db: Kysely<TablesAt17>): AsyncGenerator<readonly AttemptList[]> {
  const pieces = readInPieces((after) =>
    db
      .selectFrom('approvals')
      .select(['workspace_id', 'id', 'asker_id', 'wish', 'state', 'attempt', 'lease_until'])
      .where(({ refTuple, tuple, eb }) =>
        eb(refTuple('workspace_id', 'id'), '>', tuple(after.workspace_id, after.id)),
      )
      .orderBy('workspace_id')
      .orderBy('id')
      .limit(PIECE)
      .execute(),
  )
  for await (const rows of pieces) yield rows.flatMap(attemptsIn)
}

function attemptsIn(approval: ApprovalRow): readonly AttemptList[] {
  const { workspace_id, id, wish } = approval
  return Array.from({ length: approval.attempt }, (_, index) => index + 1).flatMap((attempt) => {
    const list = listOf(workspace_id, `${id}:${attempt}`, wish)
    return list === undefined ? [] : [{ approval, attempt, list }]
  })
}

// Reading and writing in pieces.

/** @param read - Reads as many rows of a table as a piece has, in the order of their keys. */
export async function* readInPieces<Row extends Key>(
  read: (after: Key) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let after: Key | undefined = { workspace_id: '', id: '' }
  while (after !== undefined) {
    const rows: readonly Row[] = await read(after)
    yield rows
    after = rows.length < PIECE ? undefined : rows.at(-1)
  }
}

export function pieces<One>(all: readonly One[]): readonly (readonly One[])[] {
  return Array.from({ length: Math.ceil(all.length / PIECE) }, (_, index) =>
    all.slice(index * PIECE, (index + 1) * PIECE),
  )
}

/** Grants, each beside the one it joined, as far as that is kept. */
export function selectGrants(db: Kysely<TablesAt17>) {
  return db
    .selectFrom('grants_until_0016 as own')
    .leftJoin('grants_until_0016 as standing', (join) =>
      join.onRef('standing.workspace_id', '=', 'own.workspace_id').onRef('standing.id', '=', 'own.joined_id'),
    )
    .selectAll('own')
    .select(['standing.id as standing_id', 'standing.state as standing_state'])
    .select(['standing.settled_at as standing_settled_at', 'standing.lease_until as standing_lease_until'])
}

export type Grant = Awaited<ReturnType<ReturnType<typeof selectGrants>['execute']>>[number]
/** By `placeKey`. */
export type Grants = ReadonlyMap<string, Grant>

/** The grants of these lists that are kept. */
export async function grantsOf(db: Kysely<TablesAt17>, lists: readonly List[]): Promise<Grants> {
  const grants = new Map<string, Grant>()
  for (const [workspaceId, ofWorkspace] of Map.groupBy(lists, ({ workspace_id }) => workspace_id)) {
    for (const ids of pieces(ofWorkspace.flatMap(({ grantIds }) => grantIds))) {
      const rows = await selectGrants(db)
        .where('own.workspace_id', '=', workspaceId)
        .where('own.id', 'in', ids)
        .execute()
      for (const row of rows) grants.set(placeKey(workspaceId, row.id), row)
    }
  }
  return grants
}
