// Why something was not granted, or is not certain, in the words that one person and several share. Pure.
import { cut } from '../slack/text/mrkdwn.ts'
import type { Doubt } from './grants.ts'
import type { NotGrantedCode, Wish } from './wishes.ts'

/** Who reads it: the asker themselves, or everybody in the channel. */
export type Reader = { readonly is: 'asker' } | { readonly is: 'channel'; readonly askerName: string }

export const doubts: Readonly<Record<Doubt, string>> = {
  'server-error': 'the service reported a fault of its own',
  'odd-answer': 'the service answered in a way Bellhop does not understand',
  'connection-lost': 'the connection was lost before the service answered',
  'timed-out': 'the service did not answer in time',
  stopped: 'Bellhop was stopped before it could keep the answer',
}

/** Both readings of a 400, which the service does not tell apart. Raw. @param who - “dave@example.com is”, “they are”. */
export function refusedWords(
  opening: string,
  who: string,
  { containerId, authProvider }: Pick<Wish, 'containerId' | 'authProvider'>,
): string {
  const other =
    authProvider === undefined
      ? 'or an address that exists more than once (then choose Sign-in provider, or add “via” and its name).'
      : `or not one who signs in with ${authProvider}.`
  return [
    `${opening} does not say why. Nothing was changed. Either:`,
    `• ${who} already on container ${containerId}; their flags are changed in monitoring; or`,
    `• it was not accepted as given: no such user, ${other}`,
  ].join('\n')
}

/** What to do where it may have been done. Raw. @param who - As for `refusedWords`. */
export function unsureWords(
  opening: string,
  who: string,
  { containerId }: Pick<Wish, 'containerId'>,
  reader: Reader,
): string {
  const asks = reader.is === 'asker' ? 'you ask' : 'anybody asks'
  return `${opening}, so it may have been done. Check in monitoring whether ${who} on container ${containerId} before ${asks} again. Bellhop does not send it a second time.`
}

/** Why nobody is granted: what it is that was refused, whoever it was asked for. Raw. */
export function whyNobody(
  code: Exclude<NotGrantedCode, 'bad-request'>,
  containerId: number,
  reader: Reader,
): string {
  const whose = reader.is === 'asker' ? 'Your' : `${cut(reader.askerName, 80)}’s`
  switch (code) {
    case 'refused':
      return `${whose} token is no longer accepted by the monitoring service.${reader.is === 'asker' ? ' Use /alert connect, then ask again.' : ''}`
    case 'forbidden':
      return `${whose} token lacks API+CONTAINER_ACCESS on container ${containerId}: it needs both flags. Somebody who has them can make this grant.`
    case 'not-found':
      return `There is no container ${containerId}. Check the number in monitoring.`
    case 'busy':
      return 'The service asked to slow down (429) and did nothing. Try again in a minute.'
    case 'unreachable':
      return 'The service could not be reached, so nothing was sent. Try again in a minute.'
    default:
      return code satisfies never
  }
}
