// Building stones for checking Block Kit: each rule reports what is wrong in Slack's words, with a pointer.
import { isRecord, list, record } from '../model/json.ts'

export type Surface = 'message' | 'modal' | 'home' | 'unfurl'

/** Collects complaints while one message or view is checked. */
export interface Report {
  readonly surface: Surface
  /** True inside an input block. */
  readonly inInput: boolean
  fail(complaint: string, pointer: string): void
}

export type Rule = (value: unknown, at: string, report: Report) => void

export interface Shape {
  readonly required?: Readonly<Record<string, Rule>>
  readonly optional?: Readonly<Record<string, Rule>>
  /** Rules between properties; runs only when the value is an object. */
  readonly also?: (value: Readonly<Record<string, unknown>>, at: string, report: Report) => void
}

/** Characters as Slack counts them in plain text: after `&`, `<` and `>` are escaped. */
export function escapedLength(value: string): number {
  let length = value.length
  for (const char of value) {
    if (char === '&') length += 4
    else if (char === '<' || char === '>') length += 3
  }
  return length
}

/** @param isEscaped - Count after escaping; false for mrkdwn, which comes escaped. */
export function string(range: { min?: number; max?: number; isEscaped?: boolean } = {}): Rule {
  const { min = 1, max, isEscaped = false } = range
  return (value, at, report) => {
    if (typeof value !== 'string') return report.fail('must be a string', at)
    const length = isEscaped ? escapedLength(value) : value.length
    if (length < min) report.fail(`must be more than ${min - 1} characters`, at)
    if (max !== undefined && length > max)
      report.fail(`must be less than ${max + 1} characters`, at)
  }
}

export const boolean: Rule = (value, at, report) => {
  if (typeof value !== 'boolean') report.fail('must be a boolean', at)
}

export function integer(range: { min?: number; max?: number } = {}): Rule {
  return (value, at, report) => {
    if (typeof value !== 'number' || !Number.isInteger(value))
      return report.fail('must be an integer', at)
    if (range.min !== undefined && value < range.min)
      report.fail(`must be greater than ${range.min - 1}`, at)
    if (range.max !== undefined && value > range.max)
      report.fail(`must be less than ${range.max + 1}`, at)
  }
}

export function oneOf(allowed: readonly string[]): Rule {
  return (value, at, report) => {
    if (typeof value !== 'string' || !allowed.includes(value)) {
      report.fail(`must be one of: ${allowed.join(', ')}`, at)
    }
  }
}

export function pattern(form: RegExp, complaint: string): Rule {
  return (value, at, report) => {
    if (typeof value !== 'string') return report.fail('must be a string', at)
    if (!form.test(value)) report.fail(complaint, at)
  }
}

export function url(max: number): Rule {
  const length = string({ max })
  return (value, at, report) => {
    length(value, at, report)
    if (typeof value !== 'string' || value === '') return
    const parsed = URL.canParse(value) ? new URL(value) : undefined
    const isWeb = parsed?.protocol === 'http:' || parsed?.protocol === 'https:'
    // Slack's own words, as in MacPaw/together-app#4.
    if (!isWeb || !/^[!-~]+$/.test(value)) report.fail('invalid url', at)
  }
}

export function listOf(rule: Rule, range: { min?: number; max?: number } = {}): Rule {
  const { min = 1, max } = range
  return (value, at, report) => {
    if (!Array.isArray(value)) return report.fail('must provide an array', at)
    if (value.length < min) report.fail(`no fewer than ${min} items allowed`, at)
    if (max !== undefined && value.length > max)
      report.fail(`no more than ${max} items allowed`, at)
    value.forEach((item, index) => {
      rule(item, `${at}/${index}`, report)
    })
  }
}

/** Reports every item of a list that has the same under this name as one before it. */
export function differIn(
  items: unknown,
  name: string,
  at: string,
  report: Report,
  where = '',
): void {
  const names = list(items).map((item) => record(item)[name])
  names.forEach((one, index) => {
    if (one !== undefined && names.indexOf(one) < index)
      report.fail(`\`${name}\` must be unique${where}`, `${at}/${index}/${name}`)
  })
}

export function object(shape: Shape): Rule {
  return (value, at, report) => {
    if (!isRecord(value)) return report.fail('must provide an object', at)
    checkShape(value, at, report, shape)
  }
}

/** Objects told apart by their `type`; `type` itself need not be named in the shapes. */
export function byType(shapes: Readonly<Record<string, Shape>>): Rule {
  return (value, at, report) => {
    if (!isRecord(value)) return report.fail('must provide an object', at)
    const { type } = value
    if (type === undefined) return report.fail('missing required field: type', at)
    const shape = typeof type === 'string' && Object.hasOwn(shapes, type) ? shapes[type] : undefined
    if (!shape) return report.fail(`unsupported type: ${String(type)}`, `${at}/type`)
    checkShape(value, at, report, { ...shape, optional: { ...shape.optional, type: () => {} } })
  }
}

function checkShape(
  value: Readonly<Record<string, unknown>>,
  at: string,
  report: Report,
  { required = {}, optional = {}, also }: Shape,
): void {
  for (const [name, rule] of Object.entries(required)) {
    if (value[name] === undefined) report.fail(`missing required field: ${name}`, at)
    else rule(value[name], `${at}/${name}`, report)
  }
  for (const [name, given] of Object.entries(value)) {
    if (Object.hasOwn(required, name)) continue
    const rule = Object.hasOwn(optional, name) ? optional[name] : undefined
    if (!rule) report.fail(`invalid additional property: ${name}`, at)
    else if (given !== undefined) rule(given, `${at}/${name}`, report)
  }
  also?.(value, at, report)
}
