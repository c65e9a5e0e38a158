// Messages to others than who acts: to a new owner, or in the thread of a card whose alert is open again. Pure.
import type { Ending } from '../../alert/thread.ts'
import { type Message, sayMarked } from '../../slack/outbound/message.ts'
import { escapeText, linkTo } from '../../slack/text/mrkdwn.ts'

/** In the thread of a card: its alert was closed, and is open at once. @param actId - Says it once for each act. */
export function openAtOnce(actId: string): Ending {
  return { id: `open ${actId}`, words: '🔁 Open again, because the trouble is still there.' }
}

/**
 * To the new owner, directly; nothing of the alert, which their own token may not show.
 * @param giver - As `personInLine` has them; undefined where Slack does not say.
 * @param link - Of the card, where they can see it.
 */
export function renderNewOwner(giver: string | undefined, link: string | undefined): Message {
  const told = escapeText(`${giver ?? 'A colleague'} assigned an alert to you.`)
  const where = link === undefined ? 'You’ll find it in monitoring.' : linkTo(link, 'Open its card')
  return sayMarked(`${told} ${where}`)
}
