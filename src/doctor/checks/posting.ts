// Doctor's look at the channels that were chosen for the workspace: whether the bot can post there.
import type { Channels, ChosenChannels } from '../../slack/workspace/channels.ts'
import type { Presence } from '../../slack/workspace/probe.ts'
import { channelCheck } from './channel.ts'
import type { Check, Finding } from './check.ts'

const names = {
  operator: { auditWhere: 'AUDIT_CHANNEL', approvalWhere: 'APPROVAL_CHANNEL' },
  admins: { auditWhere: 'the audit channel', approvalWhere: 'the approval channel' },
} as const

const mends = { operator: 'and start Bellhop again', admins: 'with /alert settings' } as const

const lost = 'it cannot post there'

/** One look for both: which they are is read when it is taken. */
export function postingCheck(
  channels: ChosenChannels,
  workspaceId: string,
  room: {
    readonly presence: (channelId: string) => Promise<Presence>
    /** Whether other organisations read there; undefined when Slack does not say. */
    readonly isShared: (channelId: string) => Promise<boolean | undefined>
    /** Why the last line could not be posted to the audit channel, and the mend; undefined when nothing is wrong. */
    readonly auditProblem: () => string | undefined
  },
): Check {
  const { presence, isShared, auditProblem } = room
  const another = `Use a channel of your own organisation, ${mends[channels.by]}.`
  const { auditWhere, approvalWhere } = names[channels.by]

  function checksOf({ audit, approval }: Channels): readonly Check[] {
    const checks: Check[] = []
    if (audit !== undefined) {
      const checked = { name: 'Audit channel', where: auditWhere, channelId: audit, lost }
      const found = `${auditWhere} is shared with another organisation, which reads every line of it.`
      const foreign = sharedCheck(channelCheck(checked, presence), () => isShared(audit), {
        state: 'amber',
        found: upperFirst(found),
        mend: another,
      })
      checks.push(unless(auditProblem, foreign))
    }
    if (approval !== undefined) {
      const checked = { name: 'Approval channel', where: approvalWhere, channelId: approval, lost }
      const found = `${approvalWhere} is shared with another organisation, so requests are not posted there.`
      const foreign = { state: 'red', found: upperFirst(found), mend: another } as const
      checks.push(sharedCheck(channelCheck(checked, presence), () => isShared(approval), foreign))
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

const upperFirst = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** Who reads there comes before whether the bot can post there. */
function sharedCheck(
  check: Check,
  isShared: () => Promise<boolean | undefined>,
  finding: Omit<Finding, 'name'>,
): Check {
  return {
    ...check,
    run: async () => ((await isShared()) === true ? [{ name: check.name, ...finding }] : check.run()),
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
