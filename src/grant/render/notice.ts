// Notice to somebody who got access, in a direct message. Pure.
import { type Message, sayMarked } from '../../slack/outbound/message.ts'
import { escapeText } from '../../slack/text/mrkdwn.ts'
import { nameInLine } from '../../slack/workspace/people.ts'

/** @param giver - Raw; undefined where Slack does not say. */
export function renderNotice(giver: string | undefined, containerId: number): Message {
  const who = nameInLine(giver ?? '') || 'A colleague'
  const news = `${who} gave you access to container ${containerId} in monitoring.`
  return sayMarked(`${escapeText(news)} To look up its alerts in Slack, type \`/alert help\`.`)
}
