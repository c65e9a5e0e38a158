// The bot's log: one JSON line an event, with no secret in it, written without waiting for whoever reads it.
import { fstatSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type DestinationStream, pino } from 'pino'
import { errorCode } from '../errors.ts'
import { readableLine, redact } from './line.ts'
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
  /** Resolves when all is written, or after a second. To be awaited before the process is ended. */
  written(): Promise<void>
}

export function createLog(options: {
  readonly level: LogLevel
  /** Gets each line, and is flushed after a warning or an error; standard output when not given. */
  readonly destination?: DestinationStream & Partial<LogOutput>
  /** Lines for somebody who looks on in a terminal, instead of JSON. */
  readonly isForReading?: boolean
}): Log {
  const settings = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: (error: unknown) => describeError(error) },
    // Whatever is logged while a request is handled can be found by the reference that the person was given.
    mixin: () => {
      const request = idNow()
      return request === undefined ? {} : { request }
    },
    // Last of all, so that nothing gets past it.
    hooks: {
      streamWrite: options.isForReading ? (line: string) => redact(readableLine(redact(line))) : redact,
    },
  }
  const { destination = openLogOutput() } = options
  const logger = pino(settings, destination)
  const flush = () => destination.flush?.()
  destination.onTaken?.((lines) => logger.warn({ lines }, 'lines of this log are lost: nobody read them'))
  const writers = {
    // Steps are told on the way of every request: where nobody wants them, they cost a call.
    debug: logger.isLevelEnabled('debug')
      ? writer((fields, message) => logger.debug(fields, message))
      : untold,
    info: writer((fields, message) => logger.info(fields, message)),
    // Whoever looks for what went wrong must find it, whatever comes next.
    warn: writer((fields, message) => logger.warn(fields, message), flush),
    error: writer((fields, message) => logger.error(fields, message), flush),
  }
  return {
    ...writers,
    failedJob: (level, fields, message) =>
      writers[isAnnounced(fields.err) ? 'debug' : level](fields, message),
    dropped: () => destination.dropped?.() ?? 0,
    written: async () => destination.written?.(),
  }
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

const untold: Write = () => undefined

function writer(write: (fields: Fields, message: string) => void, written?: () => void): Write {
  return (first: string | Fields, message?: string) => {
    if (typeof first === 'string') write({}, first)
    else write(first, message ?? '')
    written?.()
  }
}

const deepestCause = 5

/** No more than this of an error: clients hang requests, with headers and bodies, on theirs. */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : `a thrown ${typeof error}`
  const code = 'code' in error && typeof error.code !== 'object' ? error.code : undefined
  const cause =
    error.cause === undefined || depth === deepestCause ? undefined : describeError(error.cause, depth + 1)
  return {
    type: error.name,
    message: error.message,
    code,
    stack: isAnnounced(error) ? undefined : error.stack,
    cause,
  }
}

/** Trouble that lasts: one line when it begins, one when it ends, none in between. */
export interface Trouble {
  /** When it began, by the clock that was given; undefined while all is well. */
  since(): number | undefined
  /** Says so, unless it has begun already. */
  begins(fields: Fields, message: string): void
  /** Says so, and how long it lasted (`lastedSeconds`); nothing when none had begun. */
  ends(fields: Fields, message: string): void
}

/**
 * Both lines have the same level: whoever reads the first must not miss the second.
 * @param room.now - Milliseconds.
 * @param room.level - Default: warn.
 */
export function createTrouble(room: {
  readonly log: Log
  readonly now: () => number
  readonly level?: 'warn' | 'error'
}): Trouble {
  const { log, now, level = 'warn' } = room
  let since: number | undefined
  return {
    since: () => since,
    begins(fields, message) {
      if (since !== undefined) return
      since = now()
      log[level](fields, message)
    },
    ends(fields, message) {
      if (since === undefined) return
      // A clock that is set meanwhile may run backwards.
      const lastedSeconds = Math.max(0, Math.round((now() - since) / 1000))
      since = undefined
      log[level]({ ...fields, lastedSeconds }, message)
    },
  }
}

// Lines of a moment go out together, as each write of its own would cost more than the line, a tenth of the acks a
// second. A process that is killed loses no more than that moment. Nothing here waits for whoever reads: lines that
// nobody takes wait in memory, and past a bound they are dropped and counted.

