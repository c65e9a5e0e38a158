// Mentions and direct messages: people write the same words as in the commands, and the bot does the same.
import type { Guard } from '../slack/guard/guard.ts'
import type { Listeners } from '../slack/guard/listeners.ts'
import { type Once, unlessDone } from '../slack/guard/once.ts'
import type { Command, Mention, Said } from '../slack/guard/requests.ts'
import { type Message, sayMarked } from '../slack/outbound/message.ts'
import { parseMention } from './input.ts'

const dayMs = 24 * 60 * 60_000

/** What somebody wrote, parsed: for which command it is, and what that asks. */
interface Meaning {
  readonly isFree: boolean
  readonly onlyTells: boolean
  run(written: Mention): Promise<void>
}

export function registerMentions<AlertAsk, GrantAsk>(
  listeners: Listeners,
  guard: Guard,
  room: {
    readonly alert: Command<AlertAsk>
    readonly grant: Command<GrantAsk>
    /** Words of `/alert` that mean the same without it. */
    readonly alertWords: ReadonlySet<string>
    readonly once: Pick<Once, 'first' | 'undo'>
  },
): void {
  async function answerUnknown({ asker, place, answer }: Mention): Promise<void> {
    // Whoever goes on talking near the bot is not told again and again.
    const key = `help ${[place.channelId, place.threadTs, place.userId].join(' ')}`
    const { workspaceId } = asker
    await unlessDone(room.once, { workspaceId, key, withinMs: dayMs }, () =>
      answer(renderHelp(place.isDirect, false)),
    )
  }

  function parse({ text, botUserId }: Said): Meaning {
    const meant = parseMention(text, botUserId, room.alertWords)
    switch (meant.kind) {
      case 'alert':
        return meaningOf(room.alert, meant.line)
      case 'grant':
        return meaningOf(room.grant, meant.line)
      case 'help':
        return { ...tells, run: ({ place, answer }) => answer(renderHelp(place.isDirect, true)) }
      case 'unknown':
        return { ...tells, run: answerUnknown }
      default:
        return meant satisfies never
    }
  }

  const listen = guard.mention((text) => (/\bgrant\b/i.test(text) ? 'grant' : 'alert'), {
    parse,
    isFree: (meaning) => meaning.isFree,
    onlyTells: (meaning) => meaning.onlyTells,
    run: (written, meaning) => meaning.run(written),
  })
  listeners.event('app_mention', listen)
  listeners.event('message', listen)
}

/** Of a command's line that was written to the bot. */
function meaningOf<Ask>(command: Command<Ask>, line: string): Meaning {
  const ask = command.parse(line)
  return {
    isFree: command.isFree(ask),
    onlyTells: command.onlyTells(ask),
    run: (written) => command.run({ ...written, text: line, triggerId: undefined }, ask),
  }
}

const tells = { isFree: false, onlyTells: true } as const

/** To whoever writes to the bot. @param isDirect - In the direct message with the bot nobody has to mention it. */
export function renderHelp(isDirect: boolean, isAsked: boolean): Message {
  const bot = isDirect ? '' : '@Bellhop '
  const lines = [
    ...(isAsked ? [] : ['Bellhop did not understand that. It knows these words:']),
    `\`${bot}alert <key or link>\` shows an alert, with its history.`,
    `\`${bot}grant <container> <email> <flags>\` gives somebody access to a container.`,
    `\`${bot}connect\` · \`${bot}watches\` · \`${bot}doctor\``,
    `\`${bot}alert help\` and \`${bot}grant help\` tell the rest. So do /alert and /grant.`,
  ].map((line) => line.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
  return sayMarked(lines.join('\n'))
}
