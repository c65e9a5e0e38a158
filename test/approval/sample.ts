// A request for approval that tests of renders tell about. Data only.
import type { Approval } from '../../src/approval/approvals.ts'
import { wishFor } from '../grant/samples.ts'

/** Bob's request for dave, as it was asked a moment ago. */
export function request(changes: Partial<Approval> = {}): Approval {
  return {
    ...{ workspaceId: 'T1', id: 'request' },
    asker: { workspaceId: 'T1', userId: 'U2' },
    askerName: 'bob',
    access: wishFor(),
    container: 'Customer 1 (12)',
    reason: 'Dave is on call from tonight and has to see the alerts of the shop.',
    barred: { asker: undefined, recipientIds: [], recipients: [] },
    channelId: 'C0ONCALL1',
    threadTs: undefined,
    state: 'requested',
    attempt: 0,
    approver: undefined,
    ending: undefined,
    tried: undefined,
    until: 1_800_000_000_000,
    card: { channelId: 'C0ONCALL1', ts: '1.2', mentioned: [] },
    version: 1,
    toTell: [],
    endedAt: undefined,
    ...changes,
  }
}
