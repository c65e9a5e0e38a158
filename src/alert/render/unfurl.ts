// What hangs below the link of an alert: state, severity, message and age, and no more, as the channel has not asked.
// Links and text alone: Slack refuses menus and rich text there. Pure.
import type { KnownBlock } from '@slack/types'
import type { Alert } from '../../monitor/schema.ts'
import { cut, literal, mrkdwn, since } from '../../slack/text/mrkdwn.ts'
import { type CardSettings, severityName, sign } from './card.ts'

const longestMessage = 500

export function renderUnfurl(settings: CardSettings, alert: Alert): readonly KnownBlock[] {
  const { lastMessage, lastSeverity, timestamp, closedTimestamp } = alert
  const state = closedTimestamp === null ? 'Open' : 'Closed'
  const age = closedTimestamp === null ? `opened ${since(timestamp)}` : `closed ${since(closedTimestamp)}`
  return [
    { type: 'section', text: literal(`${sign(alert)} ${state} · ${severityName(settings, lastSeverity)}`) },
    { type: 'section', text: literal(cut(lastMessage, longestMessage) || '(no message)') },
    { type: 'context', elements: [mrkdwn(age)] },
  ]
}

/** To whoever posted a link and is not connected. Raw. */
export const unfurlReason =
  'You posted the link of an alert. To show its state below the link, Bellhop needs your own account at the monitoring service.'
