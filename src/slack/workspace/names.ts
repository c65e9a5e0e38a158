// Names of people, as others read them. Pure.

import type { Person } from '../ids.ts'
import { cut } from '../text/mrkdwn.ts'

const longestName = 60

const unreadable = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
/** Without one of these, a name looks like none: some signs of Unicode show nothing at all. */
const readable = /[\p{L}\p{N}]/u
/** Letters that show nothing: fillers of Hangul. */
const blank = /[\u115f\u1160\u3164\uffa0]/gu

/**
 * The first name that can be read, without signs that would turn the direction of the words beside it; `''` when none
 * can.
 * @param names - The likeliest first, raw.
 */
export function firstReadable(names: readonly (string | undefined)[]): string {
  const clean = names.map((name) => (name ?? '').replaceAll(unreadable, ' ').trim())
  return cut(clean.find((name) => readable.test(name.replaceAll(blank, ''))) ?? '', longestName)
}

const longestNameInLine = 40
/** Breaks of lines, and signs that show nothing. Those between letters (U+200C, U+200D) belong to how they are written. */
const gaps = /(?:\s|(?![\u200c\u200d])\p{Cf})+/gu
/** Letters that run from right to left: Hebrew, Arabic and the like. */
const fromRightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Text from outside that leaves the direction of what stands beside it alone. */
export function apart(text: string): string {
  return fromRightToLeft.test(text) ? `\u2068${text}\u2069` : text
}

/** A name among other words on one line; `''` when it cannot be read. Raw. */
export function nameInLine(name: string): string {
  return apart(cut(firstReadable([name]).replaceAll(gaps, ' ').trim(), longestNameInLine))
}

/** With the handle beside it, for somebody who has to know for certain who it is. Raw. */
export function certainName({ name, handle }: Pick<Person, 'name' | 'handle'>): string {
  return handle === undefined || handle === name ? name : `${name} (@${handle})`
}
