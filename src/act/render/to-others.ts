// Messages to others than who acts: to a new owner, or in the thread of a card, where the alert is open again or a flag
// that somebody lacks is asked for. Pure.
import { moreAction } from '../../alert/render/card-buttons.ts'
import type { Ending } from '../../alert/thread.ts'
import type { AlertWrite } from '../../send/writes.ts'
import { type Message, menu, sayMarked } from '../../slack/outbound/message.ts'
import { escapeText, linkTo, literal, plain } from '../../slack/text/mrkdwn.ts'
import { flagFor } from './verdict.ts'

/** In the thread of a card: its alert was closed, and is open at once. @param actId - Says it once for each act. */
export function openAtOnce(actId: string): Ending {
  return {
    id: `open ${actId}`,
    words: '🔁 Open again, because the trouble is still there.',
  }
}

/**
 * To the new owner, directly; nothing of the alert, which their own token may not show.
 * @param giver - As `personInLine` has them; undefined where Slack does not say.
 * @param link - Of the card, where they can see it.
 */
export function renderNewOwner(giver: string | undefined, link: string | undefined): Message {
  const who = giver ?? 'A colleague'
  const where = link === undefined ? 'You’ll find it in monitoring.' : linkTo(link, 'Open its card')
  return sayMarked(`${escapeText(`${who} assigned an alert to you.`)} ${where}`)
}

const doing = { assign: 'assign', comment: 'comment on', close: 'close' } as const

/** One line in the thread of a card. @param name - Of whoever asks, raw; they are not mentioned. */
export function renderAskInThread(
  name: string,
  kind: AlertWrite['kind'],
  { cardId, mayLackApi }: { readonly cardId: string; readonly mayLackApi: boolean },
): Message {
  const flags = mayLackApi ? `API and ${flagFor[kind]}` : flagFor[kind]
  const sentence = `${name} needs ${flags} on this alert’s container to ${doing[kind]} the alert. Somebody with CONTAINER_ACCESS there can grant that.`
  return {
    text: escapeText(sentence),
    blocks: [
      { type: 'section', text: literal(sentence) },
      {
        type: 'actions',
        elements: menu(moreAction, [{ text: plain('Grant access'), value: `grant ${cardId}` }]),
      },
    ],
  }
}
