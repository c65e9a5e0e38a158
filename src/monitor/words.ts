// Failures of the service, in a sentence for whoever asked. Pure. (What becomes of a grant is an outcome, not an error, and
// told by its receipt.)
import type { MonitorErrorCode } from '../errors.ts'

const sentences: Readonly<Record<MonitorErrorCode, string>> = {
  'bad-request': 'Monitoring says that isn’t an alert key. Copy the key or the link from the alert.',
  refused: 'Monitoring no longer accepts your token. Connect your account again.',
  forbidden:
    'Your token lacks API or READ on this alert’s container: it needs both. Somebody with CONTAINER_ACCESS there can add what’s missing.',
  'not-found': 'There’s no such alert. Check the key, capitals included.',
  busy: 'Monitoring is busy or has a fault. Nothing was changed. Try again in a minute.',
  unreachable: 'Monitoring isn’t responding. Nothing was changed. Try again in a minute.',
  malformed: 'Monitoring answered in a way I don’t understand. Tell whoever runs Bellhop.',
}

/** One sentence for the person who asked: what happened and what to do. Plain text. */
export function monitorSentence(code: MonitorErrorCode): string {
  return sentences[code]
}
