// Outcomes that could not be told at once: a sender that died leaves a grant that nobody can be certain of, one that
// died later, or could not tell it, leaves an outcome untold. Whichever process lives tells them in a direct message.
import type { Audit } from '../audit/audit.ts'
import type { Log } from '../log/log.ts'
import { isUnreachable } from '../slack/client/refusals.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import { leaseMs, tellEach } from '../work/lease.ts'
import { every, type Repeated } from '../work/repeat.ts'
import { auditEntry } from './audit-entry.ts'
import type { Grant, Grants } from './grants.ts'
import type { MarkTold } from './mark-told.ts'
import { renderLate } from './render.ts'
import type { Tally } from './tally.ts'

const everyMs = 5_000
/** Before one that could not be told is tried again. */
export const pauseMs = 300_000

export function createLateOutcomes(room: {
  readonly grants: Grants
  readonly audit: Pick<Audit, 'record'>
  readonly outbound: PerWorkspace<Pick<Outbound, 'post'>>
  readonly markTold: MarkTold
  readonly tally: Tally
  readonly log: Log
  /** The same for batches. */
  readonly lateBatches: () => Promise<void>
}): Repeated {
  const { grants, audit, outbound, markTold, tally, log, lateBatches } = room

  async function tell(grant: Grant): Promise<void> {
    const { id, asker, request, outcome, about, wasDoubted } = grant
    if (outcome === undefined) return
    // A grant that lapsed was recorded by nobody, nor one whose sender died before it could.
    await audit.record(auditEntry(grant, outcome))
    const told = () => grants.told(asker.workspaceId, id, outcome)
    const count = () => tally([{ email: request.email, outcome, wasDoubted }], { lateTo: asker })
    try {
      const message = renderLate(id, request, outcome, { about, wasDoubted })
      await outbound.in(asker.workspaceId).post(asker.userId, message)
      if (await markTold(told)) count()
    } catch (error) {
      // The others are told all the same.
      log.failedJob('warn', { err: error, user: asker.userId }, 'the outcome of a grant could not be told')
      if (!isUnreachable(error)) await grants.renewTelling(asker.workspaceId, id, pauseMs)
      else if (await told()) count()
    }
  }

  async function tellAll(): Promise<void> {
    await grants.lapse()
    await tellEach(await grants.claimUntold(leaseMs), tell, ({ asker, id }) =>
      grants.renewTelling(asker.workspaceId, id, leaseMs),
    )
  }

  async function lookOnce(): Promise<void> {
    for (const tell of [tellAll, lateBatches]) {
      try {
        await tell()
      } catch (error) {
        log.failedJob('error', { err: error }, 'late outcomes could not be told; it is tried again')
      }
    }
  }

  return every(everyMs, lookOnce)
}
