// Failures to look an alert up, each as a sentence: the service did not give it, or it was not begun. Pure.
// (What becomes of a grant is an outcome, not an error, and told by its receipt.)
import type { MonitorErrorCode } from '../../errors.ts'
import type { UndoneWords, WaitingWords } from '../../slack/request-topics.ts'

const noAnswer = {
  busy: 'Monitoring is busy or has a fault. Nothing was changed.',
  unreachable: 'Monitoring isn’t responding. Nothing was changed.',
} as const

const sentences: Readonly<Record<MonitorErrorCode, string>> = {
  'bad-request': 'Monitoring says that isn’t an alert key. Copy the key or the link from the alert.',
  refused: 'Monitoring no longer accepts your token. Connect your account again.',
  forbidden:
    'Your token lacks API or READ on this alert’s container: it needs both. Somebody with CONTAINER_ACCESS there can add what’s missing.',
  'not-found': 'There’s no such alert. Check the key, capitals included.',
  busy: `${noAnswer.busy} Try again in a minute.`,
  unreachable: `${noAnswer.unreachable} Try again in a minute.`,
  malformed: 'Monitoring answered in a way Bellhop doesn’t understand. Tell whoever runs Bellhop.',
}

/** Said of what /alert did not begin: a look-up, a change, or anything else. */
export const alertUndone: UndoneWords = { nothing: 'Nothing was done.' }

/** Said of a look-up that waits for an account. */
export const alertWaits: WaitingWords = { toDo: 'To look this up' }

/** One sentence for the person who asked: what happened and what to do. Plain text. */
export function monitorSentence(code: MonitorErrorCode): string {
  return sentences[code]
}

/** As `monitorSentence`, above a button that tries again. Plain text. */
export function tryAgainSentence(code: keyof typeof noAnswer): string {
  return noAnswer[code]
}

const looksLikeOne = 'That looks like an API token, so I didn’t look it up or store it.'

const tokenSentences = {
  command: `${looksLikeOne} To connect your account, press Connect account and paste the token there.`,
  direct: `${looksLikeOne} Delete your message, then press Connect account and paste the token there.`,
  channel: `${looksLikeOne} Delete your message and revoke the token in monitoring: others may have seen it. Then press Connect account and paste a new one.`,
} as const

/**
 * To whoever has typed a token where a key belongs. Plain text.
 * @param where - Typed as a command, or written for the bot alone, or for others to see.
 */
export function tokenSentence(where: keyof typeof tokenSentences): string {
  return tokenSentences[where]
}
