// Doctor's looks at channels: whether the bot is in one, and whether it can post in those that the operator has chosen.
import type { ChannelSeen } from '../slack/workspace/probe.ts'
import { type Check, type Finding, finding } from './check.ts'
import { unanswered } from './slack.ts'

/** Throws SlackError. */
type See = (channelId: string) => Promise<ChannelSeen>

/** Whether the bot is where somebody asks. */
export function hereCheck(see: See, channelId: string): Check {
  const lost = 'cards have no thread and can’t be watched'
  return channelCheck(see, 'This channel', channelId, 'this channel', lost)
}

/** The settings that name a channel: its id, where they are set. */
export function chosenChannelChecks(
  see: See,
  audit: string | undefined,
  approval: string | undefined,
): readonly Check[] {
  const check = (name: string, where: string, channelId: string | undefined): readonly Check[] =>
    channelId === undefined
      ? []
      : [{ ...channelCheck(see, name, channelId, where, 'it can’t post there'), by: 'operator' }]
  return [
    ...check('Audit channel', 'AUDIT_CHANNEL', audit),
    ...check('Approval channel', 'APPROVAL_CHANNEL', approval),
  ]
}

/**
 * @param where - As in `this channel` or `AUDIT_CHANNEL`.
 * @param lost - What comes of not being in it where it is private: behind `so`.
 */
function channelCheck(see: See, name: string, channelId: string, where: string, lost: string): Check {
  const isChosen = where !== 'this channel'
  const there = isChosen ? 'there' : 'here'
  const invite = `Type /invite @Bellhop ${there}.`
  const outside = `Bellhop isn’t in ${where}. It can post in a public channel anyway, but it doesn’t notice mentions ${there}.`
  const unseen = `Without the scopes channels:read and groups:read, Bellhop can’t see whether it is in ${where}.`
  const words: Readonly<Record<ChannelSeen['presence'], Finding>> = {
    member: finding(name, 'green', `Bellhop is in ${where}.`),
    'not-member': finding(name, 'amber', outside, invite),
    hidden: finding(name, isChosen ? 'red' : 'amber', `Bellhop isn’t in ${where}, so ${lost}.`, invite),
    unknown: finding(name, 'untested', unseen, `To be sure, type /invite @Bellhop ${there}.`),
  }
  return {
    name,
    ifSlow: 'Try again in a minute.',
    async run() {
      try {
        const { presence, isShared } = await see(channelId)
        if (!isChosen || !isShared) return [words[presence]]
        const found = `${where} is shared with another organisation, which could read everything in it.`
        const mend = `Set ${where} to a channel of your own organisation, and restart Bellhop.`
        return [finding(name, 'red', found, mend)]
      } catch (error) {
        return [unanswered(name, error)]
      }
    },
  }
}
