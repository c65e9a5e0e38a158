// The gallery's ways to approval: when it is offered, and asking for it.

import { askModal, channelInput, noReason, reasonInput } from '../../../../src/approval/render/modal.ts'
import {
  grantedBefore,
  notCertainBefore,
  renderAsked,
  renderAskedBefore,
  renderAskedLater,
  renderNotPosted,
  renderWithdrawn,
  whyNot,
} from '../../../../src/approval/render/told.ts'
import { renderNeedsApproval } from '../../../../src/grant/render/confirm.ts'
import { defaultRoles } from '../../../../src/grant/roles.ts'
import { say } from '../../../../src/slack/outbound/message.ts'
import { type Entry, flow, forYou, modal } from '../stage/entry.ts'
import { dave, wishFor } from '../stage/sample.ts'
import { bobToken } from '../stage/stage.ts'
import { request } from './approval-sample.ts'

export const offers: readonly Entry[] = [
  forYou(
    'A flag that needs approval',
    'Somebody wants to grant a flag that needs a colleague’s approval.',
    renderNeedsApproval(
      'grant',
      wishFor({ permissions: ['READ', 'WEBHOOKS'] }),
      ['WEBHOOKS'],
      [{ email: dave, name: 'Dave Diver', isGuest: true }],
      defaultRoles,
    ),
  ),
  forYou(
    'A flag that needs approval, on a named container',
    'The same, where the person’s own token has shown the container’s name.',
    renderNeedsApproval('grant', wishFor({ permissions: ['WEBHOOKS'] }), ['WEBHOOKS'], [], defaultRoles, {
      container: 'Customer 1 (12)',
    }),
  ),
  flow(
    'Connected after approval was asked for',
    'Somebody without an account asked for approval, and connected one afterwards.',
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
      return bob.sees('You already asked for approval', onCall)
    },
  ),
  forYou(
    'Nothing to ask approval for',
    'The grant has been sent in the meantime, or is no longer stored.',
    say(whyNot.nothingToAsk),
  ),
]

const anywhere = askModal('', request(), { asksWhere: true })

export const asking: readonly Entry[] = [
  modal(
    'Ask for approval',
    'Somebody presses Ask for approval.',
    askModal('', request(), { asksWhere: false }),
  ),
  modal(
    'Ask for approval, with a choice of channel',
    'The same where Bellhop doesn’t know which channel to post in.',
    anywhere,
  ),
  modal(
    'Ask for approval in a direct message',
    'Somebody chose a direct message in a form that they opened before an update. Forms no longer offer those.',
    anywhere,
    { typed: { [channelInput]: '@dave' }, errors: { [channelInput]: whyNot.directThere } },
  ),
  forYou(
    'Asked for approval in a shared channel',
    'The channel became shared with another organisation while the form was open.',
    say(whyNot.sharedHere),
  ),
  forYou(
    'Asked for approval in another shared channel',
    'The same, for a channel that they chose.',
    say(whyNot.sharedThere),
  ),
  forYou(
    'An approval channel that is shared',
    'Somebody presses Ask for approval, and APPROVAL_CHANNEL is shared with another organisation.',
    say(whyNot.sharedApproval.operator),
  ),
  forYou(
    'A chosen approval channel that is shared',
    'The same, when an admin chose the approval channel.',
    say(whyNot.sharedApproval.admins),
  ),
  forYou(
    'Asked and granted before',
    'Somebody presses an old Ask for approval again.',
    say(grantedBefore('carol')),
  ),
  forYou(
    'Asked before, not certain',
    'The same, when the outcome isn’t certain.',
    say(notCertainBefore('carol')),
  ),
  modal(
    'Ask for approval, without a reason',
    'They typed only spaces.',
    askModal('', request(), { asksWhere: false }),
    { typed: { [reasonInput]: ' ' }, errors: { [reasonInput]: noReason } },
  ),
  forYou('Asked for approval', 'Bellhop has posted the request.', renderAsked(request())),
  forYou(
    'Asked for approval before',
    'Somebody asks for the same while their request is still open.',
    renderAskedBefore(request()),
  ),
  forYou('Asked while addresses are hidden', 'The bot lacks users:read.email.', say(whyNot.noAddresses)),
  forYou(
    'Asked while Slack has a fault',
    'Slack doesn’t say who the recipients are.',
    say(whyNot.noRecipients),
  ),
  forYou('Asked, and posted later', 'Slack has a fault at the moment.', renderAskedLater()),
  forYou(
    'A request that cannot be posted',
    'The bot isn’t in the channel where requests go.',
    renderNotPosted(request(), 'not-invited'),
  ),
  forYou(
    'A request for an archived channel',
    'The channel where requests go is archived.',
    renderNotPosted(request(), 'archived'),
  ),
  forYou(
    'A request for a channel that became shared',
    'Slack had a fault, and since then the channel became shared with another organisation.',
    renderNotPosted(request(), 'shared'),
  ),
  forYou(
    'A request that Slack refuses',
    'Only some people may post in the channel where requests go.',
    renderNotPosted(request(), 'refused'),
  ),
  forYou(
    'A request that is posted already',
    'Somebody presses Ask for approval twice on such a message.',
    say(whyNot.postedAlready),
  ),
  forYou('A request withdrawn', 'The requester presses Withdraw.', renderWithdrawn()),
]
