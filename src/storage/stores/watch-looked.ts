// What a look at a live card leaves behind, and when the next one is due. The card is given back by the same statement.
import { type Expression, type Kysely, sql } from 'kysely'
import type { Watches } from '../../watch/watches.ts'
import { type Engine, fromNow } from '../engine.ts'
import { prepare, type Slots } from '../prepared.ts'
import type { Tables } from '../tables.ts'

/** What is known of the next look. */
type Next<Value> = {
  readonly pokes: Value
  readonly failures: Value
  readonly inMs: Value
  readonly askInMs: Value
}

type Quiet = Next<number> & { readonly workspaceId: string; readonly cardId: string; readonly owner: string }

export function lookedIn(db: Kysely<Tables>, engine: Engine): Watches['looked'] {
  /** When it was poked meanwhile, it is due as it was. */
  function givenBack({ pokes, failures, inMs, askInMs }: Next<number | Expression<number>>) {
    return {
      failures,
      ask_at: fromNow(engine, askInMs),
      due_at: sql<number>`case when pokes <> ${pokes} then due_at else ${fromNow(engine, inMs)} end`,
      lease_owner: null,
      lease_until: null,
    }
  }

  /** Nearly every look finds the alert as the card shows it. */
  const foundTheSame = prepare(db, (slot: Slots<Quiet>) =>
    db
      .updateTable('live_cards')
      .set({
        ...givenBack({
          pokes: slot('pokes'),
          failures: slot('failures'),
          inMs: slot('inMs'),
          askInMs: slot('askInMs'),
        }),
        true_at: engine.now(),
      })
      .where('workspace_id', '=', slot('workspaceId'))
      .where('card_id', '=', slot('cardId'))
      .where('lease_owner', '=', slot('owner')),
  )

  return async (owner, { workspaceId, cardId, pokes }, looked) => {
    const { drawn, seen, isTrue, failures, inMs, askInMs } = looked
    const next = { pokes, failures, inMs, askInMs }
    if (drawn === undefined && seen === undefined && isTrue) {
      await foundTheSame({ workspaceId, cardId, owner, ...next })
      return
    }
    await db
      .updateTable('live_cards')
      .set({
        ...givenBack(next),
        ...(drawn === undefined ? {} : { shown: JSON.stringify(drawn), drawn_at: engine.now() }),
        ...(seen === undefined ? {} : { seen: sql`case when pokes <> ${pokes} then null else ${seen} end` }),
        ...(isTrue ? { true_at: engine.now() } : {}),
      })
      .where('workspace_id', '=', workspaceId)
      .where('card_id', '=', cardId)
      .where('lease_owner', '=', owner)
      .execute()
  }
}
