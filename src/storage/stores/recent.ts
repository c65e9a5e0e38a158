// Recent doings of somebody, read from cards and wishes; and what the service refused them last.
import type { Kysely } from 'kysely'
import type { Evidence, GrantEnd, GrantedLately, LookedUp, Recent } from '../../home/recent.ts'
import type { Settled } from '../../send/outcome.ts'
import type { Send } from '../../send/wishes.ts'
import { type AddUser, asAddUser } from '../../send/writes.ts'
import type { SlackUser } from '../../slack/ids.ts'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'
import { landedAt, linkIn } from './alert/cards.ts'
import { settledIn, writeIn } from './send/columns.ts'
import { readSends, sendOf } from './send/sends.ts'

/** Rights are read from no more than so many grants. */
const mostSeen = 100
const granting = 'add-user' satisfies AddUser['kind']

export function recentIn(db: Kysely<Tables>, engine: Engine): Recent {
  return {
    lookUpsOf: lastLookUps,
    grantsOf: lastGrants,

    async containersOf(owner, most) {
      const rows = await settledSince(owner, 1)
      const there = rows.filter(({ outcome }) => !isNowhere(settledIn(outcome)))
      return [...new Set(there.map((row) => asAddUser(writeIn(row)).containerId))].slice(0, most)
    },

    async keysOf(owner, most) {
      const rows = await cardsOf(owner, most).select('ks').execute()
      return rows.map(({ ks }) => ks)
    },

    async evidenceOf(owner, since) {
      const found = await Promise.all([
        lastRead(owner, since),
        refusalsSince(owner, since),
        grantedSince(owner, since),
      ])
      return found.flat().toSorted((a, b) => b.at - a.at)
    },

    async refused({ workspaceId, userId }, { kind, ks }) {
      const refusal = { ks: ks ?? null, refused_at: engine.now() }
      await db
        .insertInto('refusals')
        .values({ workspace_id: workspaceId, user_id: userId, kind, ...refusal })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id', 'kind']).doUpdateSet(refusal))
        .execute()
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('refusals').where('workspace_id', '=', workspaceId).execute()
    },

    async prune(before) {
      await db.deleteFrom('refusals').where('refused_at', '<', before).execute()
    },
  }

  /** Cards that somebody asked for, newest first. */
  function cardsOf({ workspaceId, userId }: SlackUser, most: number) {
    return db
      .selectFrom('cards')
      .where('workspace_id', '=', workspaceId)
      .where('asker_id', '=', userId)
      .orderBy('kept_at', 'desc')
      .limit(most)
  }

  async function lastLookUps(owner: SlackUser, most: number): Promise<readonly LookedUp[]> {
    const rows = await cardsOf(owner, most)
      .select(['ks', 'title', 'kept_at', 'posted_channel_id', 'ts', 'thread_ts', 'link'])
      .execute()
    return rows.map(({ ks, title, kept_at: at, link, ...row }) => ({
      at,
      ks,
      title: title || ks,
      alertLink: linkIn(link),
      posted: landedAt(row),
    }))
  }

  async function lastRead(owner: SlackUser, since: number): Promise<readonly Evidence[]> {
    const rows = await cardsOf(owner, 1).select('kept_at').where('kept_at', '>=', since).execute()
    return rows.map((row) => ({ kind: 'read', at: row.kept_at }))
  }

  /** One that was about an alert is past when the same alert could be looked up afterwards. */
  async function refusalsSince(
    { workspaceId, userId }: SlackUser,
    since: number,
  ): Promise<readonly Evidence[]> {
    const rows = await db
      .selectFrom('refusals')
      .select(['kind', 'ks', 'refused_at'])
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .where('refused_at', '>=', since)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('cards')
              .select('id')
              .whereRef('cards.workspace_id', '=', 'refusals.workspace_id')
              .whereRef('cards.asker_id', '=', 'refusals.user_id')
              .whereRef('cards.ks', '=', 'refusals.ks')
              .whereRef('cards.kept_at', '>', 'refusals.refused_at'),
          ),
        ),
      )
      .execute()
    return rows.map(({ kind, ks, refused_at: at }) =>
      kind === 'refused' ? { kind, at } : { kind: 'not-read', at, ks: ks ?? undefined },
    )
  }

  async function lastGrants(
    { workspaceId, userId }: SlackUser,
    most: number,
  ): Promise<readonly GrantedLately[]> {
    const wishes = await db
      .selectFrom('wishes')
      .select(['id', 'asked_at'])
      .where('workspace_id', '=', workspaceId)
      .where('sender_id', '=', userId)
      .where('state', 'in', ['sending', 'settled'])
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('sends')
            .select('sends.n')
            .whereRef('sends.workspace_id', '=', 'wishes.workspace_id')
            .whereRef('sends.wish_id', '=', 'wishes.id')
            .where('sends.kind', '=', granting),
        ),
      )
      .orderBy('asked_at', 'desc')
      .limit(most)
      .execute()
    const found = await Promise.all(
      wishes.map(async ({ id, asked_at: at }): Promise<GrantedLately | undefined> => {
        const sends = (await readSends(db, workspaceId, id).execute()).map(sendOf)
        const [first] = sends
        if (first === undefined) return undefined
        const { containerId, permissions } = asAddUser(first.write)
        return { at, containerId, permissions, people: sends.map(personIn) }
      }),
    )
    return found.filter((one) => one !== undefined)
  }

  /** Grants that somebody’s token was used for, newest first. */
  function settledSince({ workspaceId, userId }: SlackUser, since: number) {
    return db
      .selectFrom('sends')
      .select(['kind', 'write', 'outcome', 'settled_at', 'asked_at'])
      .where('workspace_id', '=', workspaceId)
      .where('sender_id', '=', userId)
      .where('kind', '=', granting)
      .where('state', '=', 'settled')
      .where('settled_at', '>=', since)
      .orderBy('settled_at', 'desc')
      .limit(mostSeen)
      .execute()
  }

  /** Answers of the service to grants since then, newest first: they show what a token may. */
  async function grantedSince(owner: SlackUser, since: number): Promise<readonly Evidence[]> {
    const rows = await settledSince(owner, since)
    return rows.flatMap((row): Evidence[] => {
      const outcome = settledIn(row.outcome)
      const kind = outcome && shownBy(outcome)
      const at = row.settled_at ?? row.asked_at
      if (kind === undefined) return []
      return kind === 'refused'
        ? [{ kind, at }]
        : [{ kind, at, containerId: asAddUser(writeIn(row)).containerId }]
    })
  }
}

function personIn({ write, outcome }: Send): { readonly email: string; readonly end: GrantEnd } {
  return { email: asAddUser(write).email, end: outcome?.kind ?? 'under-way' }
}

function isNowhere(outcome: Settled | undefined): boolean {
  return outcome?.kind === 'not-done' && outcome.code === 'not-found'
}

/** Evidence of rights in an outcome; undefined where there is none. */
function shownBy(outcome: Settled): 'granted' | 'not-granted' | 'refused' | undefined {
  // What is there may be anybody's doing.
  if (outcome.kind === 'done') return outcome.on === 'unsaid' ? undefined : 'granted'
  if (outcome.kind === 'uncertain') return undefined
  if (outcome.code === 'refused') return 'refused'
  return outcome.code === 'forbidden' ? 'not-granted' : undefined
}
