// The sentence for each way in which the monitoring service can fail to answer.
import type { MonitorErrorCode } from '../errors.ts'

/** What was asked of the service, for sentences that name it. */
export type Asked = 'alert' | 'grant'

const sentences: Readonly<Record<MonitorErrorCode, (asked: Asked) => string>> = {
  'bad-request': (asked) =>
    asked === 'alert'
      ? 'That is not an alert key. Copy the key or the link from the alert and try again.'
      : 'The service did not accept that.',
  refused: () => 'Your token is no longer accepted by the monitoring service. Connect your account again.',
  forbidden: (asked) =>
    asked === 'alert'
      ? 'Your token lacks API and READ there, and both are needed to look up this alert. Somebody who manages access to that container can add them.'
      : 'Your token lacks API and CONTAINER_ACCESS there, and both are needed to add people. Ask somebody who has them.',
  'not-found': (asked) =>
    asked === 'alert'
      ? 'There is no such alert. Check the key: capitals and small letters matter.'
      : 'There is no such container.',
  busy: () =>
    'The monitoring service is busy or has a fault. It was asked more than once; try again in a minute.',
  unreachable: () => 'The monitoring service does not answer. Try again in a minute.',
  malformed: () =>
    'The monitoring service answered in a way Bellhop does not understand. Tell whoever runs Bellhop.',
}

/** One sentence for the person who asked: what happened and what to do. Plain text. */
export function monitorSentence(code: MonitorErrorCode, asked: Asked): string {
  return sentences[code](asked)
}
