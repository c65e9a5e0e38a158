// Routes: the shape of a listener, and of the table of all of them, which `app.ts` fills in. The guard stands before each.
import type { App, EventFromType } from '@slack/bolt'
import type { House } from '../house.ts'
import { type About, endsAs, noteSender, requestNow } from '../log/request.ts'
import { doubling, retry, unlessStopped } from '../work/retry.ts'
import type {
  ActionRequest,
  CommandRequest,
  MessageRequest,
  Request,
  Submission,
  Suggestion,
  Typing,
} from './guard/requests.ts'
import type { Message } from './outbound/message.ts'
import { workspaceIdOf } from './workspace/installation.ts'

/** An operation as the guard calls it. What it throws is told to whoever asked. */
export type Listener<Asked> = (house: House, asked: Asked) => Promise<void>

/** A way in to an operation, and what the guard spares those who take it. `value`: of the button, or of the form. */
export interface Route<Asked> {
  /** What it is about, for the words when it fails, the log and the figures. */
  readonly about: About
  readonly run: Listener<Asked>
  /** It takes something back or away: it is not charged, however fast somebody asks. */
  readonly isFree?: (value: string) => boolean
  /** It changes nothing: it may come twice. It is charged. */
  readonly isReadOnly?: (value: string) => boolean
}

/** A command of words. Its line is parsed a single time, before anything else; what it asks decides how it is guarded. */
export interface Command<Ask> {
  readonly about: About
  /** Pure; never throws. @param line - As Slack sends it, escaped. */
  parse(house: House, line: string): Ask
  /** An answer that is known at once, such as help: it goes into the ack, and nothing else is done. */
  atOnce(house: House, ask: Ask): Message | undefined
  isFree(ask: Ask): boolean
  isReadOnly(ask: Ask): boolean
  /** It writes at the service: it is acked once it is kept, so that Slack says when it got lost before. */
  isKept(ask: Ask): boolean
  run(house: House, request: CommandRequest, ask: Ask): Promise<void>
}

/** A command whose line has been read. */
export interface Reading {
  readonly atOnce: Message | undefined
  readonly isFree: boolean
  readonly isReadOnly: boolean
  readonly isKept: boolean
  run(request: CommandRequest): Promise<void>
}

export interface CommandRoute {
  readonly about: About
  read(house: House, line: string): Reading
}

export function command<Ask>(of: Command<Ask>): CommandRoute {
  return {
    about: of.about,
    read(house, line) {
      const ask = of.parse(house, line)
      return {
        atOnce: of.atOnce(house, ask),
        isFree: of.isFree(ask),
        isReadOnly: of.isReadOnly(ask),
        isKept: of.isKept(ask),
        run: (request) => of.run(house, request, ask),
      }
    },
  }
}

/** What Slack tells of by itself. */
export interface Happened<Type extends string> {
  readonly workspaceId: string
  /** The bot's own, there. */
  readonly botUserId: string
  readonly event: EventFromType<Type>
}

export type EventListener<Type extends string> = (house: House, happened: Happened<Type>) => Promise<void>

/** Has Bolt listen to an event. */
export type EventRoute = (app: App, house: House) => void

/** @param how.deletes - It deletes what is kept of people, so that it is tried until it is done. */
export function event<Type extends string>(
  type: Type,
  run: EventListener<Type>,
  how: { readonly deletes: boolean } = { deletes: false },
): EventRoute {
  return (app, house) =>
    app.event(type, async ({ event: given }) =>
      handleEvent(house, type, how, (of) => run(house, { ...of, event: given })),
    )
}

/** People's tokens must not outlive an uninstall or their owner because the database was away. */
const triedForMs = 24 * 60 * 60_000
const pauses = doubling(1_000, 10 * 60_000)

/**
 * Runs an event's listener, once; what it throws is in the log alone. One that deletes is tried for a day: Bolt acks an
 * event before its listener runs, so Slack will not send it again.
 */
function handleEvent(
  house: House,
  type: string,
  { deletes }: { readonly deletes: boolean },
  listener: (of: { readonly workspaceId: string; readonly botUserId: string }) => Promise<void>,
): void {
  const { slack, log, now, wait, stopping } = house
  const givenUpAt = now() + triedForMs

  function pauseAfter(error: unknown, tries: number): number | undefined {
    if (deletes && !stopping.aborted && now() < givenUpAt) {
      log.warn({ err: error, event: type }, 'an event could not be handled; trying again')
      return pauses(tries)
    }
    endsAs('failed')
    log.error({ err: error, event: type }, 'giving up on an event')
    return undefined
  }

  const request = requestNow()
  if (request !== undefined) request.name = type
  // A stop waits for a try, and not for the pauses.
  const handle = () =>
    slack.work.run(async () => {
      const installation = await slack.learned()
      const workspaceId = workspaceIdOf(installation)
      noteSender(workspaceId)
      await listener({ workspaceId, botUserId: installation.botUserId })
    })
  const pause = (ms: number) => unlessStopped(wait(ms), stopping)
  // Not awaited: the event is acked. Whatever has failed is said by then.
  request?.goesOn.push(retry(handle, { pauseAfter, wait: pause }).catch(() => undefined))
}

/** What people write to the bot, in a mention or in their direct message with it. */
export interface Said {
  readonly text: string
  /** The bot's own id. */
  readonly botUserId: string
  /** In the direct message with the bot. */
  readonly isDirect: boolean
}

/** What somebody meant who wrote to the bot. */
export interface Meaning {
  readonly about: About
  readonly isFree: boolean
  readonly isReadOnly: boolean
  run(house: House, request: CommandRequest): Promise<void>
}

/** By Slack's own names: commands, action ids, callback ids, types of events. */
export interface Routes {
  readonly commands: Readonly<Record<string, CommandRoute>>
  readonly actions: Readonly<Record<string, Route<ActionRequest>>>
  /** Of submissions. */
  readonly views: Readonly<Record<string, Route<Submission>>>
  /** Global ones: they come from no conversation. */
  readonly shortcuts: Readonly<Record<string, Route<Request>>>
  /** In the menu of a message: what is answered goes into that message's thread. */
  readonly messageShortcuts: Readonly<Record<string, Route<MessageRequest>>>
  /** Of menus that suggest while somebody types. */
  readonly suggestions: Readonly<
    Record<string, (house: House, typing: Typing) => Promise<readonly Suggestion[]>>
  >
  readonly events: readonly EventRoute[]
  /** Pure; never throws. */
  meaningOf(house: House, said: Said): Meaning
}

export const always = () => true
