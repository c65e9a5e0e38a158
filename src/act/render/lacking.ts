// Message to somebody whose token lacks the flag for what they want to do to an alert. Pure.
import type { AlertWrite } from '../../send/writes.ts'
import { button, describe, type Message } from '../../slack/outbound/message.ts'
import { acts } from '../acts.ts'
import { askInThreadAction } from './verdict.ts'

/** @param where - The container, raw. @param canAsk - In the thread of the card. */
export function renderLacking(
  { kind, message, cardId }: Pick<AlertWrite, 'kind' | 'message' | 'cardId'>,
  where: string,
  canAsk: boolean,
): Message {
  const { flag, verb } = acts[kind]
  return describe({
    lines: [
      `⛔ You can’t ${verb} this alert: your token lacks ${flag} on ${where}.`,
      'Somebody with CONTAINER_ACCESS there can add it.',
    ],
    toCopy: message === '' ? undefined : message,
    buttons: canAsk ? [button(askInThreadAction, 'Ask in thread', `${cardId} ${kind}`)] : [],
  })
}
