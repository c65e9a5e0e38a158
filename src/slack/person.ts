// People of Slack: their ids, and names that can’t pass for somebody else’s when they stand among other words. Pure.
import { z } from 'zod'
import { cut } from './text/mrkdwn.ts'

/**
 * An id of Slack's, or the `ts` of a message: plain ASCII, as databases may refuse other signs, and short, to fit a modal.
 */
export const slackId = z.string().regex(/^[\x21-\x7e]{1,255}$/)

/** Milliseconds since 1970. */
export type Clock = () => number

/** `workspaceId` is the installation's team, or its enterprise when the app is installed org-wide. */
export interface SlackUser {
  readonly workspaceId: string
  readonly userId: string
}

/** Somebody with their token of the service: what the token shows is for them alone. */
export interface Account {
  readonly owner: SlackUser
  readonly token: string
}

export interface Person extends SlackUser {
  /** Raw. People choose their name, and two may have the same. */
  readonly name: string
  /** Raw. Handles are unique in the workspace, and nobody chooses theirs. Undefined when Slack has not said it. */
  readonly handle?: string | undefined
}

export function personKey({ workspaceId, userId }: SlackUser): string {
  return JSON.stringify([workspaceId, userId])
}

/** True for a direct message with one person. A group message can't be told from a channel by its id. */
export function isDirectId(channelId: string): boolean {
  return channelId.startsWith('D')
}

const longestName = 60
const longestInLine = 40

/** A letter or a digit: a name without any may show nothing at all. */
const readable = /[\p{L}\p{N}]/u
/**
 * Blanks, line breaks, and signs that show nothing (Hangul fillers, Braille without dots) or turn text's direction.
 * U+200C and U+200D stay: they belong to the letters they stand between.
 */
const gaps = /(?:[\s\p{Cc}\u115f\u1160\u3164\uffa0\u2800]|(?![\u200c\u200d])\p{Cf})+/gu
const fromRightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const likeHandle = /[(（[]?[@＠﹫]+[\w.-]*[)）\]]?/gu

/** The first name that can be read, without signs that would turn the text beside it; or `''`. Raw. */
export function firstReadable(names: readonly (string | undefined)[]): string {
  const clean = names.map((name = '') => name.replaceAll(gaps, ' ').trim())
  return cut(clean.find((name) => readable.test(name)) ?? '', longestName)
}

/** Wraps text from outside, so that it does not turn the direction of the text beside it. */
export function apart(text: string): string {
  return fromRightToLeft.test(text) ? `\u2068${text}\u2069` : text
}

/** A name among other words on one line; `''` when it cannot be read. Raw. */
export function nameInLine(name: string): string {
  return apart(cut(firstReadable([name]), longestInLine))
}

/**
 * Somebody for a reader who must be certain who it is: first the handle, which is unique, then the name, which people
 * choose, as in `@alice (Alice Archer)`; only one of the two when they are the same. Raw; `''` when there is neither.
 */
export function personInLine({ handle, name }: Pick<Person, 'handle' | 'name'>): string {
  const shown = nameInLine(name.replaceAll(likeHandle, ''))
  if (!handle || shown === handle) return shown
  return shown === '' ? `@${handle}` : `@${handle} (${shown})`
}
