// Batches whose sender died, or could not tell the result: what was not sent is given up, and the whole result is told in
// one direct message.

import type { Log } from '../log/log.ts'
import { isUnreachable } from '../slack/client/refusals.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import { leaseMs, tellEach } from '../work/lease.ts'
import type { Batch, Batches } from './batches.ts'
import type { MarkTold } from './mark-told.ts'
import { renderLateSeveral } from './render-several.ts'
import type { Tally } from './tally.ts'
import type { WishOutcomes } from './wish-outcomes.ts'

/**
 * @param room.pauseMs - Before one that could not be told is tried again.
 * @returns Looks once, and tells those that were left untold, or whose teller has fallen silent.
 */
export function createLateBatches(room: {
  readonly batches: Batches
  readonly outcomes: WishOutcomes
  readonly outbound: PerWorkspace<Pick<Outbound, 'post'>>
  readonly markTold: MarkTold
  readonly tally: Tally
  readonly log: Log
  readonly pauseMs: number
}): () => Promise<void> {
  const { batches, outcomes, outbound, markTold, tally, log, pauseMs } = room

  /** A live sender renews its lease, so nobody is behind these any more. */
  async function endLapsed(): Promise<void> {
    for (const { id, asker, wish } of await batches.lapsed()) {
      const people = await outcomes.conclude(asker, id, wish)
      // Otherwise the lease of one of its grants has not run out yet: it is looked at again.
      if (people !== undefined) await batches.settleLapsed(asker.workspaceId, id)
    }
  }

  async function tell({ id, asker, wish, about }: Batch): Promise<void> {
    const people = await outcomes.find(asker, id, wish)
    if (people === undefined) return
    await outcomes.record(asker, id, wish)
    const told = () => batches.told(asker.workspaceId, id)
    try {
      await outbound.in(asker.workspaceId).post(asker.userId, renderLateSeveral(id, wish, people, about))
      if (await markTold(told)) tally(people, { lateTo: asker })
    } catch (error) {
      // The others are told all the same.
      log.failedJob('warn', { err: error, user: asker.userId }, 'the result of a batch could not be told')
      if (!isUnreachable(error)) await batches.renewTelling(asker.workspaceId, id, pauseMs)
      else if (await told()) tally(people, { lateTo: asker })
    }
  }

  return async () => {
    await endLapsed()
    await tellEach(await batches.claimUntold(leaseMs), tell, ({ asker, id }) =>
      batches.renewTelling(asker.workspaceId, id, leaseMs),
    )
  }
}
