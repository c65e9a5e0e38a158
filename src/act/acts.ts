// Acts on an alert: what differs between them, and rules for their texts: how long each may be, and that no token stands in
// it. Pure.
import type { AlertWrite } from '../send/outcome.ts'
import { isBlank, looksLikeToken } from '../slack/text/typed.ts'

interface Act {
  /** Code points of its text that the service takes. */
  readonly longest: number
  /** The flag, beside API, that the service wants. */
  readonly flag: string
  /** Before “the alert”. */
  readonly verb: string
  /** Before “alert “5HkX””. */
  readonly noun: string
}

/** Source: the service’s documentation of “Assign”, “Message” and “Close”. */
export const acts: Readonly<Record<AlertWrite['kind'], Act>> = {
  assign: { longest: 240, flag: 'ALERT_ASSIGN', verb: 'assign', noun: 'assigning' },
  comment: { longest: 240, flag: 'ALERT_CHANGE', verb: 'comment on', noun: 'your comment on' },
  close: { longest: 2_000, flag: 'ALERT_CHANGE', verb: 'close', noun: 'closing' },
}

export const longestComment = acts.comment.longest

/** As the service counts them. */
export function lengthOf(message: string): number {
  return [...message].length
}

/** Why the service would not take it, in a sentence; undefined where it would. Raw. */
export function textRefusal(kind: AlertWrite['kind'], message: string): string | undefined {
  if (kind === 'comment' && isBlank(message)) return 'Type a comment: spaces alone are none.'
  const length = lengthOf(message)
  const most = acts[kind].longest
  return length > most ? `Monitoring takes ${most} characters at most, and that’s ${length}.` : undefined
}

/** Among its words, or inside one of them where the token is known. */
export function holdsToken(message: string, token: string | undefined): boolean {
  return (token !== undefined && message.includes(token)) || message.split(/\s+/).some(looksLikeToken)
}

/** The text with a word in place of each of them: what is cut off before would leave the beginning of one. Raw. */
export function withoutTokens(message: string, token: string | undefined): string {
  const others = token === undefined ? message : message.replaceAll(token, tokenGone)
  return others.replaceAll(/\S+/g, (word) => (looksLikeToken(word) ? tokenGone : word))
}

const tokenGone = '[token]'
