// What the bot says about accounts. Pure.
import type { Button } from '@slack/types'
import { type Message, say } from '../slack/message.ts'
import { mrkdwn, plain } from '../slack/mrkdwn.ts'

/** Action ids of the buttons in here, for the listeners. */
export const connectAction = 'account.connect'

function connectButton(waitingId: string): Button {
  return {
    type: 'button',
    action_id: connectAction,
    text: plain('Connect account'),
    style: 'primary',
    value: waitingId,
  }
}

const reasons = {
  none: 'To do this for you, Bellhop needs your own account at the monitoring service. Connect it once, and this goes on by itself.',
  refused:
    'Your token is no longer accepted by the monitoring service. Connect your account again, and this goes on by itself.',
} as const

/** @param waitingId - Names what goes on once the account is connected. */
export function renderConnectFirst(waitingId: string, why: keyof typeof reasons): Message {
  return {
    text: reasons[why],
    blocks: [
      { type: 'section', text: mrkdwn(reasons[why]) },
      { type: 'actions', elements: [connectButton(waitingId)] },
    ],
  }
}

export function renderDisconnected(wasConnected: boolean): Message {
  return say(
    wasConnected
      ? 'Disconnected. Bellhop has forgotten your token; if you do not need it any more, revoke it at the monitoring service too.'
      : 'There was no account to disconnect. To connect one, use /alert connect.',
  )
}

export function renderWaitedTooLong(): Message {
  return say('You are connected. What you asked for has waited too long, so it was not done; ask again.')
}
