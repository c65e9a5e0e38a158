// Doctor's look at the channels that the operator has named: whether the bot can post there.
import type { Presence } from '../slack/probe.ts'
import { channelCheck } from './channel.ts'
import type { Check } from './check.ts'

export function postingChecks(
  config: {
    readonly audit: { readonly channelId: string | undefined }
    readonly approval: { readonly channelId: string | undefined }
  },
  room: {
    readonly presence: (channelId: string) => Promise<Presence>
    /** Why the last line could not be posted to the audit channel; undefined when nothing is wrong. */
    readonly auditProblem: () => string | undefined
  },
): readonly Check[] {
  const { audit, approval } = config
  return [
    ...(audit.channelId === undefined ? [] : [auditCheck(audit.channelId, room)]),
    ...(approval.channelId === undefined
      ? []
      : [named('Approval channel', 'APPROVAL_CHANNEL', approval.channelId, room.presence)]),
  ]
}

function named(
  name: string,
  where: string,
  channelId: string,
  presence: (channelId: string) => Promise<Presence>,
): Check {
  return channelCheck({ name, where, channelId }, presence)
}

/** What has failed already says more than whether the bot is in the channel. */
function auditCheck(
  channelId: string,
  { presence, auditProblem }: Parameters<typeof postingChecks>[1],
): Check {
  const name = 'Audit channel'
  const check = named(name, 'AUDIT_CHANNEL', channelId, presence)
  return {
    ...check,
    async run() {
      const problem = auditProblem()
      if (problem === undefined) return check.run()
      return [{ name, state: 'red', found: problem }]
    },
  }
}
