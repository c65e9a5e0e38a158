// A room of approvals on a database of its own, for what lies below Slack.

import type { Approvals } from '../../src/approval/approvals.ts'
import type { ApprovalRoom } from '../../src/approval/room.ts'
import { defaultRoles } from '../../src/grant/roles.ts'
import type { Monitor } from '../../src/monitor/client.ts'
import { openSendRoom } from '../send/send-room.ts'
import { open, temporaryFile } from '../storage/files.ts'

const quietly = async () => {}

interface Options {
  /** In place of the store's own. */
  readonly approvals?: Partial<Approvals>
  readonly outbound?: Partial<ReturnType<ApprovalRoom['outbound']['in']>>
  readonly addUser?: Monitor['addUser']
}

/** Slack takes everything, everybody has a token of their own, and nothing is written down. */
export async function openApprovalRoom({
  approvals,
  outbound,
  addUser = async () => ({ kind: 'done' }),
}: Options = {}): Promise<ApprovalRoom> {
  const storage = await open(temporaryFile())
  const send = await openSendRoom({ addUser })
  const there = {
    post: async () => ({ channelId: 'C1', ts: '1.2' }),
    update: quietly,
    openView: async () => 'V1',
    ...outbound,
  }
  return {
    approvals: { ...storage.approvals, ...approvals },
    send,
    tokens: {
      find: async ({ userId }) => `token of ${userId}`,
      hashOf: async ({ userId }) => `hash of ${userId}`,
    },
    people: {
      in: () => ({
        profileOf: async (userId) => ({ email: `${userId}@example.com`, name: userId, isGuest: false }),
        idOf: async () => undefined,
      }),
    },
    page: undefined,
    delivery: { privately: quietly },
    outbound: { in: () => there },
    channels: { audit: undefined, approval: undefined },
    sharedChannels: { in: () => ({ isShared: async () => false, wasShared: async () => false }) },
    mention: [],
    linkOf: async () => undefined,
    containerWords: async () => undefined,
    audit: { record: quietly },
    settings: { roles: defaultRoles, ttlHours: 24 },
    log: send.log,
  }
}
