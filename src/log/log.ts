// The bot's log: one JSON line an event, with no secret in it, written without waiting for whoever reads it.
import { fstatSync } from 'node:fs'
import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type DestinationStream, pino } from 'pino'
import { redact } from './line.ts'
import { idNow } from './request.ts'

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

type Fields = Readonly<Record<string, unknown>>

interface Write {
  (message: string): void
  /** An error goes into `err`. */
  (fields: Fields, message: string): void
}

export interface Log {
  readonly debug: Write
  readonly info: Write
  readonly warn: Write
  readonly error: Write
  /** Background work failed, which is tried again: only a step while the cause is announced. */
  failedJob(
    level: 'warn' | 'error',
    fields: { readonly err: unknown; readonly [name: string]: unknown },
    message: string,
  ): void
  /** How many lines nobody has taken, and so are lost. */
  dropped(): number
  /** Resolves when all is written, or after a second. The last that is done with it, before the process is ended. */
  written(): Promise<void>
}

/** Names under which a secret may be logged by mistake, in what is logged and one step below. */
const secretNames = ['token', 'authorization', 'cookie', 'secret', 'password']
/** Most that waits for a reader, some thousand lines; what is more is lost. */
const mostWaiting = 1024 * 1024
/** An end waits for a slow reader as long as this. */
const lastMs = 1_000

export function createLog(options: {
  readonly level: LogLevel
  /** Gets each line; standard output when not given. */
  readonly destination?: DestinationStream
}): Log {
  const output = options.destination === undefined ? openOutput() : undefined
  let dropped = 0
  output?.on('drop', () => {
    dropped += 1
  })
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
      serializers: { err: (error: unknown) => describeError(error) },
      redact: secretNames.flatMap((name) => [name, `*.${name}`]),
      // Whatever is logged while a request is handled can be found by the reference that the person was given.
      mixin: () => ({ request: idNow() }),
      // Last of all, so that nothing gets past it.
      hooks: { streamWrite: redact },
    },
    options.destination ?? output ?? openOutput(),
  )
  const writes = {
    debug: logger.debug.bind(logger),
    info: logger.info.bind(logger),
    warn: logger.warn.bind(logger),
    error: logger.error.bind(logger),
  }
  return {
    ...writes,
    failedJob: (level, fields, message) => writes[isAnnounced(fields.err) ? 'debug' : level](fields, message),
    dropped: () => dropped,
    async written() {
      if (output === undefined) return
      const flushed = new Promise<void>((resolve) => output.flush(() => resolve()))
      await Promise.race([flushed, wait(lastMs)])
      // Or the end would wait for a reader that does not come.
      output.destroy()
    },
  }
}

/** Lines go out at once, or wait in memory for a slow reader: nothing here waits for one. */
function openOutput() {
  const output = fstatSync(1)
  // Node has writes to a pipe return at once, where there is no room, once a socket is made of it.
  if (output.isFIFO() || output.isSocket())
    new Socket({ fd: 1, readable: false, writable: true }).on('error', () => undefined).unref()
  // Without a least length, `flush` would not wait for what is still being written.
  return pino.destination({ dest: 1, sync: false, minLength: 1, maxLength: mostWaiting })
}

/** Errors whose cause has a line of its own, when it begins and when it ends: theirs need no stack. */
const announced = new WeakSet<Error>()

/** The log has said what is behind this error. */
export function announce(error: unknown): void {
  if (error instanceof Error) announced.add(error)
}

function isAnnounced(error: unknown): boolean {
  return error instanceof Error && (announced.has(error) || isAnnounced(error.cause))
}

const deepestCause = 5

/** No more than this of an error: clients hang requests, with headers and bodies, on theirs. */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : `a thrown ${typeof error}`
  const { name, message, stack, cause } = error
  return {
    type: name,
    message,
    code: 'code' in error && typeof error.code !== 'object' ? error.code : undefined,
    stack: isAnnounced(error) ? undefined : stack,
    cause: cause === undefined || depth === deepestCause ? undefined : describeError(cause, depth + 1),
  }
}

/**
 * Trouble that lasts: one line when it begins, one when it ends, none in between. Both have the same level: whoever reads
 * the first must not miss the second.
 * @param room.now - Milliseconds.
 * @param room.level - Default: warn.
 */
export function createTrouble(room: {
  readonly log: Log
  readonly now: () => number
  readonly level?: 'warn' | 'error'
}) {
  const { log, now, level = 'warn' } = room
  let since: number | undefined
  return {
    /** When it began; undefined while all is well. */
    since: () => since,
    begins(fields: Fields, message: string): void {
      if (since !== undefined) return
      since = now()
      log[level](fields, message)
    },
    /** Says as well how long it lasted (`lastedSeconds`). */
    ends(fields: Fields, message: string): void {
      if (since === undefined) return
      // A clock that is set meanwhile may run backwards.
      const lastedSeconds = Math.max(0, Math.round((now() - since) / 1000))
      since = undefined
      log[level]({ ...fields, lastedSeconds }, message)
    },
  }
}
