// Requests for approval that tests of renders tell about. Data only.
import { type Result, writesOf } from '../../src/grant/access.ts'
import { type Approval, type ApprovalDetails, createRequest } from '../../src/send/request.ts'
import { wishFor } from '../grant/samples.ts'

/** Bob's request for dave, as it was asked a moment ago. */
export function request(access = wishFor(), changes: Partial<ApprovalDetails> = {}): Approval {
  const approval: ApprovalDetails = {
    askerName: 'bob',
    container: 'Customer 1 (12)',
    reason: 'Dave is on call from tonight and has to see the alerts of the shop.',
    barred: { recipientIds: [], recipients: [] },
    channelId: 'C0ONCALL1',
    until: 1_800_000_000_000,
    card: { channelId: 'C0ONCALL1', ts: '1.2' },
    ...changes,
  }
  const sender = { workspaceId: 'T1', userId: 'U2' }
  return {
    ...createRequest({ id: 'request', sender, writes: writesOf(access), approval }, 0),
    approval,
  }
}

/** The same, while Carol's token is used for it. */
export function approved(request: Approval, name = 'carol'): Approval {
  const approval = { ...request.approval, approver: { userId: 'U3', name } }
  return { ...request, state: 'sending', attempt: 1, approval }
}

/** The same, once it has ended so. @param results - One for each person, in order. */
export function ended(request: Approval, results: readonly Result[]): Approval {
  const sends = request.sends.map((send, index) => ({ ...send, outcome: results[index]?.outcome }))
  return { ...request, state: 'sent', sends }
}
