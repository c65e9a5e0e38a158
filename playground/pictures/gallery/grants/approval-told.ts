// Messages about requests for approval that the gallery's people get, each alone.
import { connectButton, renderConnectFirst } from '../../../../src/account/render.ts'
import {
  connectForNext,
  connectToApprove,
  onlyTheAsker,
  renderApproveAfterAll,
  renderDeclined,
  renderEndForApprover,
  renderEndForAsker,
  rightsForRest,
  sameToken,
  stillOpenWords,
  tooLateWords,
  whyNot,
} from '../../../../src/approval/render/told.ts'
import { say } from '../../../../src/slack/outbound/message.ts'
import { type Entry, forAll, forYou } from '../stage/entry.ts'
import { approved, approvedForTeam, carol, ended, look, pointers, request } from './approval-sample.ts'

const expired = ended({ kind: 'expired' })
const inThread = { ...pointers, isInThread: true }
const granted = approved({ kind: 'done' })
const notGranted = approved({ kind: 'not-done', code: 'bad-request' })
const notCertain = approved({ kind: 'uncertain', doubt: 'timed-out' })
const declined = ended({ kind: 'declined', by: carol, reason: 'Dave’s shift was moved to next week.' })

function told(name: string, when: string, words: string): Entry {
  return forYou(name, when, say(words))
}

export const toldAboutRequests: readonly Entry[] = [
  forAll(
    'For the requester: granted',
    'A colleague approved the request. The requester gets a direct message.',
    renderEndForAsker(granted, inThread),
  ),
  forAll(
    'For the requester: declined',
    'A colleague declined the request. The requester gets a direct message.',
    renderEndForAsker(declined, inThread),
  ),
  forAll(
    'For the requester: not granted',
    'The service refused it. The request’s thread lists what that can mean. Only the approver sees the service’s own reason.',
    renderEndForAsker(notGranted, inThread),
  ),
  forAll(
    'For the requester: not certain',
    'Nobody knows whether the grant took effect.',
    renderEndForAsker(notCertain, inThread),
  ),
  forAll(
    'For the requester: not certain, on a named container',
    'The same, where the requester’s own token has shown the container’s name.',
    renderEndForAsker({ ...notCertain, container: 'Customer 1 (12)' }, inThread),
  ),
  forAll('For the requester: expired', 'Nobody decided in time.', renderEndForAsker(expired, inThread)),
  forAll(
    'For the requester: granted in part',
    'Some people got access. The requester can ask again for the others.',
    renderEndForAsker(approvedForTeam({ kind: 'done' }, { kind: 'not-done', code: 'busy' }), inThread),
  ),
  forYou(
    'For the approver: not granted',
    'For the approver, in a direct message: the service refused the grant.',
    renderEndForApprover(notGranted, pointers),
  ),
  forYou(
    'For the approver: not granted, with a reason',
    'The same, when the service says why. Only the approver, whose token it was, sees that.',
    renderEndForApprover(notGranted, pointers, {
      said: ['Monitoring says: “The address exists more than once.”'],
    }),
  ),
  forYou(
    'For the approver: not certain, looked',
    'Bellhop looked who is on the container with the approver’s token. Only they see what it showed.',
    renderEndForApprover(notCertain, pointers, {
      glimpses: new Map([
        [
          notCertain.wish.emails[0] ?? '',
          { saw: 'unlisted', at: 1_700_000_000_000, doubt: 'timed-out', isLookedAtLater: true },
        ],
      ]),
      lookedAt: 1_700_000_000,
    }),
  ),
  forYou(
    'For the approver: granted',
    'For the approver, in a direct message: the service made the grant.',
    renderEndForApprover(granted, pointers),
  ),
  forYou('For whoever declined', 'Somebody has declined a request.', renderDeclined(request())),
  forYou(
    'No account, to approve',
    'Somebody without an account presses Approve.',
    renderConnectFirst(connectButton('waiting'), connectToApprove),
  ),
  forYou(
    'Approve after all',
    'The approver connected more than 15 minutes later.',
    renderApproveAfterAll(request(), look),
  ),
  told(
    'Approver lacks permission',
    'The approver’s grant gets a 403.',
    stillOpenWords('forbidden', request()),
  ),
  told(
    'Approved, and the service is busy',
    'The approver’s grant gets a 429.',
    stillOpenWords('busy', request()),
  ),
  told(
    'Approved, and no connection',
    'Bellhop can’t reach the service for the approver’s grant.',
    stillOpenWords('unreachable', request()),
  ),
  told(
    'Approved, and nothing was sent',
    'Bellhop was stopped before it sent the approver’s grant.',
    stillOpenWords('not-sent', request()),
  ),
  told(
    'Approved, and the token refused later',
    'The service refuses the approver’s token, and Bellhop learns of it only after a restart.',
    stillOpenWords('refused', request()),
  ),
  forYou(
    'Approved in part, and the token refused',
    'The service refused the approver’s token after some people got access.',
    renderConnectFirst(connectButton('waiting'), connectForNext),
  ),
  told(
    'Approved in part, permission missing',
    'The service answers 403 to the rest.',
    rightsForRest(request()),
  ),
  told(
    'Too late, being granted',
    'Somebody presses Approve, but a colleague was first.',
    tooLateWords(request({ state: 'granting', approver: carol }), 'U1'),
  ),
  told(
    'Too late, granted',
    'Somebody presses Approve, but a colleague was first, and the grant has been made.',
    tooLateWords(granted, 'U1'),
  ),
  told(
    'Too late, declined',
    'Somebody presses Approve, but a colleague has declined the request.',
    tooLateWords(declined, 'U1'),
  ),
  told(
    'Too late, withdrawn',
    'Somebody presses Approve, but the requester has withdrawn the request.',
    tooLateWords(ended({ kind: 'withdrawn' }), 'U1'),
  ),
  told(
    'Too late, expired',
    'Somebody presses Approve, but the request has expired.',
    tooLateWords(ended({ kind: 'expired' }), 'U1'),
  ),
  told(
    'Open again',
    'Somebody presses Approve while a colleague’s grant is under way. That fails, so the request is open again.',
    tooLateWords(request(), 'U1'),
  ),
]

export const refused: readonly Entry[] = [
  told('Approving one’s own request', 'The requester presses Approve.', whyNot.ownRequest),
  told('Declining one’s own request', 'The requester presses Decline.', whyNot.ownToDecline),
  told('Approving one’s own access', 'The recipient presses Approve.', whyNot.forYou),
  told('Withdrawing another’s request', 'A colleague presses Withdraw.', onlyTheAsker('bob')),
  told(
    'Approving with the asker’s token',
    'The requester and the approver use the same token.',
    sameToken('requester'),
  ),
  told(
    'Approving with the recipient’s token',
    'The recipient and the approver use the same token.',
    sameToken('recipient'),
  ),
  told('Approving without a known address', 'The bot lacks users:read.email.', whyNot.noAddress),
  told('Approving while Slack has a fault', 'Slack doesn’t say who the approver is.', whyNot.noProfile),
  told(
    'A request that is forgotten',
    'Somebody presses a button of a request that is months old.',
    whyNot.notKept,
  ),
]
