// Rules for texts about an alert: how long each may be, and that no token stands in it. Pure.
import type { AlertWrite } from '../send/writes.ts'
import { looksLikeToken } from '../slack/text/typed.ts'

/** Code points that the service takes. Source: its documentation of “Assign”, “Message” and “Close”. */
const longest: Readonly<Record<AlertWrite['kind'], number>> = { assign: 240, comment: 240, close: 2_000 }

export const longestComment = longest.comment

/** What somebody wants to say about an alert. */
export interface WantedText {
  readonly kind: AlertWrite['kind']
  /** Raw. */
  readonly message: string
}

/** As the service counts them. */
export function lengthOf(message: string): number {
  return [...message].length
}

/** Why the service would not take it, in a sentence; undefined where it would. Raw. */
export function lengthProblem({ kind, message }: WantedText): string | undefined {
  const length = lengthOf(message)
  const most = longest[kind]
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
