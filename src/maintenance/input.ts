// Reads what stands behind `/alert maintenance`: what it is about, and until when. Pure.
import { timeWordOf } from '../grant/input/times.ts'
import type { ModeTarget } from '../monitor/schema.ts'
import { escapeText } from '../slack/text/mrkdwn.ts'
import { readWords } from '../slack/text/typed.ts'

/** Words that end maintenance. */
const endWords = new Set(['off', 'end', 'stop', 'over'])
/** Words that are skipped. */
const fillers = new Set(['of', 'on', 'the'])

export interface ModeLine {
  /** A number, a name, or an alert’s key; undefined if nothing is named. Raw. */
  readonly what: string | undefined
  readonly isQuoted: boolean
  readonly isOff: boolean
  /** The time as typed, with its first word: `for 2h`, `until 18:00`. Empty if no time is named. */
  readonly time: readonly string[]
}

/** @param line - Raw. A name in quotes keeps every word. */
export function readModeLine(line: string): ModeLine {
  const words = readWords(escapeText(line))
  const plainly = words.map(({ text, isQuoted }) => (isQuoted ? '' : text.toLowerCase()))
  const start = plainly.findIndex((word) => timeWordOf(word) !== undefined)
  const before = start === -1 ? words : words.slice(0, start)
  const isOff = start === -1 && endWords.has(plainly.at(-1) ?? '')
  const named = before
    .slice(0, isOff ? -1 : undefined)
    .filter(({ text, isQuoted }) => isQuoted || !fillers.has(text.toLowerCase()))
  const what = named.map(({ text }) => text).join(' ')

  return {
    what: what || undefined,
    isQuoted: named.some(({ isQuoted }) => isQuoted),
    isOff,
    time: start === -1 ? [] : words.slice(start).map(({ text }) => text),
  }
}

/**
 * The line behind `/alert maintenance` for one target, stored until an account is connected.
 * @param rest - `for 2h`, or `off`.
 */
export function modeWords({ container, asset }: ModeTarget, rest: string): string {
  const target = asset === undefined ? container : `${container}/${asset}`
  return `${target} ${rest}`.trim()
}

/** The whole line behind `/alert`, for buttons. */
export function modeLine(target: ModeTarget, rest: string): string {
  return `maintenance ${modeWords(target, rest)}`
}
