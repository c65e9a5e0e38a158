// Texts about `/alert` itself: its help, and the offer of its form. Pure.
import { button, describe, type Message, sayMarked } from '../../slack/outbound/message.ts'
import { type HelpGroup, helpGroups, helpLines } from '../words.ts'

/** Action id of the button that opens the form. */
export const openFormAction = 'alert.open-form'

/** Where no form can be opened by itself. */
export function renderFormOffer(): Message {
  const example = { type: 'text', text: 'alert 5HkX', style: { code: true } } as const
  return describe({
    lines: [['Which alert? Add its key, as in ', example, ', or open the form.']],
    buttons: [button(openFormAction, 'Look up an alert', 'form')],
  })
}

/** What `/alert` does, in four groups. @param canAct - Alerts can be changed as well. */
export function renderHelp(alertUrl: string | undefined, canAct: boolean): Message {
  const ofKeys: Partial<Record<HelpGroup, readonly string[]>> = {
    'See alerts': [
      '`/alert <key>` shows an alert here, with its history in the thread. A key with spaces goes in "quotes".',
      ...(alertUrl === undefined ? [] : ['`/alert <link>` does the same for an alert’s link.']),
      '`/alert <key> private` shows it only to you.',
    ],
    'Stay informed': [
      '`/alert <key> watch` keeps the card live: it changes with the alert, its thread gets the news, and you’re mentioned there when it gets worse.',
    ],
  }
  const groups = helpGroups.flatMap((group) => {
    const lines = [...(ofKeys[group] ?? []), ...helpLines(group, canAct)]
    return lines.length === 0 ? [] : [[`*${group}*`, ...lines].join('\n')]
  })
  return sayMarked(groups.join('\n\n').replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
}
