// The gallery's approvals: asking for one, the request, how it ends.
import { renderCard } from '../../../src/approval/render/card.ts'
import { renderEndForAsker, sameToken } from '../../../src/approval/render/messages.ts'
import { askModal, declineModal } from '../../../src/approval/render/modal.ts'
import { renderNeedsApproval } from '../../../src/grant/render/confirm.ts'
import { defaultRoles } from '../../../src/grant/roles.ts'
import { say } from '../../../src/slack/outbound/message.ts'
import { approved, carol, ended, look, pointers, request } from './approval-sample.ts'
import { type Entry, forAll, forYou, modal } from './entry.ts'
import { colleagueId, wishFor } from './sample.ts'

const timedOut = { kind: 'uncertain', cause: 'timed-out' } as const
const declined = ended({ kind: 'declined', by: carol, reason: 'Dave’s shift was moved to next week.' })

export const approvals: readonly Entry[] = [
  forYou(
    'A flag that needs approval',
    'Somebody wants to grant one.',
    renderNeedsApproval(
      'grant',
      wishFor({ permissions: ['READ', 'WEBHOOKS'] }),
      ['WEBHOOKS'],
      [],
      defaultRoles,
    ),
  ),
  modal(
    'Ask for approval',
    'Somebody presses _Ask for approval_.',
    askModal('', request(), { asksWhere: false }),
  ),
  forAll(
    'A request',
    'Everybody in the channel sees it; APPROVAL_MENTION names whom it mentions.',
    renderCard(request(), { ...look, mention: [colleagueId] }),
  ),
  modal('Decline request', 'A colleague presses _Decline_.', declineModal('', request())),
  forAll(
    'A request being granted',
    'A colleague pressed _Approve_.',
    renderCard(request({ state: 'sending', approver: carol }), look),
  ),
  forAll('A request granted', 'Monitoring has granted it.', renderCard(approved({ kind: 'done' }), look)),
  forAll('A request not certain', 'Monitoring didn’t answer.', renderCard(approved(timedOut), look)),
  forAll('A request declined', 'A colleague gave a reason.', renderCard(declined, look)),
  forAll('A request expired', 'Nobody decided in time.', renderCard(ended({ kind: 'expired' }), look)),
  forAll(
    'For the requester',
    'By direct message, once it has ended.',
    renderEndForAsker(approved({ kind: 'done' }), pointers),
  ),
  forYou('Not your own request', 'Requester and approver use the same token.', say(sameToken('requester'))),
]
