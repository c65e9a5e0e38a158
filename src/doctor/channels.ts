// Doctor's looks at channels: whether the bot is in one, and whether it can post in those that the operator has chosen.
import type { Config } from '../config/config.ts'
import type { ChannelSeen } from '../slack/workspace/probe.ts'
import { amber, type Check, type Found, green, red, untested } from './check.ts'

/** Throws SlackError. */
type See = (channelId: string) => Promise<ChannelSeen>

/** Whether the bot is where somebody asks. */
export function hereCheck(see: See, channelId: string): Check {
  const lost = 'cards have no thread and can’t be watched'
  const words = wordsOf('this channel', 'here', amber(`Bellhop isn’t in this channel, so ${lost}.`))
  return { name: 'This channel', run: async () => [words[(await see(channelId)).presence]] }
}

/** Of the settings that name a channel, those that are set. */
export function chosenChannelChecks(
  see: See,
  { audit, approval }: Pick<Config, 'audit' | 'approval'>,
): readonly Check[] {
  return [
    ...chosenCheck(see, 'Audit channel', 'AUDIT_CHANNEL', audit.channelId),
    ...chosenCheck(see, 'Approval channel', 'APPROVAL_CHANNEL', approval.channelId),
  ]
}

function chosenCheck(see: See, name: string, where: string, channelId: string | undefined): readonly Check[] {
  if (channelId === undefined) return []
  const words = wordsOf(where, 'there', red(`Bellhop isn’t in ${where}, so it can’t post there.`))
  const shared = red(
    `${where} is shared with another organisation, which could read everything in it.`,
    `Set ${where} to a channel of your own organisation, and restart Bellhop.`,
  )
  const run = async () => {
    const { presence, isShared } = await see(channelId)
    return [isShared ? shared : words[presence]]
  }
  return [{ name, by: 'operator', run }]
}

/** @param hidden - What comes of not being in a private one. */
function wordsOf(
  where: string,
  there: string,
  hidden: Found,
): Readonly<Record<ChannelSeen['presence'], Found>> {
  const invite = `Type /invite @Bellhop ${there}.`
  const outside = `Bellhop isn’t in ${where}. It can post in a public channel anyway, but it doesn’t notice mentions ${there}.`
  const unseen = `Without the scopes channels:read and groups:read, Bellhop can’t see whether it is in ${where}.`
  return {
    member: green(`Bellhop is in ${where}.`),
    'not-member': amber(outside, invite),
    hidden: { ...hidden, mend: invite },
    unknown: untested(unseen, `To be sure, type /invite @Bellhop ${there}.`),
  }
}
