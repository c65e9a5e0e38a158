// Grants access: at most one POST per intent, and an honest word about what became of it.
// Every surface comes through here. It must not know Slack.
import type { Audit } from '../audit/audit.ts'
import type { Monitor } from '../monitor/client.ts'
import type { SlackUser } from '../slack/ids.ts'
import { auditEntry } from './audit-entry.ts'
import type { Grant, GrantOutcome, Grants } from './grants.ts'
import type { OutcomeOf } from './outcome-of.ts'

/** A sender that is silent for longer than this is taken for dead: 8 s for the service, 10 s for a locked
 * database before it and 10 s after. */
const leaseMs = 30_000
/** An equal request of the same person within this time joins the one before: a double press, not a new wish. */
export const joinMs = 10_000

export type Granted =
  /** `isJoined`: an equal grant of the same person stands for this one; nothing more was sent. */
  | {
      readonly kind: 'settled'
      readonly grant: Grant
      readonly outcome: GrantOutcome
      readonly isJoined: boolean
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

  async function send(token: string, grant: Grant, askerId: string | undefined): Promise<GrantOutcome> {
    const { containerId, ...user } = grant.request
    const outcome = await monitor.addUser(token, containerId, user)
    await grants.settle(grant.asker.workspaceId, grant.id, outcome)
    await audit.record(auditEntry(grant, outcome, askerId))
    return outcome
  }

  return async (asker, token, id, { askedAfter, joins, askerId, onSending }) => {
    const begun = await grants.begin(asker, id, { leaseMs, joinMs: joins ? joinMs : 0, askedAfter })
    switch (begun.kind) {
      case 'begun': {
        const { grant } = begun
        const [outcome] = await Promise.all([send(token, grant, askerId), onSending(grant)])
        return { kind: 'settled', grant, outcome, isJoined: false }
      }
      case 'gone':
        return { kind: 'gone' }
      case 'joined': {
        if (begun.grant.id === id) return { kind: 'repeated', grant: begun.grant }
        const outcome = await outcomeOf(begun.grant)
        // Joined to one that was forgotten meanwhile, with its whole workspace: there is nobody to tell.
        if (outcome === undefined) return { kind: 'repeated', grant: begun.grant }
        return { kind: 'settled', grant: begun.grant, outcome, isJoined: true }
      }
      default:
        return begun satisfies never
    }
  }
}
