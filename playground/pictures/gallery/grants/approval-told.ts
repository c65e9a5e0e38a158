// Messages about requests for approval that the gallery's people get, each alone.
import { connectButton, renderConnectFirst } from '../../../../src/account/render.ts'
import {
  cannotCompare,
  cannotComparePast,
  connectForNext,
  connectToApprove,
  onlyTheAsker,
  rightsForRest,
  sameToken,
  whyNot,
} from '../../../../src/approval/render/refusals.ts'
import {
  renderApproveAfterAll,
  renderDeclined,
  renderEndForApprover,
  renderEndForAsker,
  stillOpenWords,
  tooLateWords,
} from '../../../../src/approval/render/told.ts'
import { say } from '../../../../src/slack/outbound/message.ts'
import { type Entry, forAll, forYou } from '../stage/entry.ts'
import { approved, approvedForTeam, carol, ended, look, pointers, request } from './approval-sample.ts'

const expired = ended({ kind: 'expired' })
const inThread = { ...pointers, isInThread: true }
const granted = approved({ kind: 'granted' })
const notGranted = approved({ kind: 'not-granted', code: 'bad-request' })
const notCertain = approved({ kind: 'uncertain', doubt: 'timed-out' })
const declined = ended({ kind: 'declined', by: carol, reason: 'Dave’s shift was moved to next week.' })

function told(name: string, when: string, words: string): Entry {
  return forYou(name, when, say(words))
}

export const toldAboutRequests: readonly Entry[] = [
  forAll(
    'Told that it was granted',
    'For who asked, in a direct message.',
    renderEndForAsker(granted, inThread),
  ),
  forAll(
    'Told that it was declined',
    'For who asked, in a direct message.',
    renderEndForAsker(declined, inThread),
  ),
  forAll(
    'Told that it was not granted',
    'For who asked, in a direct message: its thread says why.',
    renderEndForAsker(notGranted, inThread),
  ),
  forAll(
    'Told that it is not certain',
    'For who asked, in a direct message.',
    renderEndForAsker(notCertain, inThread),
  ),
  forAll(
    'Told that it has expired',
    'For who asked, in a direct message.',
    renderEndForAsker(expired, inThread),
  ),
  forAll(
    'Told that some were granted',
    'For who asked, in a direct message: some may be asked for again.',
    renderEndForAsker(approvedForTeam({ kind: 'granted' }, { kind: 'not-granted', code: 'busy' }), inThread),
  ),
  forYou(
    'Told that one’s approval was refused',
    'For who approved.',
    renderEndForApprover(notGranted, pointers),
  ),
  forYou(
    'Told that one’s approval was refused, with a reason',
    'The same, where the service says why: only the approver, whose token it was, reads that.',
    renderEndForApprover(notGranted, pointers, ['Monitoring says: “The address exists more than once.”']),
  ),
  forYou(
    'Told that one’s approval was granted',
    'For who approved.',
    renderEndForApprover(granted, pointers),
  ),
  forYou('Told that one has declined', 'For who declined.', renderDeclined(request())),
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
  told('Approver lacks the right', 'The service answers 403.', stillOpenWords('forbidden', 12)),
  told('Approved, and the service is busy', 'It answers 429.', stillOpenWords('busy', 12)),
  told('Approved, and no connection', 'It is not reached.', stillOpenWords('unreachable', 12)),
  told(
    'Approved, and nothing was sent',
    'Bellhop was stopped before it could.',
    stillOpenWords('not-sent', 12),
  ),
  told(
    'Approved, and the token refused later',
    'It is found out after Bellhop was stopped.',
    stillOpenWords('refused', 12),
  ),
  forYou(
    'Approved in part, and the token refused',
    'It was revoked when some were granted already.',
    renderConnectFirst(connectButton('waiting'), connectForNext),
  ),
  told('Approved in part, for want of rights', 'The service answers 403 to the rest.', rightsForRest(12)),
  told(
    'Too late, being granted',
    'Somebody else has pressed first.',
    tooLateWords(request({ state: 'granting', approver: carol }), 'U1'),
  ),
  told('Too late, granted', 'It is over.', tooLateWords(granted, 'U1')),
  told('Too late, declined', 'A colleague has declined it.', tooLateWords(declined, 'U1')),
  told('Too late, withdrawn', 'Who asked withdrew it.', tooLateWords(ended({ kind: 'withdrawn' }), 'U1')),
  told('Too late, expired', 'Its time is over.', tooLateWords(ended({ kind: 'expired' }), 'U1')),
  told('Open again', 'It was being granted, and is open once more.', tooLateWords(request(), 'U1')),
]

export const refused: readonly Entry[] = [
  told('Approving one’s own request', 'Who asked presses Approve.', whyNot.ownRequest),
  told('Declining one’s own request', 'Who asked presses Decline.', whyNot.ownToDecline),
  told('Approving one’s own access', 'Who gets the access presses Approve.', whyNot.forYou),
  told('Withdrawing another’s request', 'A colleague presses Withdraw.', onlyTheAsker('bob')),
  told('Approving with the asker’s token', 'Both use the same token.', sameToken('requester')),
  told('Approving with the recipient’s token', 'The same for who gets it.', sameToken('recipient')),
  told('Approving without a known address', 'The bot lacks users:read.email.', whyNot.noAddress),
  told('Approving while Slack has a fault', 'Slack does not answer who somebody is.', whyNot.noProfile),
  told('Approving after keys were taken out', 'Tokens can’t be compared.', cannotCompare('requester')),
  told(
    'Approving after the key of a past token was taken out',
    'It can’t be compared; whoever runs Bellhop can put the key back.',
    cannotComparePast('requester', 48),
  ),
  told('A request that is forgotten', 'It is pressed after months.', whyNot.notKept),
]
