// Failures to look an alert up, each as a sentence: the service did not give it, or it was not begun. Pure.
// (What becomes of a grant is an outcome, not an error, and told by its receipt.)
import type { MonitorErrorCode } from '../../errors.ts'
import type { UndoneWords, WaitingWords } from '../../slack/request-topics.ts'

const sentences: Readonly<Record<MonitorErrorCode, string>> = {
  'bad-request': 'That is not an alert key. Copy the key or the link from the alert and try again.',
  refused: 'Your token is no longer accepted by the monitoring service. Connect your account again.',
  forbidden:
    'Your token lacks API+READ on the container of this alert: it needs both flags. Somebody with CONTAINER_ACCESS there can add what is missing.',
  'not-found': 'There is no such alert. Check the key; phones like to change capitals.',
  busy: 'The monitoring service is busy or has a fault. Try again in a minute.',
  unreachable: 'The monitoring service does not answer. Try again in a minute.',
  malformed:
    'The monitoring service answered in a way Bellhop does not understand. Tell whoever runs Bellhop.',
}

/** Said of a look-up that was not begun. */
export const alertUndone: UndoneWords = { nothing: 'Nothing was looked up.' }

/** Said of a look-up that waits for an account. */
export const alertWaits: WaitingWords = { toDo: 'To look this up for you' }

/** One sentence for the person who asked: what happened and what to do. Plain text. */
export function monitorSentence(code: MonitorErrorCode): string {
  return sentences[code]
}
