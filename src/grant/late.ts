// Outcomes that could not be told at once: a sender that died leaves a grant that nobody can be certain of, one that
// died later, or could not tell it, leaves an outcome untold. All are told in a direct message.
import type { Audit } from '../audit/audit.ts'
import { every, type Repeated } from '../every.ts'
import type { Log } from '../log.ts'
import type { Outbound } from '../slack/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import { isUnreachable } from '../slack/refusals.ts'
import { auditEntry } from './audit-entry.ts'
import type { Grants } from './grants.ts'
import type { MarkTold } from './mark-told.ts'
import { renderLate } from './render.ts'

/** How long whoever sent a grant has to tell its outcome; Slack may ask to wait a minute, several times. */
const tellingMs = 300_000
const everyMs = 5_000

export function createLateOutcomes(room: {
  readonly grants: Grants
  readonly audit: Pick<Audit, 'record'>
  readonly outbound: PerWorkspace<Pick<Outbound, 'post'>>
  readonly markTold: MarkTold
  readonly log: Log
  /** The same for batches. */
  readonly lateBatches: (tellingMs: number) => Promise<void>
}): Repeated {
  const { grants, audit, outbound, markTold, log, lateBatches } = room

  async function tellAll(): Promise<void> {
    await grants.lapse()
    for (const grant of await grants.claimUntold(tellingMs, tellingMs)) {
      const { id, asker, request, outcome, about } = grant
      if (outcome === undefined) continue
      // A grant that lapsed was recorded by nobody, nor one whose sender died before it could.
      await audit.record(auditEntry(grant, outcome))
      try {
        await outbound.in(asker.workspaceId).post(asker.userId, renderLate(id, request, outcome, about))
        await markTold(() => grants.told(asker.workspaceId, id))
      } catch (error) {
        // The others are told all the same; this one again when its claim has run out.
        log.warn({ err: error, user: asker.userId }, 'the outcome of a grant could not be told')
        if (isUnreachable(error)) await grants.told(asker.workspaceId, id)
      }
    }
  }

  async function lookOnce(): Promise<void> {
    for (const tell of [tellAll, () => lateBatches(tellingMs)]) {
      try {
        await tell()
      } catch (error) {
        log.error({ err: error }, 'late outcomes could not be told; it is tried again')
      }
    }
  }

  return every(everyMs, lookOnce)
}
