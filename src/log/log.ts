// The bot's log: one JSON line an event, with no secret in it, written without waiting for whoever reads it.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { fstatSync } from 'node:fs'
import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type DestinationStream, type Logger, pino } from 'pino'
import { errorCode, type MonitorErrorCode } from '../errors.ts'

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

type Fields = Readonly<Record<string, unknown>>

/** Log with a method for each level, which takes a message, or fields and a message. An error goes into `err`. */
export interface Log extends Pick<Logger, Exclude<LogLevel, 'silent'>> {
  /** Logs failed work that is tried again; at debug if its cause, such as an outage, has log lines of its own. */
  failedJob(
    level: 'warn' | 'error',
    fields: Fields & { readonly err: unknown },
    message: string,
  ): void
  /** How many lines were lost because nobody read the output. */
  dropped(): number
  /** Resolves when all is written, or after a second. Nothing can be logged after that: call it as the process ends. */
  written(): Promise<void>
}

/** Bytes that may wait for a slow reader, some thousand lines; more is lost. */
const mostWaiting = 1024 * 1024
/** Longest wait for a slow reader as the process ends. */
const lastMs = 1_000

export function createLog(options: {
  readonly level: LogLevel
  /** Default: standard output. */
  readonly destination?: DestinationStream
}): Log {
  const output = options.destination === undefined ? openOutput() : undefined
  let dropped = 0
  let isUnread = false
  output?.on('drop', () => {
    dropped += 1
  })
  // After EPIPE, pino writes nothing more and doesn’t say so: every later line counts as dropped.
  output?.on('error', (error: unknown) => {
    if (errorCode(error) !== 'EPIPE') throw error
    isUnread = true
  })
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
      serializers: { err: (error: unknown) => describeError(error) },
      // A line that is logged while a request is handled can be found by the reference that the person was given.
      mixin: () => ({ request: idNow() }),
      hooks: {
        // Redacts last of all, so that nothing gets past it.
        streamWrite(line) {
          if (isUnread) dropped += 1
          return redact(line)
        },
      },
    },
    options.destination ?? output,
  )
  const own: Omit<Log, LogLevel> = {
    failedJob: (level, fields, message) =>
      logger[isAnnounced(fields.err) ? 'debug' : level](fields, message),
    dropped: () => dropped,
    async written() {
      if (output === undefined) return
      const flushed = new Promise<void>((resolve) => output.flush(() => resolve()))
      await Promise.race([flushed, wait(lastMs)])
      // Without this, the process would not end before a reader comes, and perhaps none does.
      output.destroy()
    },
  }
  return Object.assign(logger, own)
}

/** Lines go out at once, or wait in memory for a slow reader: the process itself never waits for one. */
function openOutput() {
  const output = fstatSync(1)
  // Wrapped in a Socket, a full pipe makes a write return at once instead of blocking the process.
  if (output.isFIFO() || output.isSocket())
    new Socket({ fd: 1, readable: false, writable: true }).on('error', () => undefined).unref()
  // Without a least length, `flush` would not wait for what is still being written.
  return pino.destination({ dest: 1, sync: false, minLength: 1, maxLength: mostWaiting })
}

/** Errors from trouble that is logged when it begins and when it ends: each error needs no stack in the log. */
const announced = new WeakSet<Error>()

export function announce(error: unknown): void {
  if (error instanceof Error) announced.add(error)
}

function isAnnounced(error: unknown): boolean {
  return error instanceof Error && (announced.has(error) || isAnnounced(error.cause))
}

const deepestCause = 5

/** Only these fields of an error are logged: clients attach whole requests, with headers and bodies, to their errors. */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error))
    return typeof error === 'string' ? error : `a thrown ${typeof error}`
  const { name, message, stack, cause } = error
  return {
    type: name,
    message,
    code: errorCode(error),
    stack: isAnnounced(error) ? undefined : stack,
    cause:
      cause === undefined || depth === deepestCause ? undefined : describeError(cause, depth + 1),
  }
}

/**
 * Trouble that lasts: one line when it begins, one when it ends, none in between. Both are warnings: whoever reads the
 * first must not miss the second.
 * @param how.now - Milliseconds.
 */
export function createTrouble({ log, now }: { readonly log: Log; readonly now: () => number }) {
  let since: number | undefined
  return {
    /** When the trouble began; undefined while all is well. */
    since: () => since,
    begins(fields: Fields, message: string) {
      if (since !== undefined) return
      since = now()
      log.warn(fields, message)
    },
    /** Logs the end, and how long the trouble lasted (`lastedSeconds`). */
    ends(message: string) {
      if (since === undefined) return
      // A clock that is set meanwhile may run backwards.
      const lastedSeconds = Math.max(0, Math.round((now() - since) / 1000))
      since = undefined
      log.warn({ lastedSeconds }, message)
    },
  }
}

