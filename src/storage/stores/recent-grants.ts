// Somebody's last grants, and what they show of a token's rights.
import type { Kysely } from 'kysely'
import type { Evidence, GrantEnd, GrantedLately } from '../../home/recent.ts'
import type { Settled } from '../../send/outcome.ts'
import type { Send } from '../../send/wishes.ts'
import type { SlackUser } from '../../slack/ids.ts'
import type { Tables } from '../tables.ts'
import { readSends, sendOf, settledIn, writeIn } from './sends.ts'

/** Rights are read from no more than so many grants. */
const mostSeen = 100

/** Those that were sent, the last ones, in no order. */
export async function lastGrants(
  db: Kysely<Tables>,
  { workspaceId, userId }: SlackUser,
  most: number,
): Promise<readonly GrantedLately[]> {
  const wishes = await db
    .selectFrom('wishes')
    .select(['id', 'asked_at'])
    .where('workspace_id', '=', workspaceId)
    .where('sender_id', '=', userId)
    .where('state', 'in', ['sending', 'settled'])
    .orderBy('asked_at', 'desc')
    .limit(most)
    .execute()
  const found = await Promise.all(
    wishes.map(async ({ id, asked_at: at }): Promise<GrantedLately | undefined> => {
      const sends = (await readSends(db, workspaceId, id).execute()).map(sendOf)
      const [first] = sends
      if (first === undefined) return undefined
      const { containerId } = first.write
      return { kind: 'grant', at, containerId, people: sends.map(personIn) }
    }),
  )
  return found.filter((one) => one !== undefined)
}

function personIn({ write: { email }, outcome }: Send): { readonly email: string; readonly end: GrantEnd } {
  return { email, end: outcome?.kind ?? 'under-way' }
}

/** What the service said since then, newest first. */
export async function evidenceIn(
  db: Kysely<Tables>,
  { workspaceId, userId }: SlackUser,
  since: number,
): Promise<readonly Evidence[]> {
  const rows = await db
    .selectFrom('sends')
    .select(['write', 'outcome', 'settled_at', 'asked_at'])
    .where('workspace_id', '=', workspaceId)
    .where('sender_id', '=', userId)
    .where('state', '=', 'settled')
    .where('settled_at', '>=', since)
    .orderBy('settled_at', 'desc')
    .limit(mostSeen)
    .execute()
  return rows.flatMap((row): Evidence[] => {
    const outcome = settledIn(row.outcome)
    const kind = outcome && shownBy(outcome)
    const at = row.settled_at ?? row.asked_at
    if (kind === undefined) return []
    return kind === 'refused' ? [{ kind, at }] : [{ kind, at, containerId: writeIn(row.write).containerId }]
  })
}

/** Undefined for what tells nothing of rights. */
function shownBy(outcome: Settled): 'granted' | 'not-granted' | 'refused' | undefined {
  if (outcome.kind === 'granted') return 'granted'
  if (outcome.kind === 'uncertain') return undefined
  if (outcome.code === 'refused') return 'refused'
  return outcome.code === 'forbidden' ? 'not-granted' : undefined
}
