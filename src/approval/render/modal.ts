// Modals of approvals: why a request is asked for, and why it is declined. Pure.
import type { KnownBlock } from '@slack/types'
import { type Access, accessOf } from '../../grant/access.ts'
import { flagMeanings } from '../../grant/flags.ts'
import { formView } from '../../grant/form/modal.ts'
import type { Roles } from '../../grant/roles.ts'
import type { Approval } from '../../send/request.ts'
import { describe, input, type View } from '../../slack/outbound/message.ts'
import { plain } from '../../slack/text/mrkdwn.ts'
import { besides, richText, shortName, wantedInFull } from './card.ts'

export const askView = 'approval.ask'
export const declineView = 'approval.decline'
/** Block ids of the inputs. */
export const reasonInput = 'reason'
export const channelInput = 'post-to'

export const noReason = 'Add a reason in a few words.'

const longestReason = 1000

function reasonBlock(hint: string): KnownBlock {
  const element = {
    type: 'plain_text_input' as const,
    action_id: reasonInput,
    multiline: true,
    max_length: longestReason,
    focus_on_load: true,
  }
  return input(reasonInput, 'Reason', element, { hint })
}

function channelBlock(): KnownBlock {
  const element = {
    type: 'conversations_select' as const,
    action_id: channelInput,
    // A request is nobody else’s business.
    filter: {
      include: ['public' as const, 'private' as const, 'mpim' as const],
      exclude_external_shared_channels: true,
    },
  }
  const hint = 'Choose a channel where colleagues can approve it.'
  return input(channelInput, 'Post to', element, { hint })
}

/** What is asked for, and the container's name as its reader may know it. */
interface Asked {
  readonly access: Access
  readonly container: string | undefined
  /** There is no channel that it would go to by itself. */
  readonly asksWhere?: boolean
}

export function askModal(privateMetadata: string, asked: Asked, roles: Roles): View {
  const view = formView(privateMetadata, [
    ...askedBlocks(asked, 'You’re asking for', roles),
    reasonBlock('Your colleagues read this before they decide. They approve exactly what you see above.'),
    ...(asked.asksWhere ? [channelBlock()] : []),
  ])
  const title = plain('Ask for approval')
  return { ...view, callback_id: askView, title, submit: title }
}

export function declineModal(privateMetadata: string, request: Approval, roles: Roles): View {
  const { askerName, container } = request.approval
  const asked = { access: accessOf(request), container }
  const view = formView(privateMetadata, [
    ...askedBlocks(asked, `${shortName(askerName)} is asking for`, roles),
    reasonBlock('The requester gets this reason, and everyone can see it on the request.'),
  ])
  return { ...view, callback_id: declineView, title: plain('Decline request'), submit: plain('Decline') }
}

/** For whom, on which container, and all that each flag allows: text that Slack does not interpret. */
function askedBlocks({ access, container }: Asked, headline: string, roles: Roles): readonly KnownBlock[] {
  const allowed = access.permissions.map((flag) => `• ${flagMeanings[flag]}`)
  const lines = [wantedInFull(access, roles, container), ...besides(access), ...allowed]
  return describe({ headline, lines: lines.map((line) => [richText(line)]) }).blocks
}
