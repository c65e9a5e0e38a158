// Mentions and direct messages: people write the same words as in the commands, and the bot does the same.
import type { Guard } from '../slack/guard/guard.ts'
import type { Listeners } from '../slack/guard/listeners.ts'
import { doOnce, type Once } from '../slack/guard/once.ts'
import type { Command, Mention, Said } from '../slack/guard/requests.ts'
import { type Message, say, sayMarked } from '../slack/outbound/message.ts'
import { type AlertWords, parseMention } from './input.ts'

const dayMs = 24 * 60 * 60_000

/** What somebody wrote, parsed: for which command it is, and what that asks. */
interface Meaning {
  readonly isUnlimited: boolean
  readonly isReadOnly: boolean
  run(written: Mention): Promise<void>
}

export function registerMentions<AlertAsk, GrantAsk>(
  listeners: Listeners,
  guard: Guard,
  room: {
    readonly alert: Command<AlertAsk>
    readonly grant: Command<GrantAsk>
    readonly alertWords: AlertWords
    /** Alerts can be changed here. */
    readonly canAct: boolean
    readonly once: Pick<Once, 'claim' | 'release'>
  },
): void {
  const helpFor = (isDirect: boolean, why: keyof typeof beginnings) => renderHelp(isDirect, why, room.canAct)

  async function answerUnknown({ asker, place, answer }: Mention): Promise<void> {
    if (place.isDirect) return answer(helpFor(true, 'unknown'))
    // In a channel, whoever goes on talking near the bot is not told again and again.
    const key = `help ${[place.channelId, place.threadTs, place.userId].join(' ')}`
    const { workspaceId } = asker
    await doOnce(room.once, { workspaceId, key, withinMs: dayMs }, () => answer(helpFor(false, 'unknown')))
  }

  function parse(said: Said): Meaning {
    const meant = parseMention(said, room.alertWords)
    switch (meant.kind) {
      case 'alert':
        return meaningOf(room.alert, meant.line)
      case 'grant':
        return meaningOf(room.grant, meant.line)
      case 'help':
        return { ...readOnly, run: ({ place, answer }) => answer(helpFor(place.isDirect, 'asked')) }
      case 'greeting':
        return { ...readOnly, run: ({ answer }) => answer(helpFor(true, 'greeted')) }
      case 'thanks':
        return { ...readOnly, run: ({ answer }) => answer(say(youAreWelcome)) }
      case 'unknown':
        return { ...readOnly, run: answerUnknown }
      default:
        return meant satisfies never
    }
  }

  const listen = guard.mention((text) => (/\bgrant\b/i.test(text) ? 'grant' : 'alert'), {
    parse,
    isUnlimited: (meaning) => meaning.isUnlimited,
    isReadOnly: (meaning) => meaning.isReadOnly,
    run: (written, meaning) => meaning.run(written),
  })
  listeners.event('app_mention', listen)
  listeners.event('message', listen)
}

/** Of a command's line that was written to the bot. */
function meaningOf<Ask>(command: Command<Ask>, line: string): Meaning {
  const ask = command.parse(line)
  return {
    isUnlimited: command.isUnlimited(ask),
    isReadOnly: command.isReadOnly(ask),
    run: (written) => command.run({ ...written, text: line, triggerId: undefined }, ask),
  }
}

const readOnly = { isUnlimited: false, isReadOnly: true } as const

/** To whoever thanks the bot. */
const youAreWelcome = 'You’re welcome.'

const beginnings = {
  asked: '',
  unknown: 'I didn’t understand that. Here’s what I know:',
  greeted: 'Hello. Send me an alert’s key or its link, and I’ll show it here. You can also type:',
} as const

/**
 * To whoever writes to the bot.
 * @param isDirect - In the direct message with the bot nobody has to mention it.
 * @param canAct - Alerts can be changed as well.
 */
export function renderHelp(isDirect: boolean, why: keyof typeof beginnings, canAct: boolean): Message {
  const bot = isDirect ? '' : '@Bellhop '
  const lines = [
    beginnings[why],
    `\`${bot}alert <key or link>\` shows an alert and its history.`,
    ...(isDirect && why !== 'greeted' ? ['A key or a link alone does the same.'] : []),
    ...(canAct
      ? [
          `\`${bot}assign <key> me\`, \`${bot}comment <key> "text"\` and \`${bot}close <key>\` change an alert.`,
        ]
      : []),
    `\`${bot}grant <container> <email> <flags>\` gives somebody access to a container.`,
    `\`${bot}connect\` · \`${bot}watches\` · \`${bot}doctor\``,
    `For everything, type \`${bot}alert help\` or \`${bot}grant help\`.`,
  ].map((line) => line.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
  return sayMarked(lines.filter((line) => line !== '').join('\n'))
}
