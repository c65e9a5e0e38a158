// What the bot says about how loud it is in a channel. Pure.

import { type Message, say, sayMarked } from '../../slack/outbound/message.ts'
import { cut, date, escapeText } from '../../slack/text/mrkdwn.ts'
import type { ChannelStyle, Style } from '../../slack/workspace/channel-style.ts'

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
