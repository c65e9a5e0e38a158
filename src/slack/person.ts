// People of Slack: their ids, and their names among other words, as who somebody is must not be theirs to choose. Pure.
import { z } from 'zod'
import { cut } from './text/mrkdwn.ts'

/** An id, or the `ts` of a message. Plain signs: a database may refuse others, and a modal carries 3,000 in all. */
export const slackId = z.string().regex(/^[\x21-\x7e]{1,255}$/)

/** Milliseconds since 1970. */
export type Clock = () => number

/**
 * A person, as the bot's stores know them.
 * `workspaceId` is the installation's team, or its enterprise when the app is installed org-wide.
 */
export interface SlackUser {
  readonly workspaceId: string
  readonly userId: string
}

export interface Person extends SlackUser {
  /** As their colleagues know them, raw. People choose it, and two may have the same. */
  readonly name: string
  /** Raw. Nobody chooses it, and nobody else in the workspace has it; undefined where Slack has not said it. */
  readonly handle?: string | undefined
}

export function personKey({ workspaceId, userId }: SlackUser): string {
  return JSON.stringify([workspaceId, userId])
}

/** Whether a conversation is somebody's direct message. A group message cannot be told by its id. */
export function isDirectId(channelId: string): boolean {
  return channelId.startsWith('D')
}

const longestName = 60
const longestInLine = 40

/** Without one of these, a name looks like none: some signs of Unicode show nothing at all. */
const readable = /[\p{L}\p{N}]/u
/**
 * Blanks in a row, breaks of lines, and signs that show nothing or turn the direction of the words beside them: fillers of
 * Hangul and a pattern of Braille without dots too. Those between letters (U+200C, U+200D) belong to them.
 */
const gaps = /(?:[\s\p{Cc}\u115f\u1160\u3164\uffa0\u2800]|(?![\u200c\u200d])\p{Cf})+/gu
/** Letters that run from right to left: Hebrew, Arabic and the like. */
const fromRightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const likeHandle = /[(（[]?[@＠﹫]+[\w.-]*[)）\]]?/gu

/** The first name that can be read, raw, without signs that would turn the direction of what stands beside it; or `''`. */
export function firstReadable(names: readonly (string | undefined)[]): string {
  const clean = names.map((name = '') => name.replaceAll(gaps, ' ').trim())
  return cut(clean.find((name) => readable.test(name)) ?? '', longestName)
}

/** Text from outside that leaves the direction of what stands beside it alone. */
export function apart(text: string): string {
  return fromRightToLeft.test(text) ? `\u2068${text}\u2069` : text
}

/** A name among other words on one line; `''` when it cannot be read. Raw. */
export function nameInLine(name: string): string {
  return apart(cut(firstReadable([name]), longestInLine))
}

/**
 * Somebody, for whoever has to know for certain who it is: first the handle, which nobody else here has, then the name,
 * which they choose: `@alice (Alice Archer)`. Who is called by their handle is named once. Raw; `''` when there is neither.
 */
export function personInLine({ handle, name }: Pick<Person, 'handle' | 'name'>): string {
  const shown = nameInLine(name.replaceAll(likeHandle, ''))
  if (!handle || shown === handle) return shown
  return shown === '' ? `@${handle}` : `@${handle} (${shown})`
}
