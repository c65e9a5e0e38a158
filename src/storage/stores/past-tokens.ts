// Fingerprints of tokens that people gave up, in the database.
import { type Kysely, sql } from 'kysely'
import { type Fingerprint, keyIdOf } from '../../account/fingerprint.ts'
import type { PastTokens } from '../../account/past-tokens.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { type Engine, fromNow } from '../engine.ts'
import type { Tables } from '../tables.ts'

export function pastTokensIn(db: Kysely<Tables>, engine: Engine): PastTokens {
  function of(people: readonly SlackUser[]) {
    const [first] = people
    // All of them are of the workspace in which something is asked.
    const userIds = people.map(({ userId }) => userId)
    return db
      .selectFrom('past_tokens')
      .select('user_id')
      .where('workspace_id', '=', first?.workspaceId ?? '')
      .where('user_id', 'in', userIds)
      .limit(1)
  }

  return {
    async compare(people, made) {
      if (people.length === 0) return 'other'
      if ((await of(people).where('fingerprint', 'in', made).executeTakeFirst()) !== undefined) return 'same'
      const known = made.map(keyIdOf)
      const lost = await of(people).where('key_id', 'not in', known).executeTakeFirst()
      return lost === undefined ? 'other' : 'unknown'
    },

    async prune(ttlMs) {
      await db
        .deleteFrom('past_tokens')
        .where('given_up_at', '<=', fromNow(engine, -ttlMs))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('approvals')
                .select('approvals.id')
                .whereRef('approvals.workspace_id', '=', 'past_tokens.workspace_id')
                .where('approvals.is_open', '=', sql.lit(1))
                .whereRef('approvals.asked_at', '<', sql<number>`past_tokens.given_up_at + ${ttlMs}`)
                .where((or) =>
                  or.or([
                    or('approvals.asker_id', '=', or.ref('past_tokens.user_id')),
                    // JSON that holds the ids of the recipients, which are letters and digits.
                    or('approvals.barred', 'like', sql<string>`'%"' || past_tokens.user_id || '"%'`),
                  ]),
                ),
            ),
          ),
        )
        .execute()
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('past_tokens').where('workspace_id', '=', workspaceId).execute()
    },
  }
}

/** Marks a token as one that its owner had. Marked again, it counts from now. */
export async function giveUp(
  db: Kysely<Tables>,
  engine: Engine,
  { workspaceId, userId }: SlackUser,
  fingerprint: Fingerprint,
): Promise<void> {
  const given_up_at = engine.now()
  await db
    .insertInto('past_tokens')
    .values({
      workspace_id: workspaceId,
      user_id: userId,
      fingerprint,
      key_id: keyIdOf(fingerprint),
      given_up_at,
    })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'user_id', 'fingerprint']).doUpdateSet({ given_up_at }),
    )
    .execute()
}
