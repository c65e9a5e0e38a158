// A log line as somebody reads it in a terminal, made of the JSON that would be written otherwise. Pure.

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
