// A house for approvals, for what lies below Slack.
import type { Approvals } from '../../src/approval/approvals.ts'
import type { House } from '../../src/house.ts'
import type { Monitor } from '../../src/monitor/client.ts'
import type { Slack } from '../../src/slack/slack.ts'
import { openSends } from '../send/send-house.ts'

const quietly = async () => {}

interface Options {
  /** In place of the store's own. */
  readonly approvals?: Partial<Approvals>
  readonly slack?: Partial<Slack>
  readonly addUser?: Monitor['addUser']
}

/** Slack takes everything, and everybody has a token of their own. */
export async function openApprovals({
  approvals,
  slack,
  addUser = async () => ({ kind: 'done' }),
}: Options = {}): Promise<House> {
  const house = await openSends({ addUser })
  return {
    ...house,
    storage: { ...house.storage, approvals: { ...house.storage.approvals, ...approvals } },
    tokens: {
      ...house.tokens,
      find: async ({ userId }) => `token of ${userId}`,
      hashOf: async ({ userId }) => `hash of ${userId}`,
    },
    slack: {
      ...house.slack,
      people: {
        ...house.slack.people,
        profileOf: async (userId) => ({ email: `${userId}@example.com`, name: userId, isGuest: false }),
      },
      post: async () => ({ channelId: 'C1', ts: '1.2' }),
      update: quietly,
      privately: quietly,
      linkOf: async () => undefined,
      ...slack,
    },
  }
}
