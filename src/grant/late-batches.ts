// Batches whose sender died, or could not tell the result: what was not sent is given up, and the whole result is told in
// one direct message.
import type { Log } from '../log.ts'
import type { Outbound } from '../slack/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import { isUnreachable } from '../slack/refusals.ts'
import type { Batches } from './batches.ts'
import type { MarkTold } from './mark-told.ts'
import { renderLateSeveral } from './render-several.ts'
import type { WishOutcomes } from './wish-outcomes.ts'

/** @returns Looks once, and tells those that were left untold, or whose sender had `tellingMs` to tell them. */
export function createLateBatches(room: {
  readonly batches: Batches
  readonly outcomes: WishOutcomes
  readonly outbound: PerWorkspace<Pick<Outbound, 'post'>>
  readonly markTold: MarkTold
  readonly log: Log
}): (tellingMs: number) => Promise<void> {
  const { batches, outcomes, outbound, markTold, log } = room

  /** A live sender renews its lease, so nobody is behind these any more. */
  async function endLapsed(): Promise<void> {
    for (const { id, asker, wish } of await batches.lapsed()) {
      const people = await outcomes.conclude(asker, id, wish)
      // Otherwise the lease of one of its grants has not run out yet: it is looked at again.
      if (people !== undefined) await batches.settleLapsed(asker.workspaceId, id)
    }
  }

  return async (tellingMs) => {
    await endLapsed()
    for (const { id, asker, wish, about } of await batches.claimUntold(tellingMs, tellingMs)) {
      const people = await outcomes.find(asker, id, wish)
      if (people === undefined) continue
      await outcomes.record(asker, id, wish)
      try {
        await outbound.in(asker.workspaceId).post(asker.userId, renderLateSeveral(id, wish, people, about))
        await markTold(() => batches.told(asker.workspaceId, id))
      } catch (error) {
        // The others are told all the same; this one again when its claim has run out.
        log.warn({ err: error, user: asker.userId }, 'the result of a batch could not be told')
        if (isUnreachable(error)) await batches.told(asker.workspaceId, id)
      }
    }
  }
}
