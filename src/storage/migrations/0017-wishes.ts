// Wishes and their sends take the place of grants and batches, and everything that was asked becomes one of them.
// Never edited once released: changes are further migrations.
//
// Former rows                                      become
// a batch, with the grant of each person           a wish with a send for each person
// an attempt of an approval, with its grants       a wish with a send for each person, told elsewhere
// any other grant                                  a wish with one send
//
// Buttons in Slack carry ids of wishes, so a wish keeps the id it had.
import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const wishes: Migration = {
  async up(db: Kysely<unknown>) {
    await setAside(db)
    await createWishes(db)
    await createSends(db)
    const tables = db.withTables<Tables>()
    const places = await findPlaces(tables)
    await copyBatches(tables, places)
    await copyAttempts(tables, places)
    await copySingles(tables, places)
    await linkFollowers(tables)
  },
}

/** Rows that are read, or written, with one statement. */
const PIECE = 500
/** A row that an older version settled says nothing of its teller, who may be waiting for Slack for so long. */
const OLDER_TELLING_MS = 300_000

// The tables, as they are at this step.

interface Key {
  readonly workspace_id: string
  readonly id: string
}

interface FormerRow extends Key {
  readonly asker_id: string
  readonly fingerprint: string
  readonly channel_id: string | null
  readonly state: 'asked' | 'cancelled' | 'sending' | 'settled' | 'joined'
  readonly joined_id: string | null
  readonly is_standing: number
  readonly asked_at: number
  readonly lease_until: number | null
  readonly settled_at: number | null
  readonly is_told: number
  readonly telling_until: number | null
  readonly is_shared: number
  readonly about: string | null
  readonly is_handed_over: number
}

interface GrantRow extends FormerRow {
  readonly request: string
  readonly outcome: string | null
}

interface BatchRow extends FormerRow {
  readonly wish: string
}

interface ApprovalRow extends Key {
  readonly asker_id: string
  readonly wish: string
  readonly state: 'open' | 'granting' | 'ended'
  readonly attempt: number
  readonly lease_until: number | null
}

interface WishRow extends Key {
  readonly sender_id: string
  readonly asker_id: string
  readonly channel_id: string | null
  readonly about: string | null
  readonly state: 'asked' | 'cancelled' | 'handed-over' | 'joined' | 'sending' | 'settled'
  readonly joined_id: string | null
  readonly follows_id: string | null
  readonly follows_as: string | null
  readonly asked_at: number
  readonly lease_until: number | null
  readonly settled_at: number | null
  readonly is_told: number
  readonly telling_until: number | null
  readonly is_shared: number
}

interface SendRow {
  readonly workspace_id: string
  readonly wish_id: string
  readonly n: number
  readonly sender_id: string
  readonly kind: 'add-user'
  readonly write: string
  readonly fingerprint: string
  readonly state: 'asked' | 'joined' | 'sending' | 'settled' | 'never-sent'
  readonly joined_wish_id: string | null
  readonly joined_n: number | null
  readonly is_standing: number
  readonly asked_at: number
  readonly lease_until: number | null
  readonly settled_at: number | null
  readonly outcome: string | null
  readonly is_doubt_told: number
}

/** An alias, as only those have what `withTables` asks for. */
type Tables = {
  readonly grants_until_0016: GrantRow
  readonly batches_until_0016: BatchRow
  readonly approvals: ApprovalRow
  readonly wishes: WishRow
  readonly sends: SendRow
}

// First of all: a process of an older version that still runs fails from here on, and sends nothing.

async function setAside(db: Kysely<unknown>): Promise<void> {
  for (const table of ['grants', 'batches']) {
    await db.schema.alterTable(table).renameTo(`${table}_until_0016`).execute()
    // Nobody but pruning reads them any more.
    for (const index of ['one_standing', 'under_way', 'untold', 'of_asker']) {
      await db.schema.dropIndex(`${table}_${index}`).ifExists().execute()
    }
  }
}

