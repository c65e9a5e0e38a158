// Doctor's look at the channels that the operator has named: whether the bot can post there.
import type { Presence } from '../slack/probe.ts'
import { channelCheck } from './channel.ts'
import type { Check } from './check.ts'

interface Named {
  readonly channelId: string | undefined
}

export function postingChecks(
  { audit, approval }: { readonly audit: Named; readonly approval: Named },
  room: {
    readonly presence: (channelId: string) => Promise<Presence>
    /** Why the last line could not be posted to the audit channel, and the mend; undefined when nothing is wrong. */
    readonly auditProblem: () => string | undefined
  },
): readonly Check[] {
  const { presence, auditProblem } = room
  const checks: Check[] = []
  if (audit.channelId !== undefined) {
    const { channelId } = audit
    const check = channelCheck({ name: 'Audit channel', where: 'AUDIT_CHANNEL', channelId }, presence)
    checks.push(unless(auditProblem, check))
  }
  if (approval.channelId !== undefined) {
    const { channelId } = approval
    checks.push(channelCheck({ name: 'Approval channel', where: 'APPROVAL_CHANNEL', channelId }, presence))
  }
  return checks
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
