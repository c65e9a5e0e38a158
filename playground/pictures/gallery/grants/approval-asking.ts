// The gallery's ways to approval: when it is offered, and asking for it.

import { askModal, channelInput, noReason, reasonInput } from '../../../../src/approval/render/modal.ts'
import { grantedBefore, notCertainBefore, whyNot } from '../../../../src/approval/render/refusals.ts'
import {
  renderAsked,
  renderAskedBefore,
  renderAskedLater,
  renderNotPosted,
  renderWithdrawn,
} from '../../../../src/approval/render/told.ts'
import { renderNeedsApproval } from '../../../../src/grant/render/approval.ts'
import { defaultRoles } from '../../../../src/grant/roles.ts'
import { say } from '../../../../src/slack/outbound/message.ts'
import { type Entry, flow, forYou, modal } from '../stage/entry.ts'
import { dave, wishFor } from '../stage/sample.ts'
import { bobToken } from '../stage/stage.ts'
import { request } from './approval-sample.ts'

export const offers: readonly Entry[] = [
  forYou(
    'A flag that needs approval',
    'Somebody wants to grant a flag that a colleague has to approve here.',
    renderNeedsApproval(
      'grant',
      wishFor({ permissions: ['READ', 'WEBHOOKS'] }),
      ['WEBHOOKS'],
      [{ email: dave, name: 'Dave Diver', isGuest: true }],
      defaultRoles,
    ),
  ),
  flow(
    'Connected after approval was asked for',
    'Somebody without an account asked for approval, and then connected one after all.',
    async ({ bob, onCall }) => {
      await bob.types('/grant 12 dave@example.com READ', onCall)
      const prompt = await bob.sees('I need your monitoring account', onCall)
      await bob.presses('Ask for approval', prompt)
      await bob.seesModal('Ask for approval')
      await bob.submits({ fields: { Reason: 'Dave is on call this week' } })
      await bob.sees('Asked for approval in', onCall)
      await bob.presses('Connect account', prompt)
      await bob.seesModal('Connect account')
      await bob.submits({ fields: { 'API token': bobToken } })
      return bob.sees('You asked for approval of this', onCall)
    },
  ),
  forYou(
    'Nothing to ask approval for',
    'The grant was sent meanwhile, or is forgotten.',
    say(whyNot.nothingToAsk),
  ),
]

const anywhere = askModal('', request().wish, { asksWhere: true })

export const asking: readonly Entry[] = [
  modal(
    'Ask for approval',
    'Somebody presses Ask for approval.',
    askModal('', request().wish, { asksWhere: false }),
  ),
  modal(
    'Ask for approval, from nowhere',
    'The same where there is no channel that the request would go to.',
    anywhere,
  ),
  modal('Ask for approval in a quiet channel', 'The chosen channel is set to quiet.', anywhere, {
    typed: { [channelInput]: '#on-call' },
    errors: { [channelInput]: whyNot.quietThere },
  }),
  modal(
    'Ask for approval in a direct message',
    'A form that was opened before an update offered direct messages, and one was chosen.',
    anywhere,
    { typed: { [channelInput]: '@dave' }, errors: { [channelInput]: whyNot.directThere } },
  ),
  forYou(
    'Asked where it became quiet',
    'The channel was set to quiet while the modal was open.',
    say(whyNot.quietHere),
  ),
  forYou(
    'Asked for approval in a shared channel',
    'The channel became shared with another organisation while the modal was open.',
    say(whyNot.sharedHere),
  ),
  forYou(
    'Asked for approval in another shared channel',
    'The same, of a channel that was chosen.',
    say(whyNot.sharedThere),
  ),
  forYou(
    'An approval channel that is shared',
    'APPROVAL_CHANNEL is shared with another organisation: somebody presses Ask for approval.',
    say(whyNot.sharedApproval.operator),
  ),
  forYou(
    'A chosen approval channel that is shared',
    'The same, where an admin has chosen it.',
    say(whyNot.sharedApproval.admins),
  ),
  forYou('Asked and granted before', 'An old button is pressed again.', say(grantedBefore('carol'))),
  forYou('Asked before, not certain', 'The same, and nobody knows.', say(notCertainBefore('carol'))),
  modal(
    'Ask for approval, without a reason',
    'Only spaces were typed.',
    askModal('', request().wish, { asksWhere: false }),
    { typed: { [reasonInput]: ' ' }, errors: { [reasonInput]: noReason } },
  ),
  forYou('Asked for approval', 'The request is in the channel.', renderAsked(request())),
  forYou(
    'Asked for approval before',
    'The same is asked for while the request is open.',
    renderAskedBefore(request()),
  ),
  forYou('Asked while addresses are hidden', 'The bot lacks users:read.email.', say(whyNot.noAddresses)),
  forYou('Asked while Slack has a fault', 'Slack does not say who they are.', say(whyNot.noRecipients)),
  forYou('Asked, and posted later', 'Slack has a fault just now.', renderAskedLater()),
  forYou(
    'A request that cannot be posted',
    'The bot is not in the channel where requests go.',
    renderNotPosted(request(), 'not-invited'),
  ),
  forYou(
    'A request for an archived channel',
    'The channel where requests go is archived.',
    renderNotPosted(request(), 'archived'),
  ),
  forYou(
    'A request for a channel that became shared',
    'Slack had a fault; by now another organisation reads the channel.',
    renderNotPosted(request(), 'shared'),
  ),
  forYou(
    'A request that Slack refuses',
    'Only some people may post in the channel where requests go.',
    renderNotPosted(request(), 'refused'),
  ),
  forYou(
    'A request that is posted already',
    'Ask for approval is pressed twice on the message before.',
    say(whyNot.postedAlready),
  ),
  forYou('A request withdrawn', 'Who asked presses Withdraw.', renderWithdrawn()),
]
