// Text of a log line: without its secrets, and, for somebody who reads along in a terminal, in words and colours. Pure.

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

const colours: Readonly<Record<string, string>> = { debug: '2', info: '36', warn: '33', error: '31' }

function paint(code: string, text: string): string {
  return `\u001b[${code}m${text}\u001b[0m`
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(line)
    return isRecord(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

function readable(value: unknown): string {
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value))
}

function errorOf(err: unknown): string[] {
  if (!isRecord(err)) return err === undefined ? [] : [readable(err)]
  const { type, message, code, cause } = err
  const said = `${readable(type ?? 'Error')}: ${readable(message ?? '')}`
  const because = errorOf(cause).map((one) => `because ${one}`)
  return [code === undefined ? said : `${said} (${readable(code)})`, ...because]
}

/** `12:00:03 warn  what happened  key=value  Error: why`, in colours. A line that is not JSON stays as it is. */
export function readableLine(line: string): string {
  const parsed = parse(line)
  if (parsed === undefined) return line
  const { time, level, msg, err, ...fields } = parsed
  const name = readable(level ?? '')
  const rest = [...Object.entries(fields).map(([key, value]) => `${key}=${readable(value)}`), ...errorOf(err)]
  const head = `${readable(time ?? '').slice(11, 19)} ${paint(colours[name] ?? '0', name.padEnd(5))}`
  const tail = rest.length === 0 ? '' : `  ${paint('2', rest.join('  '))}`
  return `${head} ${readable(msg ?? '')}${tail}\n`
}

/** Without what breaks a line, steers a terminal, or turns the direction of the words beside it. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\p{Bidi_Control}]+/gu, ' ')
}
