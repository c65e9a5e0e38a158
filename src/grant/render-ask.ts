// The button that asks a colleague for a grant that one cannot make alone. Who is asked, and how, is another room's. Pure.
import type { Button } from '@slack/types'
import { plain } from '../slack/text/mrkdwn.ts'

/** Action id of the button, for whoever listens. Its value is the id under which the wish is kept. */
export const askApprovalAction = 'grant.ask-approval'

export function askApprovalButton(grantId: string): Button {
  return { type: 'button', action_id: askApprovalAction, text: plain('Ask for approval'), value: grantId }
}
