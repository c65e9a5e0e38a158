// The preview below the link of an alert: what is wrong, how grave it is, and since when. Pure.
import type { Alert } from '../../monitor/schema.ts'
import type { Message } from '../../slack/outbound/message.ts'
import { cut, literal, mrkdwn } from '../../slack/text/mrkdwn.ts'
import { briefState, firstSentence, headlineOf, type SeverityNames } from './state.ts'

const longestPreview = 500

/**
 * No more than that, as the channel has not asked: of an open alert no owner, of a closed one no closing message. Text
 * alone: Slack refuses menus and rich text there.
 */
export function renderUnfurl(settings: SeverityNames, alert: Alert): Message {
  const { headline, rest } = headlineOf(alert.lastMessage)
  return {
    text: firstSentence(settings, alert),
    blocks: [
      {
        type: 'section',
        text: literal(cut(rest === '' ? headline : `${headline}\n${rest}`, longestPreview)),
      },
      { type: 'section', text: mrkdwn(briefState(settings, alert)) },
    ],
  }
}

/** To whoever posted a link and is not connected. Raw. */
export const unfurlReason = 'You posted a link to an alert. To preview it, I need your monitoring account.'