/** How long a line may wait for others. */
const momentMs = 50
/** Lines go out at once when so many characters wait. */
const momentChars = 8 * 1024
/** Most characters that wait, some thousand lines. A pipe holds 64 KiB beside them. */
const mostWaitingChars = 1024 * 1024
/** How often a reader that takes nothing is tried again. */
const againMs = 20
/** An end waits for a slow reader as long as this. */
const lastMs = 1_000

const standardOutput = 1

interface LogOutput extends DestinationStream {
  /** Writes what waits, as far as it is taken. */
  flush(): void
  /** Resolves when all is written, or after a second. */
  written(): Promise<void>
  /** Lines that were dropped so far. */
  dropped(): number
  /** Called once lines are taken again after some were dropped, with their number. Replaces an earlier one. */
  onTaken(listener: (dropped: number) => void): void
}

function openLogOutput(): LogOutput {
  let waiting = ''
  /** What was begun: a pipe may take a part of a line. */
  let begun = Buffer.alloc(0)
  let timer: NodeJS.Timeout | undefined
  let isUsed = false
  let isGone = false
  let dropped = 0
  let droppedBefore = 0
  let tell: (dropped: number) => void = () => undefined

  function use(): void {
    isUsed = true
    doNotWait()
    process.once('exit', finish)
  }

  function drop(lines: string): void {
    for (let at = lines.indexOf('\n'); at !== -1; at = lines.indexOf('\n', at + 1)) dropped += 1
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    while (waiting !== '' || begun.length > 0) {
      if (begun.length === 0) {
        begun = Buffer.from(waiting)
        waiting = ''
      }
      const taken = writeOut(begun)
      if (taken === 'gone') giveUp()
      if (taken === 'later') tryAgain()
      if (typeof taken === 'string') return
      begun = begun.subarray(taken)
    }
    if (dropped === droppedBefore) return
    const count = dropped - droppedBefore
    droppedBefore = dropped
    tell(count)
  }

  function tryAgain(): void {
    timer = setTimeout(flush, againMs).unref()
  }

  function giveUp(): void {
    isGone = true
    drop(begun.toString())
    drop(waiting)
    begun = Buffer.alloc(0)
    waiting = ''
  }

  const isDone = () => waiting === '' && begun.length === 0

  /** At the very end nothing happens later, so this waits by standing still. */
  function finish(): void {
    const cell = new Int32Array(new SharedArrayBuffer(4))
    for (let left = lastMs; ; left -= againMs) {
      flush()
      if (isDone() || left <= 0) return
      Atomics.wait(cell, 0, 0, againMs)
    }
  }

  return {
    write(line) {
      if (!isUsed) use()
      if (isGone || waiting.length + begun.length + line.length > mostWaitingChars) return drop(line)
      waiting += line
      if (waiting.length >= momentChars && begun.length === 0) flush()
      else timer ??= setTimeout(flush, momentMs).unref()
    },
    flush,
    async written() {
      for (let left = lastMs; ; left -= againMs) {
        flush()
        if (isDone()) return
        // Nobody reads: the end need not wait for them once more.
        if (left <= 0) return giveUp()
        await wait(againMs)
      }
    },
    dropped: () => dropped,
    onTaken(listener) {
      tell = listener
    },
  }
}

/** @returns How many bytes were taken; `later` when there is no room now, `gone` when nobody will ever read. */
function writeOut(bytes: Buffer): number | 'later' | 'gone' {
  try {
    return writeSync(standardOutput, bytes)
  } catch (error) {
    const code = errorCode(error)
    // A disk that is full may have room again.
    return code === 'EPIPE' || code === 'EBADF' ? 'gone' : 'later'
  }
}

/**
 * Has a write to a pipe or a socket return at once where there is no room: whoever makes a stream of it has Node set
 * that. Node itself takes it back at the end. Files always have room, and a terminal is the shell's too.
 */
function doNotWait(): void {
  const output = fstatSync(standardOutput)
  if (!output.isFIFO() && !output.isSocket()) return
  new Socket({ fd: standardOutput, readable: false, writable: true }).on('error', () => undefined).unref()
}
