// Routes: the shape of a listener, and of the table of all of them, which `app.ts` fills in. The guard stands before each.
import type { EventFromType } from '@slack/bolt'
import type { PlainTextOption, SlackEvent } from '@slack/types'
import type { House } from '../house.ts'
import { type About, noteSender, requestNow } from '../log/log.ts'
import { doubling, retry } from '../work/retry.ts'
import type { ActionRequest, CommandRequest, ShortcutRequest, Submission, Typing } from './guard/requests.ts'
import type { Message } from './outbound/message.ts'

/** An operation as the guard calls it. What it throws is told to whoever asked. */
export type Listener<Asked> = (house: House, asked: Asked) => Promise<void>

export interface Route<Asked> {
  /** What it is about, for the words when it fails, the log and the figures. */
  readonly about: About
  readonly run: Listener<Asked>
  /** It changes nothing: it may come twice. A menu says so of what was chosen, by its value. */
  readonly isReadOnly?: boolean | ((value: string) => boolean)
}

/** What a line of words asks for, typed as a command or written to the bot; and how it is guarded. */
export interface LineRoute {
  readonly about: About
  readonly run: Listener<CommandRequest>
  /** An answer that is known at once: it goes into the ack, and nothing is run. */
  readonly atOnce?: Message
  readonly isReadOnly?: boolean
  /** It writes at the service: it is acked once it is kept, so that Slack says when it got lost before. */
  readonly isKept?: boolean
}

/** Reads a line, a single time and before anything else. Never throws. @param line - As Slack sends it, escaped. */
export type ReadLine = (house: House, line: string) => LineRoute

export function answering(about: About, message: Message): LineRoute {
  return { about, atOnce: message, isReadOnly: true, run: (_, { answer }) => answer(message) }
}

export interface EventRequest<Type extends string> {
  readonly workspaceId: string
  /** The bot's own, there. */
  readonly botUserId: string
  readonly event: EventFromType<Type>
}

const pauses = doubling(1_000, 10 * 60_000)

/**
 * Has Bolt listen to an event.
 * @param run - What it throws is in the log alone.
 * @param how.deletes - It deletes what is kept of people, whose tokens must not outlive an uninstall or their owner because
 * the database was away: so it is tried until it is done. Bolt acks an event before, so that Slack will not send it again.
 */
export function event<Type extends string>(
  type: Type,
  run: (house: House, happened: EventRequest<Type>) => Promise<void>,
  { deletes }: { readonly deletes: boolean } = { deletes: false },
) {
  return async (house: House, given: SlackEvent): Promise<void> => {
    if (!isOf(type, given)) return
    const { slack, log, wait, stopping } = house
    Object.assign(requestNow() ?? {}, { name: type })
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

function isOf<Type extends string>(type: Type, given: SlackEvent): given is SlackEvent & EventFromType<Type> {
  return given.type === type
}

/** What people write to the bot, in a mention or in their direct message with it. */
export interface BotMessage {
  readonly text: string
  readonly botUserId: string
  readonly isDirect: boolean
  readonly isInThread: boolean
}

/** By Slack's own names: commands, action ids, callback ids, types of events. */
export interface Routes {
  readonly commands: Readonly<Record<string, ReadLine>>
  readonly actions: Readonly<Record<string, Route<ActionRequest>>>
  readonly views: Readonly<Record<string, Route<Submission>>>
  /** Global ones, and those in the menu of a message. */
  readonly shortcuts: Readonly<Record<string, Route<ShortcutRequest>>>
  /** Of menus that suggest while somebody types: as many options as Slack shows, each value once. */
  readonly suggestions: Readonly<
    Record<string, (house: House, typing: Typing) => Promise<readonly PlainTextOption[]>>
  >
  readonly events: readonly ReturnType<typeof event>[]
  /** Never throws. */
  meaningOf(house: House, said: BotMessage): LineRoute
}
