// Direct messages to watchers in the database: what each was last told of an alert, on whichever of its cards.
import type { Kysely } from 'kysely'
import type { DirectNews, Watches } from '../../../watch/watches.ts'
import { didChange, type Engine, fromNow } from '../../engine.ts'
import type { Tables } from '../../tables.ts'
import { cardsOfSameAlert } from './cards.ts'

type Tellings = Pick<
  Watches,
  'claimTelling' | 'settleTelling' | 'releaseTelling' | 'keepLevel' | 'keepToThread'
>

export function directNewsIn(db: Kysely<Tables>, engine: Engine): Tellings {
  return {
    async claimTelling(telling, forMs) {
      const { workspaceId, cardId, userId, to } = telling
      return didChange(
        ofPerson(telling)
          .set({ told_level: to, telling_until: fromNow(engine, forMs) })
          .where('is_thread_only', '=', 0)
          .where((where) =>
            where.or([where('telling_until', '<=', engine.now()), where('told_level', '>', to)]),
          )
          // Another card of that alert has told them so.
          .where(({ not, exists }) =>
            not(
              exists(
                db
                  .selectFrom('watches as other')
                  .select('other.card_id')
                  .where('other.workspace_id', '=', workspaceId)
                  .where('other.user_id', '=', userId)
                  .where('other.card_id', 'in', sameAlert(workspaceId, cardId))
                  .where('other.told_level', '<=', to)
                  .where((where) =>
                    where.or([
                      where('other.telling_until', 'is', null),
                      where('other.telling_until', '>', engine.now()),
                    ]),
                  ),
              ),
            ),
          ),
      )
    },

    async settleTelling(telling) {
      await ofPerson(telling).set({ telling_until: null }).where('told_level', '=', telling.to).execute()
    },

    async releaseTelling(telling) {
      await ofPerson(telling)
        .set({ told_level: telling.from, telling_until: null })
        .where('told_level', '=', telling.to)
        .where('telling_until', 'is not', null)
        .execute()
    },

    async keepLevel({ workspaceId, cardId }, userIds, level, where) {
      if (userIds.length === 0) return
      const ofThese = db
        .updateTable('watches')
        .set({ told_level: level, telling_until: null })
        .where('workspace_id', '=', workspaceId)
        .where('user_id', 'in', [...userIds])
      await ofThese.where('card_id', '=', cardId).execute()
      if (where === 'card') return
      await ofThese
        .where('card_id', 'in', sameAlert(workspaceId, cardId))
        .where('ended', 'is', null)
        .where((one) => one.or([one('telling_until', 'is', null), one('telling_until', '<=', engine.now())]))
        .execute()
    },

    async keepToThread({ workspaceId, userId }, cardId) {
      return didChange(ofPerson({ workspaceId, cardId, userId }).set({ is_thread_only: 1 }))
    },
  }

  /** Somebody's running watches of the alert that a card is of. */
  function ofPerson({ workspaceId, cardId, userId }: Pick<DirectNews, 'workspaceId' | 'cardId' | 'userId'>) {
    return db
      .updateTable('watches')
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .where('ended', 'is', null)
      .where('card_id', 'in', sameAlert(workspaceId, cardId))
  }

  function sameAlert(workspaceId: string, cardId: string) {
    return cardsOfSameAlert(db, workspaceId, cardId)
  }
}
