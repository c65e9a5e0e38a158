// Choice between several alerts that fit a link without a key, and the word for when none does. Pure.
import type { KnownBlock } from '@slack/types'
import { z } from 'zod'
import type { OpenAlert } from '../../monitor/client.ts'
import type { Message } from '../../slack/outbound/message.ts'
import { limits } from '../../slack/text/limits.ts'
import { cut, literal, plain } from '../../slack/text/mrkdwn.ts'
import type { Lookup } from '../input.ts'
import { type SeverityNames, severityWords } from './severity.ts'

/** Action id of *Show card*. */
export const showCardAction = 'alert.show-card'

/** To whoever pasted a link. Raw. */
export const closedSince =
  'Closed since, or not visible to you: no open alert fits that link. If you have its key, look it up with that: closed alerts have one, too.'
export const noLinksThere =
  'Monitoring can’t look alerts up by link at the moment. Use the key of the alert instead.'

const mostShown = 20
const longestMessage = 200

const wanted = z.object({ ks: z.string(), isPrivate: z.boolean(), isWatched: z.boolean() })

/** @param alerts - Two at least; the gravest are shown first. */
export function renderLinkChoice(
  settings: SeverityNames,
  alerts: readonly OpenAlert[],
  manner: Omit<Lookup, 'ks'>,
): Message {
  const rows = alerts
    .toSorted((a, b) => a.lastSeverity - b.lastSeverity)
    .map(({ ks, lastSeverity, lastMessage }) => {
      const ask: z.input<typeof wanted> = { ks, ...manner }
      const message = cut(lastMessage.replaceAll(/\s+/g, ' ').trim(), longestMessage) || '(no message)'
      return { value: JSON.stringify(ask), text: `${severityWords(settings, lastSeverity)} · ${message}` }
    })
    .filter(({ value }) => value.length <= limits.buttonValue)
    .slice(0, mostShown)
  const which = rows.length < alerts.length ? ` These are the ${rows.length} gravest.` : ''
  const text = `${alerts.length} alerts were opened on that asset in the same second.${which} Which one do you mean?`
  return {
    text,
    blocks: [
      { type: 'section', text: plain(text) },
      ...rows.map(
        ({ value, text: words }): KnownBlock => ({
          type: 'section',
          text: literal(words),
          accessory: { type: 'button', action_id: showCardAction, text: plain('Show card'), value },
        }),
      ),
    ],
  }
}

/** What was chosen; undefined for what no choice offers. */
export function readLinkChoice(value: string): Lookup | undefined {
  try {
    return wanted.safeParse(JSON.parse(value)).data
  } catch {
    return undefined
  }
}
