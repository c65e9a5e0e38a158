// The gallery's requests for approval, as everybody in the channel sees them.
import { declineModal } from '../../../../src/approval/modal.ts'
import { renderCard } from '../../../../src/approval/render/card.ts'
import type { Doubt, NotGrantedCode, SendOutcome } from '../../../../src/send/outcome.ts'
import { type Entry, forAll, modal, onPhone } from '../stage/entry.ts'
import { wishFor } from '../stage/sample.ts'
import { approved, approvedForTeam, carol, ended, request, team } from './approval-sample.ts'

export const cards: readonly Entry[] = [
  forAll('A request', 'Somebody asks for approval.', renderCard(request())),
  onPhone(forAll('A request on a phone', 'The same on a phone.', renderCard(request()))),
  forAll(
    'A request for several people',
    'Approval is asked for a whole team, as members.',
    renderCard(request({ wish: wishFor({ emails: team, member: true, authProvider: 'Google' }) })),
  ),
  forAll(
    'A request without flags',
    'They would be on the container without any permission.',
    renderCard(request({ wish: wishFor({ permissions: [] }) })),
  ),
  forAll(
    'A request being granted',
    'A colleague has pressed Approve, and the service is asked.',
    renderCard(request({ state: 'granting', approver: carol })),
  ),
  modal('Decline request', 'A colleague presses Decline.', declineModal('', request())),
]

const notGranted = (code: NotGrantedCode): SendOutcome => ({ kind: 'not-granted', code })
const unsure = (doubt: Doubt): SendOutcome => ({ kind: 'uncertain', doubt })

function card(name: string, when: string, approval: Parameters<typeof renderCard>[0]): Entry {
  return forAll(name, when, renderCard(approval))
}

export const endings: readonly Entry[] = [
  card('A request granted', 'The service has done it.', approved({ kind: 'granted' })),
  card('A request not granted', 'The service has refused it (400).', approved(notGranted('bad-request'))),
  card('A request not certain', 'The service did not answer in time.', approved(unsure('timed-out'))),
  card(
    'A request declined',
    'A colleague gave a reason.',
    ended({ kind: 'declined', by: carol, reason: 'Dave’s shift was moved to next week.' }),
  ),
  card('A request taken back', 'Who asked has withdrawn it.', ended({ kind: 'withdrawn' })),
  card('A request expired', 'Nobody approved it in time.', ended({ kind: 'expired' })),
  card('Several people granted', 'All of them got the access.', approvedForTeam()),
  card(
    'Several people granted in part',
    'Some were certainly not granted.',
    approvedForTeam(
      { kind: 'granted' },
      notGranted('bad-request'),
      notGranted('busy'),
      notGranted('unreachable'),
    ),
  ),
  card(
    'Several people, not certain',
    'The service had a fault, and then the connections were bad.',
    approvedForTeam(
      unsure('server-error'),
      unsure('odd-answer'),
      unsure('connection-lost'),
      unsure('timed-out'),
    ),
  ),
  card(
    'Several people, interrupted',
    'The token was revoked and Bellhop stopped while they were granted.',
    approvedForTeam({ kind: 'granted' }, unsure('stopped'), notGranted('refused'), { kind: 'not-sent' }),
  ),
  card(
    'Several people, container gone',
    'The container was deleted in between.',
    approvedForTeam(
      { kind: 'granted' },
      notGranted('forbidden'),
      notGranted('not-found'),
      notGranted('not-found'),
    ),
  ),
]
