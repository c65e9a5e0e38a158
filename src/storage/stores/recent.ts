// Recent doings of somebody, read from cards and wishes.
import type { Kysely } from 'kysely'
import type { Card } from '../../alert/cards.ts'
import type { GrantEnd, GrantedLately, LookedUp, Recent } from '../../home/recent.ts'
import type { Settled } from '../../send/outcome.ts'
import type { Send } from '../../send/wishes.ts'
import { type AddUser, asAddUser } from '../../send/writes.ts'
import type { SlackUser } from '../../slack/ids.ts'
import type { docsOf } from '../docs.ts'
import type { Tables } from '../tables.ts'
import { settledIn, writeIn } from './send/columns.ts'
import { readSends, sendOf } from './send/sends.ts'

/** Containers are read from no more than so many grants. */
const mostSeen = 100
/** And from no more than so many cards. */
const mostCards = 30
const granting = 'add-user' satisfies AddUser['kind']

export function recentIn(db: Kysely<Tables>, cards: Pick<ReturnType<typeof docsOf<Card>>, 'list'>): Recent {
  return {
    lookUpsOf: lastLookUps,
    grantsOf: lastGrants,

    async containersOf({ workspaceId, userId }, most) {
      const rows = await db
        .selectFrom('sends')
        .select(['kind', 'write', 'outcome'])
        .where('workspace_id', '=', workspaceId)
        .where('sender_id', '=', userId)
        .where('kind', '=', granting)
        .where('state', '=', 'settled')
        .orderBy('settled_at', 'desc')
        .limit(mostSeen)
        .execute()
      const there = rows.filter(({ outcome }) => !isNowhere(settledIn(outcome)))
      const ofGrants = there.map((row) => asAddUser(writeIn(row)).containerId)
      const looked = await cardsOf({ workspaceId, userId }, mostCards)
      const ofCards = looked.flatMap(({ names }) => names?.container?.id ?? [])
      return [...new Set([...ofCards, ...ofGrants])].slice(0, most)
    },

    async keysOf(owner, most) {
      const looked = await cardsOf(owner, most)
      return looked.map(({ ks }) => ks)
    },
  }

  /** Cards that somebody asked for, newest first. */
  function cardsOf({ workspaceId, userId }: SlackUser, most: number) {
    return cards.list({ workspaceId, ownerId: userId, newest: most })
  }

  async function lastLookUps(owner: SlackUser, most: number): Promise<readonly LookedUp[]> {
    const looked = await cardsOf(owner, most)
    return looked.map(({ at, ks, title, link: alertLink, posted }) => ({ at, ks, title, alertLink, posted }))
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
}

function personIn({ write, outcome }: Send): { readonly email: string; readonly end: GrantEnd } {
  return { email: asAddUser(write).email, end: outcome?.kind ?? 'under-way' }
}

function isNowhere(outcome: Settled | undefined): boolean {
  return outcome?.kind === 'not-done' && outcome.code === 'not-found'
}
