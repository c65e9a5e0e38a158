// Somebody's last grants, those to several people as one, and what they show of a token's rights.
import type { Kysely } from 'kysely'
import type { Batch } from '../../grant/batches.ts'
import { severalPrefix } from '../../grant/granting-steps.ts'
import type { GrantOutcome, GrantState } from '../../grant/grants.ts'
import { grantsOf } from '../../grant/wishes.ts'
import type { Evidence, GrantEnd, GrantedLately } from '../../home/recent.ts'
import type { SlackUser } from '../../slack/ids.ts'
import type { Tables } from '../tables.ts'
import { batchOf } from './batch-rows.ts'
import { grantOf, outcomeOf } from './grant-rows.ts'

/** Rights are read from no more than so many grants. */
const mostSeen = 100

/** Those that were sent, in no order: the last of each kind. */
export async function lastGrants(
  db: Kysely<Tables>,
  owner: SlackUser,
  most: number,
): Promise<readonly GrantedLately[]> {
  return (await Promise.all([lastSingle(db, owner, most), lastSeveral(db, owner, most)])).flat()
}

async function lastSingle(
  db: Kysely<Tables>,
  { workspaceId, userId }: SlackUser,
  most: number,
): Promise<readonly GrantedLately[]> {
  const rows = await db
    .selectFrom('grants')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('asker_id', '=', userId)
    .where('state', 'in', ['sending', 'settled'])
    .where('id', 'not like', `${severalPrefix}%`)
    .orderBy('asked_at', 'desc')
    .limit(most)
    .execute()
  return rows.map((row) => {
    const { request, state, outcome } = grantOf(row)
    const people = [{ email: request.email, end: endOf(state, outcome) }]
    return { kind: 'grant', at: row.asked_at, containerId: request.containerId, people }
  })
}

async function lastSeveral(
  db: Kysely<Tables>,
  owner: SlackUser,
  most: number,
): Promise<readonly GrantedLately[]> {
  const { workspaceId, userId } = owner
  const rows = await db
    .selectFrom('batches')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('asker_id', '=', userId)
    .where('state', 'in', ['sending', 'settled'])
    .orderBy('asked_at', 'desc')
    .limit(most)
    .execute()
  const batches = rows.map(batchOf)
  const ends = await endsOf(
    db,
    workspaceId,
    batches.flatMap(membersOf).map(({ id }) => id),
  )
  return batches.map((batch) => ({
    kind: 'grant',
    at: batch.askedAt,
    containerId: batch.wish.containerId,
    people: membersOf(batch).map(({ id, request }) => ({
      email: request.email,
      end: ends.get(id) ?? (batch.state === 'sending' ? 'under-way' : 'not-sent'),
    })),
  }))
}

function membersOf({ id, wish, asker, channelId }: Batch) {
  return grantsOf(id, wish, { asker, channelId })
}

/** What became of these, by their own id; what joined another ended as that one did. */
async function endsOf(
  db: Kysely<Tables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, GrantEnd>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('grants')
    .leftJoin('grants as standing', (join) =>
      join
        .onRef('standing.workspace_id', '=', 'grants.workspace_id')
        .onRef('standing.id', '=', 'grants.joined_id'),
    )
    .select(['grants.id', 'grants.state', 'grants.outcome'])
    .select(['standing.state as standing_state', 'standing.outcome as standing_outcome'])
    .where('grants.workspace_id', '=', workspaceId)
    .where('grants.id', 'in', ids)
    .execute()
  return new Map(
    rows.flatMap((row): [string, GrantEnd][] => {
      const state = row.state === 'joined' ? row.standing_state : row.state
      const outcome = row.state === 'joined' ? row.standing_outcome : row.outcome
      // What it joined is forgotten, or was never sent itself.
      if (state === null || state === 'joined') return []
      return [[row.id, endOf(state, outcomeOf(outcome))]]
    }),
  )
}

function endOf(state: GrantState, outcome: GrantOutcome | undefined): GrantEnd {
  if (outcome !== undefined) return outcome.kind
  return state === 'cancelled' ? 'not-sent' : 'under-way'
}

/** What the service said since then, newest first. */
export async function evidenceIn(
  db: Kysely<Tables>,
  { workspaceId, userId }: SlackUser,
  since: number,
): Promise<readonly Evidence[]> {
  const rows = await db
    .selectFrom('grants')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('asker_id', '=', userId)
    .where('state', '=', 'settled')
    .where('settled_at', '>=', since)
    .orderBy('asked_at', 'desc')
    .limit(mostSeen)
    .execute()
  return rows.flatMap((row): Evidence[] => {
    const { request, outcome } = grantOf(row)
    const kind = outcome && shownBy(outcome)
    const at = row.settled_at ?? row.asked_at
    if (kind === undefined) return []
    return kind === 'refused' ? [{ kind, at }] : [{ kind, at, containerId: request.containerId }]
  })
}

/** Undefined for what tells nothing of rights. */
function shownBy(outcome: GrantOutcome): 'granted' | 'not-granted' | 'refused' | undefined {
  if (outcome.kind === 'granted') return 'granted'
  if (outcome.kind === 'uncertain') return undefined
  if (outcome.code === 'refused') return 'refused'
  return outcome.code === 'forbidden' ? 'not-granted' : undefined
}
