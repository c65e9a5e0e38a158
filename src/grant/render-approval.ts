// What is said of a grant that a colleague has to approve first. Pure.
import type { Message } from '../slack/outbound/message.ts'
import { cut, escapeText, mrkdwn } from '../slack/text/mrkdwn.ts'
import type { Flag } from './flags.ts'
import { lookAlikeReasons } from './look-alikes.ts'
import { askApprovalButton } from './render-ask.ts'
import { longestText, type ProfileOrigin, profileReasons, reasonSections } from './render-confirm.ts'
import { wishBlock, wishWords } from './render-wish.ts'
import type { Wish } from './wishes.ts'

/**
 * Nothing was sent.
 * @param flags - Those that a colleague has to approve.
 * @param origins - Whose profile an address is from.
 */
export function renderNeedsApproval(
  grantId: string,
  wish: Wish,
  flags: readonly Flag[],
  origins: readonly ProfileOrigin[],
): Message {
  const from = [...profileReasons(wish, origins), ...lookAlikeReasons(wish)]
  const why = `Nothing was sent: a colleague has to approve ${flags.join(', ')} first. It is granted once somebody who may do so agrees.`
  return {
    text: escapeText(cut(`Not sent yet: ${wishWords(wish)}. ${[why, ...from].join(' ')}`, longestText)),
    blocks: [
      wishBlock(wish, 'Not sent yet'),
      { type: 'section', text: mrkdwn(escapeText(why)) },
      ...reasonSections(from),
      { type: 'actions', elements: [{ ...askApprovalButton(grantId), style: 'primary' }] },
    ],
  }
}
