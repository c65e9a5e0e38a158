// Doctor's look at the channels that were chosen for the workspace: whether the bot can post there.
import type { Channels, ChosenChannels } from '../slack/channels.ts'
import type { Presence } from '../slack/probe.ts'
import { channelCheck } from './channel.ts'
import type { Check } from './check.ts'

const names = {
  operator: { auditWhere: 'AUDIT_CHANNEL', approvalWhere: 'APPROVAL_CHANNEL' },
  admins: { auditWhere: 'the audit channel', approvalWhere: 'the approval channel' },
} as const

const lost = 'it cannot post there'

/** One look for both: which they are is read when it is taken. */
export function postingCheck(
  channels: ChosenChannels,
  workspaceId: string,
  room: {
    readonly presence: (channelId: string) => Promise<Presence>
    /** Why the last line could not be posted to the audit channel, and the mend; undefined when nothing is wrong. */
    readonly auditProblem: () => string | undefined
  },
): Check {
  const { presence, auditProblem } = room
  const { auditWhere, approvalWhere } = names[channels.by]

  function checksOf({ audit, approval }: Channels): readonly Check[] {
    const checks: Check[] = []
    if (audit !== undefined) {
      const checked = { name: 'Audit channel', where: auditWhere, channelId: audit, lost }
      checks.push(unless(auditProblem, channelCheck(checked, presence)))
    }
    if (approval !== undefined) {
      const checked = { name: 'Approval channel', where: approvalWhere, channelId: approval, lost }
      checks.push(channelCheck(checked, presence))
    }
    return checks
  }

  return {
    name: 'Chosen channels',
    ifSlow: 'Ask again in a minute.',
    async run() {
      const checks = checksOf(await channels.of(workspaceId))
      return (await Promise.all(checks.map((check) => check.run()))).flat()
    },
  }
}

/** What has failed already says more than whether the bot is in the channel. */
function unless(problem: () => string | undefined, check: Check): Check {
  return {
    ...check,
    async run() {
      const found = problem()
      return found === undefined ? check.run() : [{ name: check.name, state: 'red', found }]
    },
  }
}
