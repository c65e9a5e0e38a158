// Asking before a grant is sent. Pure.
import type { KnownBlock } from '@slack/types'
import type { Message } from '../slack/message.ts'
import { cut, escapeText, mrkdwn, plain } from '../slack/mrkdwn.ts'
import { flagMeanings, sensitiveFlags } from './flags.ts'
import type { GrantRequest } from './grants.ts'
import { cancelAction, grantAction, wishBlock, wishWords } from './render.ts'

/** Somebody whose address was found in their profile in Slack. */
export interface ProfileOrigin {
  /** Raw. */
  readonly name: string
  readonly isGuest: boolean
}

export const waitedReason = 'You asked for this a while ago. Is it still what you want?'

/** Why a grant asks before it is sent: raw text, one reason each; empty when nothing calls for it. */
export function confirmReasons(request: GrantRequest, origin: ProfileOrigin | undefined): readonly string[] {
  const sensitive = request.permissions.filter((flag) => sensitiveFlags.has(flag))
  const guest = origin?.isGuest ? ', a guest here' : ''
  return [
    ...(origin === undefined
      ? []
      : [`This address is from the Slack profile of ${cut(origin.name, 80)}${guest}.`]),
    ...(sensitive.length === 0
      ? []
      : ['Sensitive flags:', ...sensitive.map((flag) => `• ${flag}: ${flagMeanings[flag]}`)]),
    ...(request.permissions.length === 0
      ? ['No flag is chosen: they would be on the container without any permission.']
      : []),
  ]
}

/** The blocks of a confirmation, in a message and in the modal alike. */
export function confirmBlocks(request: GrantRequest, reasons: readonly string[]): KnownBlock[] {
  return [
    wishBlock(request, 'Grant this access?'),
    { type: 'section', text: mrkdwn(escapeText(reasons.join('\n'))) },
  ]
}

/** Asks before a grant is sent. */
export function renderConfirm(grantId: string, request: GrantRequest, reasons: readonly string[]): Message {
  const question = `Grant access to ${wishWords(request)}? ${reasons.join(' ')} Press Grant access or Cancel.`
  return {
    text: escapeText(question),
    blocks: [
      ...confirmBlocks(request, reasons),
      {
        type: 'actions',
        elements: [
          {
            type: 'button',
            action_id: grantAction,
            text: plain('Grant access'),
            style: 'primary',
            value: grantId,
          },
          { type: 'button', action_id: cancelAction, text: plain('Cancel'), value: grantId },
        ],
      },
    ],
  }
}
