// What the bot says about accounts. Pure.
import type { Button } from '@slack/types'
import type { Asked } from '../slack/error-message.ts'
import { type Message, say } from '../slack/message.ts'
import { escapeText, mrkdwn, plain } from '../slack/mrkdwn.ts'

/** Action ids of the buttons in here, for the listeners. */
export const connectAction = 'account.connect'

export function connectButton(waitingId: string): Button {
  return {
    type: 'button',
    action_id: connectAction,
    text: plain('Connect account'),
    style: 'primary',
    value: waitingId,
  }
}

const wanted = { alert: 'To look this up for you', grant: 'To make this grant for you' } as const
const goesOn = 'within 15 minutes and this goes on by itself.'

/** To somebody who asks to connect where Slack opens no modals. Raw. */
export const connectAnytime =
  'Connect your own account at the monitoring service. Bellhop then asks it as you.'

/** Why somebody is asked to connect, who asked for something just now. Raw. */
export function connectReason(why: 'none' | 'refused', asked: Asked): string {
  if (why === 'none') {
    return `${wanted[asked]}, Bellhop needs your own account at the monitoring service. Connect it ${goesOn}`
  }
  const nothing = asked === 'grant' ? 'Nothing was granted: your' : 'Your'
  return `${nothing} token is no longer accepted by the monitoring service. Connect your account again ${goesOn}`
}

/**
 * @param waitingId - Names what goes on once the account is connected.
 * @param reason - Raw.
 * @param beside - Another button, of whoever asks.
 */
export function renderConnectFirst(waitingId: string, reason: string, beside?: Button): Message {
  const text = escapeText(reason)
  return {
    text,
    blocks: [
      { type: 'section', text: mrkdwn(text) },
      { type: 'actions', elements: [connectButton(waitingId), ...(beside === undefined ? [] : [beside])] },
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
