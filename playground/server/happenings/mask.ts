// Makes secrets unreadable in everything that is shown of requests.
import { isRecord, parseJson } from '../../slack/model/json.ts'

const DOTS = '••••'

export interface Mask {
  /** Text with the known secrets, and the secret part of response urls, made unreadable. */
  text(source: string): string
  /** The same for every string in there; strings under a key that names a secret are made unreadable whole. */
  json(value: unknown): unknown
}

const namesSecret = /token|secret|authorization|signature|password|cookie/i

/** What stands after it in an address is as good as a password. */
const secretPart = /(\/(?:commands|actions|app)\/[TE][A-Z0-9]+\/\d+\/|\/connect\/|\?ticket=)[\w-]+/g

/** Slack’s tokens have a shape. */
const slackToken = /\bx(?:ox[a-z]|app)-[\w-]{6,}/g

/** A token that somebody typed where it does not belong; “Connect your account” is said by the bot. */
const afterConnect =
  /(?<=(?:^\s*(?:<@\w+>\s*)?|\btyped \/|\bwrote “(?:@\S+\s+)?)(?:\/?alert\s+)?connect\s+)(?!account\b|your\b|it\b)[^\s”]+/gi

/** @param secrets - What must not be read anywhere, such as the bot's token. */
export function createMask(secrets: readonly string[]): Mask {
  function text(source: string): string {
    const known = secrets.reduce((masked, secret) => masked.replaceAll(secret, DOTS), source)
    return known
      .replace(secretPart, `$1${DOTS}`)
      .replace(slackToken, DOTS)
      .replace(afterConnect, DOTS)
  }

  function anyText(source: string): string {
    const parsed = /^\s*[{[]/.test(source) ? parseJson(source) : undefined
    if (parsed === undefined) return text(source)
    // Only what holds a secret is written anew: the rest keeps the form in which it was sent.
    const before = JSON.stringify(parsed)
    const after = JSON.stringify(json(parsed))
    return before === after ? source : after
  }

  function json(value: unknown, isSecret = false): unknown {
    if (typeof value === 'string') return isSecret && value !== '' ? DOTS : anyText(value)
    if (Array.isArray(value)) return value.map((one) => json(one, isSecret))
    if (!isRecord(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, held]) => [
        text(key),
        key === 'type' && typeof held === 'string'
          ? text(held)
          : json(held, isSecret || namesSecret.test(key)),
      ]),
    )
  }

  return { text, json: (value) => json(value) }
}
