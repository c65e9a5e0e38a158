// Sends a line of the message box: a command for the bot, a message, or Slackbot's refusal.
import { tell } from '../slack/deliver/acks.ts'
import type { Channel } from '../slack/model/model.ts'
import { messageInSight } from './in-sight.ts'
import type { Player } from './playing/player.ts'
import type { Scene } from './scene.ts'

/** One of Slack’s own commands: what the bot advises where it is no member. */
export const invite = {
  name: '/invite',
  description: 'Add somebody to this channel',
  usageHint: '@Bellhop',
} as const

interface Line {
  readonly text: string
  readonly threadTs?: string | undefined
}

/** Resolves when the bot has acked what it was told of it. Source of Slackbot's words: what Slack's client shows. */
export async function say(
  line: Line,
  channel: Channel,
  player: Player,
  scene: Scene,
): Promise<void> {
  const { person } = player
  const [, name = ''] = /^(\/\S*)/.exec(line.text.trim()) ?? []
  if (name === '') {
    const { threadTs: ts } = line
    const at =
      ts === undefined ? channel : messageInSight({ channelId: channel.id, ts }, player, scene)
    const to =
      ts === undefined ? place(channel) : place(channel).replace('in #', 'in a thread of #')
    const what = `${person.name} wrote “${shortened(line.text)}” ${to}`
    return scene.happenings.whenHeard(what, () => person.writes(line.text, at))
  }
  const complain = (text: string) =>
    tell(text, person.member, channel, scene.slack.workspace, line.threadTs)
  if (name === invite.name) {
    complain(inviteBot(line.text, channel, player, scene))
    return
  }
  if (!scene.manifest.commands.some((command) => command.name === name)) {
    complain(
      `\`${name}\` is not a valid command. In Slack, all messages that start with the "/" character are interpreted as commands.`,
    )
    return
  }
  if (line.threadTs !== undefined) {
    complain(`${name} is not supported in threads. Sorry!`)
    return
  }
  const typed = line.text.trim()
  await scene.happenings.during(`${person.name} typed ${typed} ${place(channel)}`, () =>
    person.types(typed, channel),
  )
}

const place = ({ kind, name }: Channel) => (kind === 'im' ? 'to Bellhop' : `in #${name}`)

const LONGEST = 80

/** One line of it. */
function shortened(line: string): string {
  const [first = '', ...more] = line.trim().split('\n')
  const cut = [...first].slice(0, LONGEST).join('')
  return cut === first && more.length === 0 ? first : `${cut}…`
}

/** @returns What Slackbot says to whoever typed it. */
function inviteBot(line: string, channel: Channel, { person }: Player, { slack }: Scene): string {
  const { bot } = slack
  const isBot = new RegExp(`^/invite\\s+@?${bot.name}\\s*$`, 'i').test(line.trim())
  if (channel.kind === 'im') return 'You can’t invite anybody to a direct message.'
  if (!isBot) return 'In the playground, only the bot can be invited: /invite @Bellhop'
  if (channel.members.has(bot.userId)) return 'Bellhop is already in this channel.'
  slack.addBot(channel)
  return `Bellhop was added to #${channel.name} by ${person.name}.`
}