async function createWishes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('wishes')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('sender_id', 'text', (column) => column.notNull())
    .addColumn('asker_id', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text')
    .addColumn('about', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('joined_id', 'text')
    .addColumn('follows_id', 'text')
    .addColumn('follows_as', 'text')
    .addColumn('asked_at', 'bigint', (column) => column.notNull())
    .addColumn('lease_until', 'bigint')
    .addColumn('settled_at', 'bigint')
    .addColumn('is_told', 'integer', (column) => column.notNull())
    .addColumn('telling_until', 'bigint')
    .addColumn('is_shared', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('wishes_key', ['workspace_id', 'id'])
    .execute()
  // The one thing that keeps two presses from asking twice for the same rest.
  await db.schema
    .createIndex('wishes_following')
    .on('wishes')
    .columns(['workspace_id', 'follows_id', 'follows_as'])
    .unique()
    .execute()
  await db.schema
    .createIndex('wishes_under_way')
    .on('wishes')
    .column('lease_until')
    .where(sql.ref('state'), '=', sql.lit('sending'))
    .execute()
  await db.schema
    .createIndex('wishes_untold')
    .on('wishes')
    .column('telling_until')
    .where(sql.ref('state'), '=', sql.lit('settled'))
    .where(sql.ref('is_told'), '=', sql.lit(0))
    .execute()
  await db.schema.createIndex('wishes_asked_at').on('wishes').column('asked_at').execute()
  await db.schema
    .createIndex('wishes_of_sender')
    .on('wishes')
    .columns(['workspace_id', 'sender_id', 'asked_at'])
    .execute()
}

async function createSends(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sends')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('wish_id', 'text', (column) => column.notNull())
    .addColumn('n', 'integer', (column) => column.notNull())
    .addColumn('sender_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('write', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('joined_wish_id', 'text')
    .addColumn('joined_n', 'integer')
    .addColumn('is_standing', 'integer', (column) => column.notNull())
    .addColumn('asked_at', 'bigint', (column) => column.notNull())
    .addColumn('lease_until', 'bigint')
    .addColumn('settled_at', 'bigint')
    .addColumn('outcome', 'text')
    .addColumn('is_doubt_told', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('sends_key', ['workspace_id', 'wish_id', 'n'])
    .execute()
  // The one thing that keeps two processes from making equal requests at the same time.
  await db.schema
    .createIndex('sends_one_standing')
    .on('sends')
    .columns(['workspace_id', 'sender_id', 'fingerprint'])
    .where(sql.ref('is_standing'), '=', sql.lit(1))
    .unique()
    .execute()
  await db.schema
    .createIndex('sends_under_way')
    .on('sends')
    .column('lease_until')
    .where(sql.ref('state'), '=', sql.lit('sending'))
    .execute()
  await db.schema
    .createIndex('sends_of_sender')
    .on('sends')
    .columns(['workspace_id', 'sender_id', 'settled_at'])
    .execute()
  await db.schema.createIndex('sends_asked_at').on('sends').column('asked_at').execute()
}

// Places: grants of lists of people carry the list's id and the person's number; what else has such an id is no list's.

interface Place {
  readonly wishId: string
  readonly n: number
}

/** By `placeKey`, of every grant that a batch or an attempt has, or would have. */
type Places = ReadonlyMap<string, Place>

function placeKey(workspaceId: string, grantId: string): string {
  return JSON.stringify([workspaceId, grantId])
}

async function findPlaces(db: Kysely<Tables>): Promise<Places> {
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
interface List extends Key {
  readonly asked: Asked
  /** One for each person, in their order; some may not have been kept. */
  readonly grantIds: readonly string[]
}

/** JSON in the column `wish`. */
interface Asked {
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

// Batches.

interface BatchList {
  readonly batch: BatchRow
  readonly list: List
}

async function* batchesOf(db: Kysely<Tables>): AsyncGenerator<readonly BatchList[]> {
  const pieces = inPieces((after) =>
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

async function copyBatches(db: Kysely<Tables>, places: Places): Promise<void> {
  for await (const batches of batchesOf(db)) {
    const grants = await grantsOf(
      db,
      batches.map(({ list }) => list),
    )
    await keep(
      db,
      batches.map(({ batch, list }): Kept => {
        const wish = wishOf(batch)
        const isDoubtTold = hasBegunTelling(batch)
        return { wish, sends: sendsOf(wish, list, { grants, places, isDoubtTold }) }
      }),
    )
  }
}

// Attempts of approvals: each is a wish that the approver sends for the asker, and the approval tells what became of it.

interface AttemptList {
  readonly approval: ApprovalRow
  readonly attempt: number
  readonly list: List
}

async function* attemptsOf(db: Kysely<Tables>): AsyncGenerator<readonly AttemptList[]> {
  const pieces = inPieces((after) =>
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

async function copyAttempts(db: Kysely<Tables>, places: Places): Promise<void> {
  for await (const attempts of attemptsOf(db)) {
    const grants = await grantsOf(
      db,
      attempts.map(({ list }) => list),
    )
    await keep(
      db,
      attempts.flatMap((one): Kept[] => {
        const wish = attemptedWish(one, grants)
        if (wish === undefined) return []
        return [{ wish, sends: sendsOf(wish, one.list, { grants, places, isDoubtTold: true }) }]
      }),
    )
  }
}

/** Undefined where no grant is kept: it ended before it was asked, or was forgotten. */
function attemptedWish({ approval, attempt, list }: AttemptList, grants: Grants): WishRow | undefined {
  const own = list.grantIds.flatMap((id) => grants.get(placeKey(list.workspace_id, id)) ?? [])
  const [first] = own
  if (first === undefined) return undefined
  const isGranting = approval.state === 'granting' && approval.attempt === attempt
  const isSending = isGranting && own.some(({ state }) => state === 'sending' || state === 'asked')
  const settledAt = own.flatMap(({ settled_at }) => settled_at ?? [])
  return {
    ...{ workspace_id: list.workspace_id, id: list.id },
    ...{ sender_id: first.asker_id, asker_id: approval.asker_id },
    ...{ channel_id: first.channel_id, about: first.about },
    ...{ state: isSending ? 'sending' : 'settled', joined_id: null, follows_id: null, follows_as: null },
    asked_at: first.asked_at,
    lease_until: isSending ? approval.lease_until : null,
    settled_at: isSending || settledAt.length === 0 ? null : Math.max(...settledAt),
    ...{ is_told: 1, telling_until: null, is_shared: 0 },
  }
}

// Grants for one person.

async function copySingles(db: Kysely<Tables>, places: Places): Promise<void> {
  const pieces = inPieces((after) =>
    selectGrants(db)
      .where(({ refTuple, tuple, eb }) =>
        eb(refTuple('own.workspace_id', 'own.id'), '>', tuple(after.workspace_id, after.id)),
      )
      .orderBy('own.workspace_id')
      .orderBy('own.id')
      .limit(PIECE)
      .execute(),
  )
  for await (const grants of pieces) {
    const singles = grants.filter(({ workspace_id, id }) => !places.has(placeKey(workspace_id, id)))
    await keep(
      db,
      singles.map((grant): Kept => {
        const wish = singleWish(grant, places)
        const isDoubtTold = hasBegunTelling(grant)
        return { wish, sends: [sendOf(wish, 1, grant, { places, isDoubtTold })] }
      }),
    )
  }
}

function singleWish(grant: Grant, places: Places): WishRow {
  return hasJoinedOneOfSeveral(grant, places) ? besideOneOfSeveral(grant) : wishOf(grant)
}

/** True where no wish stands for the grant: what it joined is a part of one. */
function hasJoinedOneOfSeveral({ workspace_id, joined_id, standing_id }: Grant, places: Places): boolean {
  if (standing_id === null) return false
  const place = places.get(placeKey(workspace_id, standing_id))
  return place !== undefined && place.wishId !== joined_id
}

/** A wish whose send has joined another one's ends when that one does; who tells that one tells this one, too. */
function besideOneOfSeveral(grant: Grant): WishRow {
  const isSending = grant.standing_state === 'sending'
  return {
    ...wishOf(grant),
    ...{ state: isSending ? 'sending' : 'settled', joined_id: null },
    lease_until: isSending ? grant.standing_lease_until : null,
    settled_at: isSending ? null : grant.standing_settled_at,
    ...{ is_told: 1, telling_until: null },
  }
}

// A wish, from a batch or from a grant for one person.

function wishOf(row: FormerRow): WishRow {
  return {
    ...{ workspace_id: row.workspace_id, id: row.id, sender_id: row.asker_id, asker_id: row.asker_id },
    ...{ channel_id: row.channel_id, about: row.about },
    state: row.state === 'cancelled' && row.is_handed_over === 1 ? 'handed-over' : row.state,
    ...{ joined_id: row.joined_id, follows_id: null, follows_as: null },
    ...{ asked_at: row.asked_at, lease_until: row.lease_until, settled_at: row.settled_at },
    ...{ is_told: row.is_told, telling_until: tellingUntil(row), is_shared: row.is_shared },
  }
}

/** Older versions left the column empty when they settled a row, and told it themselves. */
function tellingUntil({ state, is_told, telling_until, lease_until, ...row }: FormerRow): number | null {
  if (telling_until !== null || state !== 'settled' || is_told === 1) return telling_until
  const settledAt = row.settled_at ?? row.asked_at
  // With a lease that ran out it has lapsed: nobody is behind it, and it is told at once.
  return lease_until === null ? settledAt + OLDER_TELLING_MS : settledAt
}

function hasBegunTelling({ is_told, telling_until }: FormerRow): boolean {
  return is_told === 1 || telling_until !== null
}

// Sends.

interface Reading {
  readonly places: Places
  /** Somebody may have been told what the row says, doubts included. */
  readonly isDoubtTold: boolean
}

function sendsOf(wish: WishRow, list: List, how: Reading & { readonly grants: Grants }): readonly SendRow[] {
  return list.asked.emails.map((email, index) => {
    const grant = how.grants.get(placeKey(wish.workspace_id, list.grantIds[index] ?? ''))
    return grant === undefined
      ? sendWithoutGrant(wish, index + 1, list.asked, email)
      : sendOf(wish, index + 1, grant, how)
  })
}

function sendOf(wish: WishRow, n: number, grant: Grant, { places, isDoubtTold }: Reading): SendRow {
  return {
    ...{ workspace_id: wish.workspace_id, wish_id: wish.id, n, sender_id: grant.asker_id, kind: 'add-user' },
    ...{ write: grant.request, fingerprint: grant.fingerprint },
    ...stateOf(wish, grant, places),
    ...{ is_standing: grant.is_standing, asked_at: grant.asked_at },
    ...{ lease_until: grant.lease_until, settled_at: grant.settled_at },
    ...outcomeOf(grant.outcome, isDoubtTold),
  }
}

function stateOf(
  wish: WishRow,
  { workspace_id, state, standing_id }: Grant,
  places: Places,
): Pick<SendRow, 'state' | 'joined_wish_id' | 'joined_n'> {
  const alone = { joined_wish_id: null, joined_n: null }
  switch (state) {
    case 'asked':
      return { ...alone, state: unsentIn(wish) }
    case 'cancelled':
      return { ...alone, state: 'never-sent' }
    case 'sending':
    case 'settled':
      return { ...alone, state }
    case 'joined': {
      // What it joined is forgotten.
      if (standing_id === null) return { ...alone, state: 'never-sent' }
      const { wishId, n } = places.get(placeKey(workspace_id, standing_id)) ?? { wishId: standing_id, n: 1 }
      return { state, joined_wish_id: wishId, joined_n: n }
    }
    default:
      return state satisfies never
  }
}

/** Somebody whose turn has not come. */
function unsentIn({ state }: WishRow): 'asked' | 'never-sent' {
  return state === 'asked' || state === 'sending' ? 'asked' : 'never-sent'
}

/** A doubt that has given way to what its sender knew was marked in the outcome itself. */
function outcomeOf(column: string | null, isTold: boolean): Pick<SendRow, 'outcome' | 'is_doubt_told'> {
  if (column === null) return { outcome: null, is_doubt_told: 0 }
  const { wasDoubted, ...outcome } = JSON.parse(column)
  if (wasDoubted === true) return { outcome: JSON.stringify(outcome), is_doubt_told: 1 }
  const isDoubt = outcome.kind === 'uncertain' && outcome.doubt === 'stopped'
  return { outcome: column, is_doubt_told: isDoubt && isTold ? 1 : 0 }
}

function sendWithoutGrant(wish: WishRow, n: number, asked: Asked, email: string): SendRow {
  const { containerId, authProvider, member, permissions } = asked
  const equal = [containerId, email, authProvider ?? null, member, permissions.toSorted()]
  return {
    ...{ workspace_id: wish.workspace_id, wish_id: wish.id, n, sender_id: wish.sender_id, kind: 'add-user' },
    write: JSON.stringify({ containerId, email, authProvider, member, permissions }),
    fingerprint: createHash('sha256').update(JSON.stringify(equal)).digest('base64url'),
    ...{ state: unsentIn(wish), joined_wish_id: null, joined_n: null, is_standing: 0 },
    ...{ asked_at: wish.asked_at, lease_until: null, settled_at: null, outcome: null, is_doubt_told: 0 },
  }
}

// Followers: their ids end with why they were asked again, and what is before that names the wish they follow.

/** Of several that follow one wish as the same, the first has followed it. */
async function linkFollowers(db: Kysely<Tables>): Promise<void> {
  const rows = await db
    .selectFrom('wishes')
    .select(['workspace_id', 'id'])
    .where(({ or, eb }) => or([eb('id', 'like', '%:rest'), eb('id', 'like', '%:again')]))
    .orderBy('asked_at')
    .orderBy('id')
    .execute()
  const taken = new Set<string>()
  for (const row of rows) {
    const follows = await followedBy(db, row)
    const key = JSON.stringify([row.workspace_id, follows])
    if (follows === undefined || taken.has(key)) continue
    taken.add(key)
    await db
      .updateTable('wishes')
      .set(follows)
      .where('workspace_id', '=', row.workspace_id)
      .where('id', '=', row.id)
      .execute()
  }
}

async function followedBy(db: Kysely<Tables>, { workspace_id, id }: Key) {
  const follows_as = id.endsWith(':rest') ? 'rest' : 'again'
  const candidates = idsBefore(id.slice(0, -`:${follows_as}`.length))
  const found = await db
    .selectFrom('wishes')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('id', 'in', candidates)
    .execute()
  const follows_id = candidates.find((candidate) => found.some((one) => one.id === candidate))
  return follows_id === undefined ? undefined : { follows_id, follows_as }
}

/** Likeliest first: several may have become one, and one is what was left of several. */
function idsBefore(rest: string): readonly string[] {
  const prefix = 'several:'
  const others = rest.startsWith(prefix) ? [rest.slice(prefix.length)] : []
  return [rest, `${prefix}${rest}`, ...others]
}

// Reading and writing in pieces.

/** @param read - Reads as many rows of a table as a piece has, in the order of their keys. */
async function* inPieces<Row extends Key>(
  read: (after: Key) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let after: Key | undefined = { workspace_id: '', id: '' }
  while (after !== undefined) {
    const rows: readonly Row[] = await read(after)
    yield rows
    after = rows.length < PIECE ? undefined : rows.at(-1)
  }
}

function pieces<One>(all: readonly One[]): readonly (readonly One[])[] {
  return Array.from({ length: Math.ceil(all.length / PIECE) }, (_, index) =>
    all.slice(index * PIECE, (index + 1) * PIECE),
  )
}

/** Grants, each beside the one it joined, as far as that is kept. */
function selectGrants(db: Kysely<Tables>) {
  return db
    .selectFrom('grants_until_0016 as own')
    .leftJoin('grants_until_0016 as standing', (join) =>
      join.onRef('standing.workspace_id', '=', 'own.workspace_id').onRef('standing.id', '=', 'own.joined_id'),
    )
    .selectAll('own')
    .select(['standing.id as standing_id', 'standing.state as standing_state'])
    .select(['standing.settled_at as standing_settled_at', 'standing.lease_until as standing_lease_until'])
}

type Grant = Awaited<ReturnType<ReturnType<typeof selectGrants>['execute']>>[number]
/** By `placeKey`. */
type Grants = ReadonlyMap<string, Grant>

/** The grants of these lists that are kept. */
async function grantsOf(db: Kysely<Tables>, lists: readonly List[]): Promise<Grants> {
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

/** One wish, ready to be written. */
interface Kept {
  readonly wish: WishRow
  readonly sends: readonly SendRow[]
}

async function keep(db: Kysely<Tables>, kept: readonly Kept[]): Promise<void> {
  for (const rows of pieces(kept.map(({ wish }) => wish)))
    await db.insertInto('wishes').values(rows).execute()
  for (const rows of pieces(kept.flatMap(({ sends }) => sends))) {
    await db.insertInto('sends').values(rows).execute()
  }
}
