// The gallery's requests for approval, as everybody in the channel sees them.

import { renderCard } from '../../../../src/approval/render/card.ts'
import { declineModal } from '../../../../src/approval/render/modal.ts'
import { renderDetails, renderReminder, whoCanApprove } from '../../../../src/approval/render/told.ts'
import { defaultRoles } from '../../../../src/grant/roles.ts'
import type { Doubt, NotGrantedCode, SendOutcome } from '../../../../src/send/outcome.ts'
import { say } from '../../../../src/slack/outbound/message.ts'
import { type Entry, forAll, forYou, modal, onPhone } from '../stage/entry.ts'
import { asOf, colleagueId, wishFor } from '../stage/sample.ts'
import { approved, approvedForTeam, carol, ended, look, request, team } from './approval-sample.ts'

export const cards: readonly Entry[] = [
  forAll('A request', 'Somebody asks for approval.', renderCard(request(), look)),
  onPhone(forAll('A request on a phone', 'The same on a phone.', renderCard(request(), look))),
  forAll(
    'A request for several people',
    'Approval is asked for a whole team, as members.',
    renderCard(request({ wish: wishFor({ emails: team, member: true, authProvider: 'Google' }) }), look),
  ),
  forAll(
    'A request for sensitive flags',
    'The sensitive ones are named; Show all names the rest.',
    renderCard(request({ wish: wishFor({ permissions: defaultRoles.admin ?? [] }) }), look),
  ),
  forAll(
    'A request that mentions somebody',
    'APPROVAL_MENTION is set.',
    renderCard(request(), { ...look, mention: [colleagueId] }),
  ),
  forAll(
    'A request that expires soon',
    'An hour before, in its thread, where APPROVAL_MENTION is set.',
    renderReminder(request({ until: (asOf + 60 * 60) * 1000 }), look, [colleagueId]),
  ),
  forYou('Who can approve?', 'Somebody chooses it in the menu of a request.', say(whoCanApprove(request()))),
  forAll(
    'A request without flags',
    'They would be on the container without any permission.',
    renderCard(request({ wish: wishFor({ permissions: [] }) }), look),
  ),
  forAll(
    'A request being granted',
    'A colleague has pressed Approve, and the service is asked.',
    renderCard(request({ state: 'granting', approver: carol }), look),
  ),
  modal('Decline request', 'A colleague presses Decline.', declineModal('', request())),
]

const notGranted = (code: NotGrantedCode): SendOutcome => ({ kind: 'not-granted', code })
const unsure = (doubt: Doubt): SendOutcome => ({ kind: 'uncertain', doubt })

function card(name: string, when: string, approval: Parameters<typeof renderCard>[0]): Entry {
  return forAll(name, when, renderCard(approval, look))
}

/** @param approval - Of which the thread has something to say. */
function thread(name: string, when: string, approval: Parameters<typeof renderCard>[0]): Entry {
  const details = renderDetails(approval, look)
  if (details === undefined) throw new Error(`${name}: there is nothing to tell`)
  return forAll(name, when, details)
}

const refused = approved(notGranted('bad-request'))
const notCertain = approved(unsure('timed-out'))
const inPart = approvedForTeam(
  { kind: 'granted' },
  notGranted('bad-request'),
  notGranted('busy'),
  notGranted('unreachable'),
)

export const endings: readonly Entry[] = [
  card('A request granted', 'The service has done it.', approved({ kind: 'granted' })),
  card('A request not granted', 'The service has refused it (400).', refused),
  thread('Why a request was not granted', 'In its thread.', refused),
  card('A request not certain', 'The service did not answer in time.', notCertain),
  thread('What to check about a request', 'In its thread.', notCertain),
  card(
    'A request not certain, with no thread',
    'The bot is not in the channel, so the details stand on the card.',
    { ...notCertain, card: { kind: 'by-url' } },
  ),
  card(
    'A request declined',
    'A colleague gave a reason.',
    ended({ kind: 'declined', by: carol, reason: 'Dave’s shift was moved to next week.' }),
  ),
  card('A request taken back', 'Who asked has withdrawn it.', ended({ kind: 'withdrawn' })),
  card('A request expired', 'Nobody approved it in time.', ended({ kind: 'expired' })),
  card('Several people granted', 'All of them got the access.', approvedForTeam()),
  card('Several people granted in part', 'Some were certainly not granted.', inPart),
  thread('Who was granted, and who not', 'In its thread.', inPart),
  thread(
    'Several people, not certain',
    'The service had a fault, and then the connections were bad.',
    approvedForTeam(
      unsure('server-error'),
      unsure('odd-answer'),
      unsure('connection-lost'),
      unsure('timed-out'),
    ),
  ),
  thread(
    'Several people, interrupted',
    'The token was revoked and Bellhop stopped while they were granted.',
    approvedForTeam({ kind: 'granted' }, unsure('stopped'), notGranted('refused'), { kind: 'not-sent' }),
  ),
  thread(
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
