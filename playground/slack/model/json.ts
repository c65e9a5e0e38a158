// Reading JSON of unknown shape, as it comes from the bot: a value is what it claims to be, or undefined.

export type Json = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value when it is an object, otherwise an empty one. */
export function record(value: unknown): Json {
  return isRecord(value) ? value : {}
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function records(value: unknown): readonly Json[] {
  return list(value).filter(isRecord)
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** `true` also in the forms that a form-encoded body can carry. */
export function truth(value: unknown): boolean {
  return value === true || value === 'true' || value === '1' || value === 1
}

/** What may come as JSON text, as in a form. */
export function parsed(value: unknown): unknown {
  return typeof value === 'string' ? parseJson(value) : value
}

/** Parses JSON text; undefined when it is none. */
export function parseJson(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    return undefined
  }
}
