// What people write to the bot, in a mention or directly: the same words as the commands.

import type { Guard } from '../slack/guard/guard.ts'
import type { Listeners } from '../slack/guard/listeners.ts'
import { type Once, unlessDone } from '../slack/guard/once.ts'
import type { Command, Intent, Said } from '../slack/guard/requests.ts'
import { parseSaid } from './input.ts'
import { renderHelp } from './render.ts'

const dayMs = 24 * 60 * 60_000

export function registerMentions(
  listeners: Listeners,
  guard: Guard,
  room: {
    readonly alert: Command
    readonly grant: Command
    /** Words of `/alert` that mean the same without it. */
    readonly alertWords: ReadonlySet<string>
    readonly once: Pick<Once, 'first' | 'undo'>
  },
): void {
  async function answerUnknown({ asker, place, answer }: Said): Promise<void> {
    // Whoever goes on talking near the bot is not told again and again.
    const key = `help ${[place.channelId, place.threadTs, place.userId].join(' ')}`
    const { workspaceId } = asker
    await unlessDone(room.once, { workspaceId, key, withinMs: dayMs }, () =>
      answer(renderHelp(place.isDirect, false)),
    )
  }

  function read(text: string, botUserId: string): Intent<Said> {
    const meant = parseSaid(text, botUserId, room.alertWords)
    switch (meant.kind) {
      case 'alert':
      case 'grant': {
        const { line } = meant
        const intent = room[meant.kind](line)
        return { ...intent, run: (said) => intent.run({ ...said, text: line, triggerId: undefined }) }
      }
      case 'help':
        return { ...tells, run: ({ place, answer }) => answer(renderHelp(place.isDirect, true)) }
      case 'unknown':
        return { ...tells, run: answerUnknown }
      default:
        return meant satisfies never
    }
  }

  const listen = guard.said((text) => (/\bgrant\b/i.test(text) ? 'grant' : 'alert'), read)
  listeners.event('app_mention', listen)
  listeners.event('message', listen)
}

const tells = { isFree: false, onlyTells: true } as const
