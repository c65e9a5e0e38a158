// Changes of an alert in the thread of its card: it got worse or better, is open again, or was closed since. Pure.
import type { KnownBlock } from '@slack/types'
import type { Message } from '../../slack/outbound/message.ts'
import { cut, escapeText, mrkdwn, time, utc } from '../../slack/text/mrkdwn.ts'
import type { Change } from '../cards.ts'
import { type SeverityNames, severityName } from './state.ts'

/** A change in words, raw. */
export interface ChangeWords {
  /** “⬆️ CRITICAL → ALERT” */
  readonly what: string
  /** For notifications and screen readers: “Worse, CRITICAL → ALERT” */
  readonly said: string
  /** How it can be told from `from`. */
  readonly kind: 'worse' | 'better' | 'open-again'
}

/** Whether there is anything to say of it: that an alert was closed is said by its action, or by the card’s last words. */
export function isVisible(change: Change | undefined): change is Change {
  if (change === undefined) return false
  return change.closedSince !== undefined || change.from === 'closed' || change.from !== change.severity
}

/** @param change - A visible one; without `from` it got worse, and nobody knows since when. */
export function changeWords(
  settings: SeverityNames,
  { from, severity }: Pick<Change, 'severity'> & { readonly from: Change['from'] | undefined },
): ChangeWords {
  const now = severityName(settings, severity)
  if (from === 'closed') {
    return { kind: 'open-again', what: `🔁 Open again · ${now}`, said: `Open again, ${now}` }
  }
  if (from === undefined) return { kind: 'worse', what: `⬆️ Now ${now}`, said: `Worse, now ${now}` }
  const both = `${severityName(settings, from)} → ${now}`
  return severity < from
    ? { kind: 'worse', what: `⬆️ ${both}`, said: `Worse, ${both}` }
    : { kind: 'better', what: `⬇️ ${both}`, said: `Better, ${both}` }
}

/** “⬆️ CRITICAL → ALERT · Disk /var is 98 % full”, as a line of its own. @param message - Raw; shown as it is. */
export function changeLine({ what }: ChangeWords, message: string): KnownBlock {
  return {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'text', text: what, style: { bold: true } },
          ...(message === '' ? [] : [{ type: 'text' as const, text: ` · ${message}` }]),
        ],
      },
    ],
  }
}

const longestName = 100

/**
 * The part of a reply that tells a change; undefined when there is nothing to say.
 * @param about - What the alert is called, raw, in a thread that is not its own.
 */
export function changePart(
  settings: SeverityNames,
  change: Change | undefined,
  about: string | undefined,
): Message | undefined {
  if (!isVisible(change)) return undefined
  const { closedSince, message } = change
  if (closedSince !== undefined) {
    const closed = about === undefined ? 'Closed at' : escapeText(`“${cut(about, longestName)}” closed at`)
    const block: KnownBlock = { type: 'section', text: mrkdwn(`✅ ${closed} ${time(closedSince)}`) }
    return { text: `${closed} ${utc(closedSince)}.`, blocks: [block] }
  }
  const words = changeWords(settings, change)
  const text = escapeText(message === '' ? `${words.said}.` : `${words.said}: ${message}`)
  return { text, blocks: [changeLine(words, message)] }
}
