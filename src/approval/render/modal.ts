// Modals of approvals: why a request is asked for, and why it is declined. Pure.
import type { KnownBlock } from '@slack/types'
import { flagMeanings } from '../../grant/flags.ts'
import { formView } from '../../grant/form/modal.ts'
import type { Roles } from '../../grant/roles.ts'
import { describe, type View } from '../../slack/outbound/message.ts'
import { plain } from '../../slack/text/mrkdwn.ts'
import type { Approval } from '../approvals.ts'
import { besides, richText, shortName, type Wanted, wantedIn, wantedInFull } from './card.ts'

export const askView = 'approval.ask'
export const declineView = 'approval.decline'
/** Block ids of the inputs. */
export const reasonInput = 'reason'
export const channelInput = 'post-to'

export const noReason = 'Add a reason in a few words.'

const longestReason = 1000

function reasonBlock(hint: string): KnownBlock {
  return {
    type: 'input',
    block_id: reasonInput,
    label: plain('Reason'),
    hint: plain(hint),
    element: {
      type: 'plain_text_input',
      action_id: reasonInput,
      multiline: true,
      max_length: longestReason,
      focus_on_load: true,
    },
  }
}

const channelBlock: KnownBlock = {
  type: 'input',
  block_id: channelInput,
  label: plain('Post to'),
  hint: plain('Choose a channel where colleagues can approve it.'),
  element: {
    type: 'conversations_select',
    action_id: channelInput,
    // A request is nobody else’s business.
    filter: { include: ['public', 'private', 'mpim'], exclude_external_shared_channels: true },
  },
}

/** @param asksWhere - There is no channel that it would go to by itself. */
export function askModal(privateMetadata: string, wanted: Wanted, roles: Roles, asksWhere: boolean): View {
  const view = formView(privateMetadata, [
    ...askedBlocks(wanted, 'You’re asking for', roles),
    reasonBlock('Your colleagues read this before they decide. They approve exactly what you see above.'),
    ...(asksWhere ? [channelBlock] : []),
  ])
  const title = plain('Ask for approval')
  return { ...view, callback_id: askView, title, submit: title }
}

export function declineModal(privateMetadata: string, request: Approval, roles: Roles): View {
  const view = formView(privateMetadata, [
    ...askedBlocks(wantedIn(request), `${shortName(request.approval.askerName)} is asking for`, roles),
    reasonBlock('The requester gets this reason, and everyone can see it on the request.'),
  ])
  return { ...view, callback_id: declineView, title: plain('Decline request'), submit: plain('Decline') }
}

/** For whom, on which container, and all that each flag allows: text that Slack does not interpret. */
function askedBlocks(wanted: Wanted, heading: string, roles: Roles): readonly KnownBlock[] {
  const { access } = wanted
  const allowed = access.permissions.map((flag) => `• ${flagMeanings[flag]}`)
  const lines = [wantedInFull(wanted, roles), ...besides(access), ...allowed].map((line) => [richText(line)])
  return describe({ headline: heading, lines }).blocks
}
