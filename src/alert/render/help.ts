// What `/alert help` says. Pure.
import { type Message, sayMarked } from '../../slack/outbound/message.ts'
import { mrkdwn, plain } from '../../slack/text/mrkdwn.ts'

/** Action id of the button that opens the form. */
export const openFormAction = 'alert.open-form'

/** Where no form can be opened by itself. */
export function renderFormOffer(): Message {
  const text = 'Which alert? Write its key behind the word, or open the form.'
  return {
    text,
    blocks: [
      { type: 'section', text: mrkdwn(text) },
      {
        type: 'actions',
        elements: [{ type: 'button', action_id: openFormAction, text: plain('Look up an alert') }],
      },
    ],
  }
}

/** What `/alert` does, in the fewest lines. */
export function renderHelp(alertUrl: string | undefined): Message {
  const lines = [
    '`/alert <key>` shows an alert here, its history in the thread. A key with spaces goes in "quotes".',
    ...(alertUrl === undefined ? [] : ['`/alert <link>` does the same with the link of an alert.']),
    '`/alert <key> private` shows it to you alone.',
    '`/alert <key> watch` keeps the card live: it changes with the alert, and its thread tells what happens.',
    '`/alert watches` lists what you watch.',
    '`/alert style quiet` shows everything in this channel to the asker alone; `/alert style thread` to all.',
    '`/alert` opens a form.',
    '`/alert doctor` says what works, and what to mend.',
    '`/alert settings` is for admins: where grants are told, and approval is asked for.',
    '`/alert connect` · `/alert disconnect` your own account at the monitoring service.',
  ].map((line) => line.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
  return sayMarked(lines.join('\n'))
}
