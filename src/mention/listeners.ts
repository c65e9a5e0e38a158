// What people write to the bot, in a mention or directly: the same words as the commands.
import type { Guard } from '../slack/guard.ts'
import type { Listeners } from '../slack/listeners.ts'
import { type Once, unlessDone } from '../slack/once.ts'
import type { CommandRequest, Said } from '../slack/requests.ts'
import { parseSaid } from './input.ts'
import { renderHelp } from './render.ts'

const dayMs = 24 * 60 * 60_000

export type Command = (request: CommandRequest) => Promise<void>

export function registerMentions(
  listeners: Listeners,
  guard: Guard,
  room: {
    readonly alert: Command
    readonly grant: Command
    /** Words of `/alert` that mean the same without it. */
    readonly alertWords: ReadonlySet<string>
    readonly once: Pick<Once, 'first' | 'undo'>
    /** Of a line of `/alert`: it takes something away, and is not held back. */
    readonly isFree: (line: string) => boolean
  },
): void {
  async function answer(said: Said): Promise<void> {
    const { asker, place, id, text, botUserId } = said
    const meant = parseSaid(text, botUserId, room.alertWords)
    switch (meant.kind) {
      case 'alert':
      case 'grant': {
        const request = {
          asker,
          place,
          answer: said.answer,
          text: meant.line,
          id,
          triggerId: undefined,
        }
        return meant.kind === 'alert' ? room.alert(request) : room.grant(request)
      }
      case 'help':
        return said.answer(renderHelp(place.isDirect, true))
      case 'unknown': {
        // Whoever goes on talking near the bot is not told again and again.
        const key = `help ${[place.channelId, place.threadTs, place.userId].join(' ')}`
        const { workspaceId } = asker
        return unlessDone(room.once, { workspaceId, key, withinMs: dayMs }, () =>
          said.answer(renderHelp(place.isDirect, false)),
        )
      }
      default:
        return meant satisfies never
    }
  }

  function isFree(text: string, botUserId: string): boolean {
    const meant = parseSaid(text, botUserId, room.alertWords)
    return meant.kind === 'alert' && room.isFree(meant.line)
  }

  const listen = guard.said((text) => (/\bgrant\b/i.test(text) ? 'grant' : 'alert'), answer, isFree)
  listeners.event('app_mention', listen)
  listeners.event('message', listen)
}
