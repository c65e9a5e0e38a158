// The sentence for each way in which the monitoring service can fail to let somebody read.
// (What becomes of a grant is an outcome, not an error, and told by its receipt.)
import type { MonitorErrorCode } from '../errors.ts'
import { isFormUnopened, refusalSentence } from './client/refusal-sentences.ts'

/** What was asked of the bot; a grant that fails half way must not be asked again at once. */
export type Asked = 'alert' | 'grant'

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

/** One sentence for the person who asked: what happened and what to do. Plain text. */
export function monitorSentence(code: MonitorErrorCode): string {
  return sentences[code]
}

/** A defect of ours, or Slack: its word for why it refused, when it said one. */
export type FailureReason = 'defect' | { readonly refusal: string | undefined }

const afterGrant =
  'If a grant was sent, a direct message tells you what became of it; wait for that before you ask again.'

/** For what goes wrong in Bellhop or at Slack. @param reference - Stands in the log too. */
export function failureSentence(asked: Asked, reason: FailureReason, reference: string): string {
  const refusal = reason === 'defect' ? undefined : reason.refusal
  const known = refusal === undefined ? undefined : refusalSentence(refusal, reference)
  if (refusal !== undefined && known !== undefined) {
    return asked === 'grant' && !isFormUnopened(refusal) ? `${known} ${afterGrant}` : known
  }
  const what = reason === 'defect' ? 'Something went wrong in Bellhop.' : 'Slack did not take the answer.'
  if (asked === 'grant') return `${what} ${afterGrant} (Reference ${reference})`
  if (reason === 'defect') return `${what} Tell whoever runs it, with the reference ${reference}.`
  return `${what} Try again in a minute. (Reference ${reference})`
}
