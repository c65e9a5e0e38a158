// Texts about `/alert` itself: its help, the offer of its form, and how loud a channel wants it. Pure.
import { type Message, say, sayMarked } from '../../slack/outbound/message.ts'
import { cut, date, escapeText, mrkdwn, plain } from '../../slack/text/mrkdwn.ts'
import type { ChannelStyle, Style } from '../../slack/workspace/channels.ts'

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

const meanings: Readonly<Record<Style, string>> = {
  thread: 'alerts are shown to everybody, with their history in the thread.',
  quiet: 'what Bellhop is asked here, only the asker sees. Cards that are live already go on.',
}
const toChange: Readonly<Record<Style, string>> = {
  thread: 'To change it: `/alert style quiet`',
  quiet: 'To change it: `/alert style thread`',
}

/** For everybody in the channel. @param setBy - Raw. */
export function renderStyleSet(setBy: string, style: Style): Message {
  return say(`${cut(setBy, 80)} set Bellhop to ${style} in this channel: ${meanings[style]}`)
}

/** For whoever asks. @param set - Undefined while nobody has set one. */
export function renderStyle(set: ChannelStyle | undefined): Message {
  const style = set?.style ?? 'thread'
  const who =
    set === undefined
      ? ''
      : ` Set by ${escapeText(cut(set.setBy, 80))}, ${date(Math.floor(set.setAt / 1000))}.`
  return sayMarked(
    `Bellhop is set to *${style}* in this channel: ${meanings[style]}${who} ${toChange[style]}`,
  )
}
