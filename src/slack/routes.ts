// Routes: the shapes of a listener and of the table of all listeners, which `app.ts` fills in.

import type { EventFromType } from '@slack/bolt'
import type { PlainTextOption, SlackEvent } from '@slack/types'
import type { House } from '../house.ts'
import { type About, noteRequest, noteSender } from '../log/log.ts'
import { minuteMs } from '../work/durations.ts'
import { doubling, retry } from '../work/retry.ts'
import type {
  ActionRequest,
  CommandRequest,
  ShortcutRequest,
  Submission,
  Typing,
} from './guard/requests.ts'
import type { Message } from './outbound/message.ts'

/** An operation as the guard calls it. Errors that it throws are told to the asker by the guard. */
export type Listener<Asked> = (house: House, asked: Asked) => Promise<void>

export interface Route<Asked> {
  /** Topic, for messages about failures, the log and the metrics. */
  readonly about: About
  readonly run: Listener<Asked>
  /** True when nothing changes, so that a repeat is harmless. For a menu, this depends on the value chosen. */
  readonly isReadOnly?: boolean | ((value: string) => boolean)
}

/** A request that was typed, as a command or in a message to the bot, and how it is guarded. */
export interface LineRoute {
  readonly about: About
  readonly run: Listener<CommandRequest>
  /** An answer known at once. For a command, it goes into the ack, and `run` isn’t called; a message to the bot has no ack. */
  readonly atOnce?: Message
  readonly isReadOnly?: boolean
  /** True for a write at the service: the command is acked only once it is stored. If it is lost before, Slack says so. */
  readonly isKept?: boolean
}

/** Reads a line, once and before anything else. Never throws. @param line - As Slack sends it, escaped. */
export type ReadLine = (house: House, line: string) => LineRoute

/** The route of a line whose answer is this message, whatever it came by: `run` sends it if it can’t go into an ack. */
export function answering(about: About, message: Message): LineRoute {
  return { about, atOnce: message, isReadOnly: true, run: (_, { answer }) => answer(message) }
}

export interface EventRequest<Type extends string> {
  readonly workspaceId: string
  readonly botUserId: string
  readonly event: EventFromType<Type>
}

const pauses = doubling(1_000, 10 * minuteMs)

/**
 * Has Bolt listen to an event.
 * @param run - Errors it throws are only logged.
 * @param how.deletes - True when `run` deletes people's data: it is retried until it succeeds, as tokens must not
 * outlive an uninstall or their owner. Bolt has acked the event by then, so Slack will not send it again.
 */
export function event<Type extends string>(
  type: Type,
  run: (house: House, happened: EventRequest<Type>) => Promise<void>,
  { deletes = false } = {},
) {
  return async (house: House, given: SlackEvent): Promise<void> => {
    if (!isOf(type, given)) return
    const { slack, log, wait, stopping } = house
    noteRequest({ name: type })
    const pauseAfter = (error: unknown, tries: number) => {
      if (!deletes || stopping.aborted) return undefined
      log.warn({ err: error, event: type }, 'an event could not be handled; trying again')
      return pauses(tries)
    }
    const handle = async () => {
      const { workspaceId, botUserId } = await slack.learned()
      noteSender(workspaceId)
      await run(house, { workspaceId, botUserId, event: given })
    }
    await slack.work.run(() => retry(handle, { pauseAfter, wait, stopping }))
  }
}

function isOf<Type extends string>(
  type: Type,
  given: SlackEvent,
): given is SlackEvent & EventFromType<Type> {
  return given.type === type
}

/** A message to the bot, in a mention or a direct message. */
export interface BotMessage {
  readonly text: string
  readonly botUserId: string
  readonly isDirect: boolean
  readonly isInThread: boolean
}

/** Listeners by Slack's names: commands, action ids, callback ids. */
export interface Routes {
  readonly commands: Readonly<Record<string, ReadLine>>
  readonly actions: Readonly<Record<string, Route<ActionRequest>>>
  readonly views: Readonly<Record<string, Route<Submission>>>
  /** Global shortcuts, and shortcuts in the menu of a message. */
  readonly shortcuts: Readonly<Record<string, Route<ShortcutRequest>>>
  /** Menus that suggest while somebody types. No value may stand twice in what is suggested. */
  readonly suggestions: Readonly<
    Record<string, (house: House, typing: Typing) => Promise<readonly PlainTextOption[]>>
  >
  readonly events: readonly ReturnType<typeof event>[]
  /** The route of a message to the bot. Never throws. */
  meaningOf(house: House, said: BotMessage): LineRoute
}
