// Closed alerts in the database that may open again: one document for each card, for a quarter of an hour.
import type { Kysely } from 'kysely'
import type { Reopening, Reopenings } from '../../act/follow.ts'
import { docsOf } from '../docs.ts'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

interface Kept extends Reopening {
  /** Of the card. */
  readonly id: string
  readonly until: number
  readonly dueAt: number
}

export function reopeningsIn(db: Kysely<Tables>, engine: Engine): Reopenings {
  const docs = docsOf<Kept>(db, engine, 'reopening', ({ userId, dueAt }) => ({
    ...{ ownerId: userId, ref: '', claim: null, dueAt },
  }))
  const keyOf = ({ workspaceId, cardId: id }: Reopening) => ({ workspaceId, id })
  return {
    async keep(one, { forMs, inMs }) {
      const { workspaceId, userId, cardId } = one
      const make = (now: number): Kept => ({
        ...{ id: cardId, workspaceId, userId, cardId },
        ...{ until: now + forMs, dueAt: now + inMs },
      })
      if (!(await docs.insert(make))) await docs.change(keyOf(one), (_, now) => make(now))
    },
    renew: async (one, ms) =>
      void (await docs.change(keyOf(one), (kept, now) => ({ ...kept, dueAt: now + ms }))),
    end: async (one) => void (await docs.drop(keyOf(one))),
    endAllOf: docs.forget,
    async claim(leaseMs) {
      const taken = await docs.takeDue((kept, now) =>
        kept.until <= now ? 'gone' : { ...kept, dueAt: now + leaseMs },
      )
      return taken.map(({ workspaceId, userId, cardId }) => ({ workspaceId, userId, cardId }))
    },
    forgetWorkspace: docs.forgetWorkspace,
  }
}
