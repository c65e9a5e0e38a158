// The way to a colleague's approval: the button that asks for it, and what is said where it has to come first. Pure.
import type { Button } from '@slack/types'
import type { Message } from '../../slack/outbound/message.ts'
import { escapeText, mrkdwn, plain } from '../../slack/text/mrkdwn.ts'
import type { Flag } from '../flags.ts'
import { lookAlikeReasons } from '../line/look-alikes.ts'
import type { Roles } from '../roles.ts'
import type { Wish } from '../wish.ts'
import { longestText, type ProfileOrigin, profileReasons, reasonSections } from './confirm.ts'
import { showAllButtons } from './flags.ts'
import { rememberedBlocks, withRemembered } from './past-grants.ts'
import { wishBlock, wishWords } from './wish.ts'

/** Action id of the button, for whoever listens. Its value is the id of the wish. */
export const askApprovalAction = 'grant.ask-approval'

/** Asks a colleague for a grant that one cannot make alone. Who is asked, and how, is another room's. */
export function askApprovalButton(wishId: string): Button {
  return { type: 'button', action_id: askApprovalAction, text: plain('Ask for approval'), value: wishId }
}

/**
 * Nothing was sent.
 * @param flags - Those that a colleague has to approve.
 * @param origins - Whose profile an address is from.
 * @param how.remembered - Markup: what its reader gave these people before.
 * @param how.container - “Customer 1 (12)”, where its reader’s token has shown the name. Raw.
 */
export function renderNeedsApproval(
  grantId: string,
  wish: Wish,
  flags: readonly Flag[],
  origins: readonly ProfileOrigin[],
  roles: Roles,
  how: { readonly remembered?: string | undefined; readonly container?: string | undefined } = {},
): Message {
  const { remembered, container } = how
  const from = [...profileReasons(wish, origins), ...lookAlikeReasons(wish)]
  const why = `A colleague has to approve ${flags.join(', ')} first. To ask one, press Ask for approval.`
  return {
    text: withRemembered(
      `Not sent yet: ${wishWords(wish, roles, container)}. ${[why, ...from].join(' ')}`,
      remembered,
      longestText,
    ),
    blocks: [
      wishBlock(wish, 'Not sent yet', roles, container),
      { type: 'section', text: mrkdwn(escapeText(why)) },
      ...reasonSections(from),
      ...rememberedBlocks(remembered),
      {
        type: 'actions',
        elements: [{ ...askApprovalButton(grantId), style: 'primary' }, ...showAllButtons(wish.permissions)],
      },
    ],
  }
}
