// Doctor's looks at channels: whether the bot is in one, how loud it wants the bot, and whether the bot can post in
// those that were chosen for the workspace.
import { classify } from '../../slack/client/refusals.ts'
import type { Channels, ChosenChannels } from '../../slack/workspace/channels.ts'
import type { Presence } from '../../slack/workspace/probe.ts'
import type { Check, Finding } from './check.ts'
import { whyOf } from './slack.ts'

export interface ChannelChecked {
  readonly name: string
  /** As in `this channel` or `AUDIT_CHANNEL`. */
  readonly where: string
  readonly channelId: string
  /** What comes of not being in it where it is private: behind `so`. */
  readonly lost: string
  /** Whether people notice that, where an operator has chosen it. */
  readonly isFelt?: boolean
}

/** Whether the bot is in a channel. @param presence - Throws what `refusals.ts` sorts. */
export function channelCheck(
  { name, where, channelId, lost, isFelt = false }: ChannelChecked,
  presence: (channelId: string) => Promise<Presence>,
): Check {
  return {
    name,
    ifSlow: 'Try again in a minute.',
    async run() {
      try {
        const is = await presence(channelId)
        return [{ name, ...presenceWords(where, lost, is), isFelt: isFelt && is === 'hidden' }]
      } catch (error) {
        if (classify(error).kind === 'defect') throw error
        const found = `Slack didn’t say whether Bellhop is in ${where} (${whyOf(error)}).`
        return [{ name, state: 'amber', found, mend: 'Try again in a minute.' }]
      }
    },
  }
}

/** Where somebody has asked, in a sentence. */
export const hereWords = 'this channel'

/** Of a channel that is looked at for its cards. */
export const cardsLost = 'cards have no thread and can’t be watched'

function presenceWords(where: string, lost: string, presence: Presence): Omit<Finding, 'name'> {
  const there = where === hereWords ? 'here' : 'there'
  const invite = `Type /invite @Bellhop ${there}.`
  switch (presence) {
    case 'member':
      return { state: 'green', found: `Bellhop is in ${where}.` }
    case 'not-member':
      return {
        state: 'amber',
        found: `Bellhop isn’t in ${where}. It can post in a public channel anyway, but it doesn’t notice mentions ${there}.`,
        mend: invite,
      }
    case 'hidden':
      return {
        state: 'amber',
        found: `Bellhop isn’t in ${where}, so ${lost}.`,
        mend: invite,
      }
    case 'unknown':
      return {
        state: 'untested',
        found: `Without the scopes channels:read and groups:read, Bellhop can’t see whether it is in ${where}.`,
        mend: `To be sure, type /invite @Bellhop ${there}.`,
      }
    default:
      return presence satisfies never
  }
}

/** A direct message: nobody is invited there. */
export function directCheck(name: string): Check {
  const found =
    'This is a direct message. Cards have a thread in direct messages with Bellhop, but not in those between people.'
  return { name, ifSlow: '', run: async () => [{ name, state: 'green', found }] }
}

const names = {
  operator: { auditWhere: 'AUDIT_CHANNEL', approvalWhere: 'APPROVAL_CHANNEL' },
  admins: { auditWhere: 'the audit channel', approvalWhere: 'the approval channel' },
} as const

const mends = {
  operator: (where: string) => `Set ${where} to a channel of your own organisation, and restart Bellhop.`,
  admins: () => 'Choose a channel of your own organisation with /alert settings.',
} as const

const lost = 'it can’t post there'

type Problem = Required<Pick<Finding, 'found' | 'mend'>>

/** Whether the bot can post in the chosen channels. One look for both: which they are is read when it is taken. */
export function postingCheck(
  channels: ChosenChannels,
  workspaceId: string,
  room: {
    readonly presence: (channelId: string) => Promise<Presence>
    /** Whether other organisations read there; undefined when Slack does not say. */
    readonly isShared: (channelId: string) => Promise<boolean | undefined>
    /** Why the last line could not be posted to the audit channel; undefined when nothing is wrong. */
    readonly auditProblem: () => Problem | undefined
  },
): Check {
  const { presence, isShared, auditProblem } = room
  const another = mends[channels.by]
  const { auditWhere, approvalWhere } = names[channels.by]

  function checksOf({ audit, approval }: Channels): readonly Check[] {
    const checks: Check[] = []
    if (audit !== undefined) {
      const checked = { name: 'Audit channel', where: auditWhere, channelId: audit, lost }
      const found = `${auditWhere} is shared with another organisation, which can read every line of it.`
      const foreign = sharedCheck(channelCheck(checked, presence), () => isShared(audit), {
        state: 'amber',
        found: upperFirst(found),
        mend: another(auditWhere),
      })
      checks.push(unless(auditProblem, foreign))
    }
    if (approval !== undefined) {
      const checked = {
        name: 'Approval channel',
        where: approvalWhere,
        channelId: approval,
        lost,
        isFelt: true,
      }
      const found = `${approvalWhere} is shared with another organisation, so Bellhop doesn’t post requests there.`
      const foreign = { state: 'red', found: upperFirst(found), mend: another(approvalWhere) } as const
      checks.push(sharedCheck(channelCheck(checked, presence), () => isShared(approval), foreign))
    }
    return checks
  }

  return {
    name: 'Chosen channels',
    by: 'operator',
    ifSlow: 'Try again in a minute.',
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

/** What has failed already says more than whether the bot is in the channel. Whoever grants does not notice it. */
function unless(problemNow: () => Problem | undefined, check: Check): Check {
  return {
    ...check,
    async run() {
      const problem = problemNow()
      if (problem === undefined) return check.run()
      return [{ name: check.name, state: 'red', ...problem, isFelt: false }]
    },
  }
}
