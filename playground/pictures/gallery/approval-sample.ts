// The request for approval that the gallery tells about. Data only.
import type { Approval, ApprovalEnding } from '../../../src/approval/approvals.ts'
import { defaultRoles } from '../../../src/grant/roles.ts'
import type { SendOutcome } from '../../../src/send/outcome.ts'
import { asOf, dave, onCallId, wishFor } from './sample.ts'

/** How cards look here. */
export const look = { roles: defaultRoles }
/** What messages about the request point to. */
export const pointers = { ...look, link: `https://acme.slack.com/archives/${onCallId}/p12` }

/** Bob's request for dave, as it was asked a moment ago. */
export function request(changes: Partial<Approval> = {}): Approval {
  return {
    ...{ workspaceId: 'T1', id: 'request' },
    asker: { workspaceId: 'T1', userId: 'U2' },
    askerName: 'bob',
    access: wishFor(),
    container: undefined,
    reason: 'Dave is on call from tonight and has to see the alerts of the shop.',
    barred: { asker: undefined, recipientIds: [], recipients: [] },
    channelId: onCallId,
    threadTs: undefined,
    state: 'requested',
    attempt: 0,
    approver: undefined,
    ending: undefined,
    tried: undefined,
    until: (asOf + 24 * 60 * 60) * 1000,
    card: { channelId: onCallId, ts: '1.2', mentioned: [] },
    version: 1,
    toTell: [],
    endedAt: undefined,
    ...changes,
  }
}

export const carol = { userId: 'U3', name: 'carol' }

export function ended(ending: ApprovalEnding, changes: Partial<Approval> = {}): Approval {
  return request({ state: 'ended', approver: carol, ending, endedAt: (asOf - 120) * 1000, ...changes })
}

export function approved(outcome: SendOutcome): Approval {
  return ended({ kind: 'approved', results: [{ email: dave, outcome }] })
}
