// The bot's log: one JSON line an event, with no secret in it.
import { type DestinationStream, pino } from 'pino'
import { readableLine } from './line.ts'
import { type LogOutput, openLogOutput } from './output.ts'
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

const hidden = '[redacted]'

/**
 * Whatever stands under these names is a secret: in JSON, in JSON within a string within another, in a form or a query,
 * in a header, or as programs print objects. Not within a longer name, and bounded: a long line of letters costs no more
 * than its length.
 */
const secretName = `(?<![a-z0-9_-])(?:${[
  '[a-z0-9_-]{0,40}(?:token|secret|(?:api|access|private)[_-]?key|password|passwd|passphrase)s?',
  '[a-z0-9-]{0,20}authorization',
  'response_?urls?',
  'encryption_?keys?',
  'x-slack-signature',
  '(?:set-)?cookie',
].join('|')})`

/** A word that may be a secret. Words of sentences, and Slack’s with their underscores, are none, unless very long. */
const secretWord = String.raw`(?:(?=[^\s"'\\,;&(){}[\]]{0,80}\d)[^\s"'\\,;&(){}[\]]{6,}|[A-Za-z0-9+/=-]{20,}|[\w+/=-]{40,})`

/** A quote of JSON in a string, in a string within it, and so on. */
const quote = String.raw`\\{1,7}"`

const named = (text: string) => new RegExp(text, 'gi')

const secrets: readonly (readonly [RegExp, string])[] = [
  [named(String.raw`("${secretName}"\s*:\s*)"(?:[^"\\]|\\.)*"`), `$1"${hidden}"`],
  // Strings, and nothing that begins another list: many that never end are not read to the end each time.
  [named(String.raw`("${secretName}"\s*:\s*)\[(?:[^"[\]{}\\]|"(?:[^"\\]|\\.)*")*\]`), `$1["${hidden}"]`],
  [named(String.raw`(${quote}${secretName}${quote}\s*:\s*${quote})[^"\\]*`), `$1${hidden}`],
  [named(String.raw`(${secretName}=)[^&\s"'\\]+`), `$1${hidden}`],
  [named(String.raw`(${secretName}'?\s*[:=]\s*')[^'"\\]+`), `$1${hidden}`],
  // The quote is not the last one of a string of JSON.
  [named(String.raw`(${secretName}\s*[:=]\s*(?:"|${quote}))(?![,:}\]\s])[^"\\]+`), `$1${hidden}`],
  [named(String.raw`(${secretName}\s*[:=]\s*(?:(?:token|apikey)\s+)?)${secretWord}`), `$1${hidden}`],
  // Headers as Node lists them.
  [named(String.raw`("${secretName}",\s*")${secretWord}(?=")`), `$1${hidden}`],
  [named(String.raw`(${quote}${secretName}${quote},\s*${quote})${secretWord}`), `$1${hidden}`],
  [/\b(?:xox[a-z](?:\.xox[a-z])?|xapp)-[\w.-]+/gi, hidden],
  [/\b(Bearer\s+|Basic\s+(?=[\w+/=]{16}))[\w.~+/=:-]+/gi, `$1${hidden}`],
  // Addresses that let anybody post: response_url, and webhooks. Bounded as well.
  [/https?:\/\/[^\s"'\\]{0,300}\/(?:commands|actions|response|app|services)\/[^\s"'\\]+/g, hidden],
  [/\bhooks\.slack(?:-gov)?\.com\/[^\s"'\\]+/gi, hidden],
  // The one-time page on which somebody gives their token.
  [/(\/connect\/)[\w-]{20,}/g, `$1${hidden}`],
  // Long, and of capitals and small letters with digits, or hexadecimal: ids of ours and names of files are not.
  [
    /\/(?:(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d|[\w-]{40})[\w-]{32,}|[0-9a-f]{32,}|[0-9A-F]{32,})(?![\w-])/g,
    `/${hidden}`,
  ],
]

/** In whatever any of them finds. Most lines have nothing of it, and are looked through once. */
const hint =
  /token|secret|authorization|response_?url|_?key|signature|passw|passphrase|cookie|xox|xapp|bearer|basic|https?:|hooks\.slack|\/connect\/|\/[\w-]{32}/i

/** The text without what looks like a secret, wherever in it that stands. JSON stays JSON. */
export function redact(text: string): string {
  if (!hint.test(text)) return text
  return secrets.reduce((rest, [secret, instead]) => rest.replaceAll(secret, instead), text)
}
