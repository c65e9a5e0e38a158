// What `/alert help` says. Pure.
import { type Message, sayMarked } from '../slack/message.ts'

/** What `/alert` does, in the fewest lines. */
export function renderHelp(alertUrl: string | undefined): Message {
  const lines = [
    '`/alert <key>` shows an alert here, its history in the thread. A key with spaces goes in "quotes".',
    ...(alertUrl === undefined ? [] : ['`/alert <link>` does the same with the link of an alert.']),
    '`/alert <key> private` shows it to you alone.',
    '`/alert <key> watch` keeps the card live: it changes with the alert, and its thread tells what happens.',
    '`/alert watches` lists what you watch.',
    '`/alert` opens a form.',
    '`/alert doctor` says what works, and what to mend.',
    '`/alert connect` · `/alert disconnect` your own account at the monitoring service.',
  ].map((line) => line.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
  return sayMarked(lines.join('\n'))
}
