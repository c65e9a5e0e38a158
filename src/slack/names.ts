// Names of people, as others read them. Pure.
import { cut } from './mrkdwn.ts'
import type { Person } from './requests.ts'

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

/** With the handle beside it, for somebody who has to know for certain who it is. Raw. */
export function certainName({ name, handle }: Pick<Person, 'name' | 'handle'>): string {
  return handle === undefined || handle === name ? name : `${name} (@${handle})`
}
