// Answers to a link without a key: a choice where several alerts fit it, or that none does. Pure.
import type { KnownBlock } from '@slack/types'
import { z } from 'zod'
import type { OpenAlert } from '../../monitor/client.ts'
import type { Message } from '../../slack/outbound/message.ts'
import { limits } from '../../slack/text/limits.ts'
import { cut, literal, plain } from '../../slack/text/mrkdwn.ts'
import type { Lookup } from '../input.ts'
import { keyText } from './card.ts'
import { type SeverityNames, severityWords } from './state.ts'

/** Action id of *Show card*. */
export const showCardAction = 'alert.show-card'

/** To whoever pasted a link. Raw. */
export const noAlertMatches =
  'No open alert matches that link. It may be closed, or you may not have access. If you know its key, use that: it works for closed alerts too.'
export const noLinksThere =
  'Monitoring can’t look alerts up by link at the moment. Use the alert’s key instead.'
export const severalMatch =
  'Several alerts match that link. Type /alert with the link to choose one, then use its key. Nothing was sent.'

const mostShown = 10
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
      return { ks, value: JSON.stringify(ask), text: `${severityWords(settings, lastSeverity)} · ${message}` }
    })
    .filter(({ value }) => value.length <= limits.buttonValue)
    .slice(0, mostShown)
  const which = rows.length < alerts.length ? ` These are the ${rows.length} most severe.` : ''
  const text = `${alerts.length} alerts were opened on that asset in the same second.${which} Which one do you mean?`
  return {
    text,
    blocks: [
      { type: 'section', text: plain(text) },
      ...rows.map(
        ({ ks, value, text: words }): KnownBlock => ({
          type: 'section',
          text: literal(words),
          // Their messages may well be the same.
          fields: [keyText(ks)],
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
