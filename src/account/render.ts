// Messages about accounts. Pure.
import type { Button, KnownBlock } from '@slack/types'
import { type Message, say } from '../slack/outbound/message.ts'
import type { WaitingWords } from '../slack/request-topics.ts'
import { escapeText, mrkdwn, plain } from '../slack/text/mrkdwn.ts'

/** Action ids of the buttons in here, for the listeners. */
export const connectAction = 'account.connect'
export const connectLinkAction = 'account.connect-link'

/**
 * Opens the form, or a fresh link to the page, however old the button is.
 * @param waitingId - Without one, or with an empty one, nothing waits: the button then has no value, as Slack refuses
 * an empty one.
 */
export function connectButton(waitingId = ''): Button {
  return {
    type: 'button',
    action_id: connectAction,
    text: plain('Connect account'),
    style: 'primary',
    ...(waitingId === '' ? {} : { value: waitingId }),
  }
}

/**
 * Opens the page itself.
 * @param link - The listener knows it by its value.
 */
export function connectLinkButton({ url, value }: { readonly url: string; readonly value: string }): Button {
  return {
    type: 'button',
    action_id: connectLinkAction,
    text: plain('Connect account'),
    style: 'primary',
    url,
    value,
  }
}

/** Beside a link to the page. mrkdwn. */
export const aboutLink =
  '*Connect account* opens Bellhop’s own page, so your token never passes through Slack. The link is only for you, so don’t pass it on. It expires after ten minutes.'

/** To somebody whose link no longer worked. Raw. */
export const linkIsOver = 'That link no longer works. Here’s a new one.'

const goesOn = 'within 15 minutes and I’ll finish this for you.'

/** To somebody who asks to connect where Slack opens no modals. Raw. */
export const connectAnytime = 'Connect your own monitoring account. Bellhop then acts as you.'

/** Says why somebody who just asked for something has to connect. Raw. */
export function connectReason(why: 'none' | 'refused', { toDo, undone }: WaitingWords): string {
  if (why === 'none') {
    return `${toDo}, I need your monitoring account. Connect ${goesOn}`
  }
  const monitoring = undone === undefined ? 'Monitoring' : `${undone}: monitoring`
  return `${monitoring} no longer accepts your token. Connect again ${goesOn}`
}

/**
 * @param button - *Connect account*.
 * @param reason - Raw.
 * @param beside - Another button, from the room that asks.
 */
export function renderConnectFirst(button: Button, reason: string, beside?: Button): Message {
  const text = escapeText(reason)
  const about: KnownBlock[] =
    button.url === undefined ? [] : [{ type: 'context', elements: [mrkdwn(aboutLink)] }]
  return {
    text,
    blocks: [
      { type: 'section', text: mrkdwn(text) },
      { type: 'actions', elements: [button, ...(beside === undefined ? [] : [beside])] },
      ...about,
    ],
  }
}

export function renderDisconnected(wasConnected: boolean): Message {
  return say(
    wasConnected
      ? 'Disconnected. Bellhop deleted your token. If you no longer need it, revoke it in monitoring too.'
      : 'You weren’t connected. To connect, type /alert connect.',
  )
}

export function renderWaitedTooLong(): Message {
  return say('You’re connected. Your request waited too long, so I didn’t run it. Ask again.')
}
