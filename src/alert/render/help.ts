// Texts about `/alert` itself: its help, the offer of its form, and how loud a channel wants it. Pure.
import { type Message, say, sayMarked } from '../../slack/outbound/message.ts'
import { cut, date, escapeText, mrkdwn, plain } from '../../slack/text/mrkdwn.ts'
import type { ChannelStyle, Style } from '../../slack/workspace/channels.ts'

/** Action id of the button that opens the form. */
export const openFormAction = 'alert.open-form'

/** Where no form can be opened by itself. */
export function renderFormOffer(): Message {
  const text = 'Which alert? Add its key, as in `alert 5HkX`, or open the form.'
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

/** What `/alert` does, in the fewest lines. @param canAct - Alerts can be changed as well. */
export function renderHelp(alertUrl: string | undefined, canAct: boolean): Message {
  const lines = [
    '`/alert <key>` shows an alert here, with its history in the thread. A key with spaces goes in "quotes".',
    ...(alertUrl === undefined ? [] : ['`/alert <link>` does the same for an alert’s link.']),
    '`/alert <key> private` shows it only to you.',
    '`/alert <key> watch` keeps the card live: it changes with the alert, its thread gets the news, and you get a direct message when it gets worse.',
    ...(canAct
      ? [
          '`/alert assign <key> me` assigns the alert to you. Name somebody in place of `me`, as `@person` or by their user ID in monitoring, to give it to them. You can add a message in "quotes".',
          '`/alert comment <key> "text"` adds a comment, and `/alert close <key> "what it was"` closes the alert. Add `solution` after the quotes if that solved it.',
        ]
      : []),
    '`/alert watches` lists the alerts you watch.',
    '`/alert style quiet` answers only the person asking, in this channel.',
    '`/alert style thread` answers everyone here. That’s the default.',
    '`/alert` opens a form.',
    '`/alert doctor` checks what works here, and says how to fix the rest.',
    '`/alert settings` sets the audit and approval channels, and whom requests mention (admins).',
    '`/alert connect` and `/alert disconnect` connect or disconnect your monitoring account.',
  ].map((line) => line.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
  return sayMarked(lines.join('\n'))
}

const meanings: Readonly<Record<Style, string>> = {
  thread: 'everyone sees the cards, with their history in the thread.',
  quiet: 'only the person who asks sees its answers. Cards that are already live stay live.',
}
const toChange: Readonly<Record<Style, string>> = {
  thread: 'To change it: `/alert style quiet`',
  quiet: 'To change it: `/alert style thread`',
}
const asSet: Readonly<Record<Style, string>> = {
  thread: 'set this channel’s style to thread',
  quiet: 'made Bellhop quiet here',
}

/** For everybody in the channel. @param setBy - Raw. */
export function renderStyleSet(setBy: string, style: Style): Message {
  return say(`${cut(setBy, 80)} ${asSet[style]}: ${meanings[style]}`)
}

/** For whoever asks. @param set - Undefined while nobody has set one. */
export function renderStyle(set: ChannelStyle | undefined): Message {
  const style = set?.style ?? 'thread'
  const who =
    set === undefined
      ? ''
      : ` Set by ${escapeText(cut(set.setBy, 80))}, ${date(Math.floor(set.setAt / 1000))}.`
  return sayMarked(`This channel’s style is *${style}*: ${meanings[style]}${who} ${toChange[style]}`)
}
