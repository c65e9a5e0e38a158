// Grants access: at most one POST per intent, and an honest word about what became of it.
// Every surface comes through here. It must not know Slack.
import type { Audit } from '../audit/audit.ts'
import type { Monitor } from '../monitor/client.ts'
import type { SlackUser } from '../slack/ids.ts'
import { leaseMs } from '../work/lease.ts'
import { auditEntry } from './audit-entry.ts'
import type { Grant, GrantOutcome, Grants } from './grants.ts'
import type { OutcomeOf } from './outcome-of.ts'

/** An equal request of the same person within this time joins the one before: a double press, not a new wish. */
export const joinMs = 10_000

export type Granted =
  /** `isJoined`: an equal grant of the same person stands for this one; nothing more was sent. */
  | {
      readonly kind: 'settled'
      readonly grant: Grant
      readonly outcome: GrantOutcome
      readonly isJoined: boolean
      /** Others took this sender for dead, and the asker may have been told that it is not certain. */
      readonly wasDoubted: boolean
    }
  /** This very intent is done or under way elsewhere, where its outcome is told. */
  | { readonly kind: 'repeated'; readonly grant: Grant }
  /** It does not wait any more: cancelled, or asked too long ago. */
  | { readonly kind: 'gone' }

/**
 * Sends the grant that waits under this id, unless it was sent before.
 * @param how.askedAfter - Older ones are gone. Milliseconds since 1970.
 * @param how.joins - False for what is asked again on purpose: it joins an equal grant that is under way, but none
 *   that is settled.
 * @param how.isToldElsewhere - Its outcome is part of something else that is told; as for `NewGrant`.
 * @param how.onSending - Runs beside the request; the outcome waits for it.
 */
export type GrantAccess = (
  asker: SlackUser,
  token: string,
  id: string,
  how: {
    readonly askedAfter: number
    readonly joins: boolean
    readonly askerId?: string | undefined
    readonly isToldElsewhere?: boolean
    readonly onSending: (grant: Grant) => Promise<void>
  },
) => Promise<Granted>

export function createGrantAccess(room: {
  readonly grants: Grants
  readonly monitor: Pick<Monitor, 'addUser'>
  readonly outcomeOf: OutcomeOf
  readonly audit: Pick<Audit, 'record'>
}): GrantAccess {
  const { grants, monitor, outcomeOf, audit } = room

  async function send(
    token: string,
    grant: Grant,
    how: { readonly askerId?: string | undefined; readonly isToldElsewhere?: boolean },
  ): Promise<{ readonly outcome: GrantOutcome; readonly wasDoubted: boolean }> {
    const { containerId, ...user } = grant.request
    const outcome = await monitor.addUser(token, containerId, user)
    const tellingMs = how.isToldElsewhere ? undefined : leaseMs
    const { wasDoubted } = await grants.settle(grant.asker.workspaceId, grant.id, outcome, tellingMs)
    await audit.record(auditEntry(grant, outcome, how.askerId))
    return { outcome, wasDoubted }
  }

  return async (asker, token, id, { askedAfter, joins, onSending, ...how }) => {
    const begun = await grants.begin(asker, id, { leaseMs, joinMs: joins ? joinMs : 0, askedAfter })
    switch (begun.kind) {
      case 'begun': {
        const { grant } = begun
        const [sent] = await Promise.all([send(token, grant, how), onSending(grant)])
        return { kind: 'settled', grant, ...sent, isJoined: false }
      }
      case 'gone':
        return { kind: 'gone' }
      case 'joined': {
        if (begun.grant.id === id) return { kind: 'repeated', grant: begun.grant }
        const outcome = await outcomeOf(begun.grant)
        // Joined to one that was forgotten meanwhile, with its whole workspace: there is nobody to tell.
        if (outcome === undefined) return { kind: 'repeated', grant: begun.grant }
        return { kind: 'settled', grant: begun.grant, outcome, isJoined: true, wasDoubted: false }
      }
      default:
        return begun satisfies never
    }
  }
}