const hidden = '[redacted]'

/**
 * Matches texts under names of secrets; Slack's tokens, but not their beginning in a sentence (“starts with xoxb-.”), what
 * follows `Bearer`, addresses that let anybody post (response_url, webhooks), one-time pages, and what services make tokens
 * of: 32 hexadecimal digits or more. Bellhop never logs tokens on purpose; others may have put one into an error.
 */
const secrets =
  /(?<="(?:token|authorization|cookie|secret|password)":")(?:[^"\\]|\\.)+|\b(?:xox[a-z](?:\.xox[a-z])?|xapp)-[\w.-]{8,}|\bBearer\s+[\w.~+/=:-]+|https?:\/\/[^\s"'\\/]+\/(?:commands|actions|response|app|services)\/[^\s"'\\]+|\/connect\/[\w-]{20,}|\b[0-9a-f]{32,}\b/gi

/** Hides secrets; JSON stays JSON. */
export function redact(text: string): string {
  return text.replaceAll(secrets, hidden)
}

/** The text without what breaks a line, steers a terminal, or turns the direction of the words beside it. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\p{Bidi_Control}]+/gu, ' ')
}

export type RequestOutcome =
  | 'ok'
  | 'user-error' // The asker can mend it
  | 'connect' // They were asked to connect an account first
  | `service-${MonitorErrorCode | 'changed' | 'is-there' | 'no-operation'}` // The service did not do it
  | 'uncertain' // Nobody knows whether it was done, for one of its people at least
  | 'partly' // Granted to some of several people
  | 'needs-approval' // A grant, held until a colleague approves it
  | 'limited' // Not begun, as the asker sent too many
  | 'stopped' // Nothing was sent any more, as Bellhop stopped
  | 'replayed' // The same request came before
  | 'failed' // A defect of ours, or a Slack that does not take the answer

/**
 * The topic of a request: `grant` if access may have been given, `act` if an alert may have been changed, `alert` if
 * neither can be, as with doctor, accounts and settings. Operators look for these words in the log, so they stay.
 */
export type About = 'alert' | 'act' | 'grant'

export interface HandledRequest {
  /** Short; the reference in error messages. */
  readonly id: string
  /** Undefined until it is known. */
  about?: About
  /** The command, button, form, shortcut or event, by its name; undefined if nothing listens to it. */
  name?: string
  /** Slack's ids of the asker and of their workspace, as far as they are known. */
  user?: string | undefined
  workspace?: string | undefined
  outcome: RequestOutcome
  /** Numbers of the audit records that were written for this request. */
  readonly recorded: number[]
  /** Called when what the request asks for is in the database, and can't be lost any more. */
  onKept?: () => void
  /** The asker's own text, which a message about a failure gives back. Raw. */
  toReturn?: string
}

/** Work that the bot does of its own accord has an id, but no request. */
const current = new AsyncLocalStorage<
  { readonly id: string; readonly request?: HandledRequest } | undefined
>()
const newId = () => randomUUID().slice(0, 8)

/** Runs `work`, and whatever it starts, as one request with an id of its own. */
export function asRequest<T>(work: (request: HandledRequest) => T): T {
  const id = newId()
  const request: HandledRequest = { id, outcome: 'ok', recorded: [] }
  return current.run({ id, request }, () => work(request))
}

/** Runs `work` under the current id; if there is none, under a new one. */
export function withId<T>(work: () => T): T {
  return current.getStore() === undefined ? current.run({ id: newId() }, work) : work()
}

/** Runs work outside the current request, so that its lines don’t get that request’s id. */
export function outsideRequest<T>(work: () => T): T {
  return current.run(undefined, work)
}

/** The request under way; undefined in work that the bot does of its own accord. */
export const requestNow = (): HandledRequest | undefined => current.getStore()?.request

/** Id of the work under way, for the log and the service's log: a request's, or that of work of the bot's own. */
export const idNow = (): string | undefined => current.getStore()?.id

/** Notes what is known of the request, if there is one. */
export const noteRequest = (known: Partial<HandledRequest>) =>
  void Object.assign(requestNow() ?? {}, known)

/** Notes what the request is about, unless that is known. */
export const noteAbout = (about: About): void =>
  noteRequest({ about: requestNow()?.about ?? about })

export const noteSender = (workspace: string, user = requestNow()?.user): void =>
  noteRequest({ workspace, user })

/** Resolves once `noteKept` was called for this request: from then on Slack may be told that it has arrived. */
export function whenKept(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  noteRequest({ onKept: resolve })
  return promise
}

/** Notes that what was asked for is in the database, which releases Slack’s ack of a request that waits for that. */
export const noteKept = (): void => requestNow()?.onKept?.()

export const noteOutcome = (outcome: RequestOutcome): void => noteRequest({ outcome })
