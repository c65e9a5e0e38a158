// Migration 0017: wishes and their sends take the place of grants and batches, and everything that was asked becomes one of them.
// Never edited once released: changes are further migrations.
//
// Former rows                                      become
// a batch, with the grant of each person           a wish with a send for each person
// an attempt of an approval, with its grants       a wish with a send for each person, told elsewhere
// any other grant                                  a wish with one send
//
// Buttons in Slack carry ids of wishes, so a wish keeps the id it had.
import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import {
  type Asked,
  type AttemptList,
  attemptsOf,
  batchesOf,
  findPlaces,
  type Grant,
  type Grants,
  grantsOf,
  type List,
  PIECE,
  type Places,
  pieces,
  placeKey,
  readInPieces,
  selectGrants,
} from './former-grants.ts'
import {
  createSends,
  createWishes,
  type FormerRow,
  type Key,
  type SendRow,
  setAside,
  type TablesAt17,
  type WishRow,
} from './wishes-tables.ts'

export const wishes: Migration = {
  async up(db: Kysely<unknown>) {
    await setAside(db)
    await createWishes(db)
    await createSends(db)
    const tables = db.withTables<TablesAt17>()
    const places = await findPlaces(tables)
    await copyBatches(tables, places)
    await copyAttempts(tables, places)
    await copySingles(tables, places)
    await linkFollowers(tables)
  },
}

/** A row that an older version settled says nothing of its teller, who may be waiting for Slack for so long. */
const OLDER_TELLING_MS = 300_000

// Batches.

async function copyBatches(db: Kysely<TablesAt17>, places: Places): Promise<void> {
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

// Attempts of approvals.

async function copyAttempts(db: Kysely<TablesAt17>, places: Places): Promise<void> {
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

async function copySingles(db: Kysely<TablesAt17>, places: Places): Promise<void> {
  const pieces = readInPieces((after) =>
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

/** JSON in the column `outcome`. */
interface FormerOutcome {
  readonly kind: string
  readonly doubt?: string
  readonly wasDoubted?: boolean
}

/** A doubt that has given way to what its sender knew was marked in the outcome itself. */
function outcomeOf(column: string | null, isTold: boolean): Pick<SendRow, 'outcome' | 'is_doubt_told'> {
  if (column === null) return { outcome: null, is_doubt_told: 0 }
  const { wasDoubted, ...outcome }: FormerOutcome = JSON.parse(column)
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
async function linkFollowers(db: Kysely<TablesAt17>): Promise<void> {
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

async function followedBy(db: Kysely<TablesAt17>, { workspace_id, id }: Key) {
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

/** One wish, ready to be written. */
interface Kept {
  readonly wish: WishRow
  readonly sends: readonly SendRow[]
}

async function keep(db: Kysely<TablesAt17>, kept: readonly Kept[]): Promise<void> {
  for (const rows of pieces(kept.map(({ wish }) => wish)))
    await db.insertInto('wishes').values(rows).execute()
  for (const rows of pieces(kept.flatMap(({ sends }) => sends))) {
    await db.insertInto('sends').values(rows).execute()
  }
}
