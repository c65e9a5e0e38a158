// Question to an approver where Bellhop remembers that the recipients have access already. For them alone. Pure.
import type { Message } from '../../slack/outbound/message.ts'
import { escapeText, mrkdwn } from '../../slack/text/mrkdwn.ts'
import type { Approval } from '../approvals.ts'
import { button } from './card.ts'

/** Action id of its button. */
export const approveAnywayAction = 'approval.approve-anyway'

const nothingSent = 'Nothing was sent, and the request stays open.'

/** @param remembered - Markup. */
export function renderApproveAnyway({ id }: Approval, remembered: string): Message {
  return {
    text: `${remembered} ${escapeText(nothingSent)}`,
    blocks: [
      { type: 'section', text: mrkdwn(`${remembered}\n${escapeText(nothingSent)}`) },
      { type: 'actions', elements: [button(approveAnywayAction, 'Approve anyway', id)] },
    ],
  }
}
