// The gallery's requests for approval, as everybody in the channel sees them.

import { renderCard } from '../../../../src/approval/render/card.ts'
import { declineModal } from '../../../../src/approval/render/modal.ts'
import { renderDetails, renderReminder, whoCanApprove } from '../../../../src/approval/render/told.ts'
import { defaultRoles } from '../../../../src/grant/roles.ts'
import type { Doubt, NotDoneCode, SendOutcome } from '../../../../src/send/outcome.ts'
import { say } from '../../../../src/slack/outbound/message.ts'
import { type Entry, forAll, forYou, modal, onPhone } from '../stage/entry.ts'
import { asOf, colleagueId, wishFor } from '../stage/sample.ts'
import { approved, approvedForTeam, carol, ended, look, request, team } from './approval-sample.ts'

export const cards: readonly Entry[] = [
  forAll('A request', 'Somebody asks for approval.', renderCard(request(), look)),
  forAll(
    'A request for a named container',
    'The requester’s own token has shown the container’s name, and only their organisation reads the channel.',
    renderCard(request({ container: 'Customer 1 (12)' }), look),
  ),
  onPhone(forAll('A request on a phone', 'The same on a phone.', renderCard(request(), look))),
  forAll(
    'A request for several people',
    'Somebody asks for approval for a whole team, as members.',
    renderCard(request({ wish: wishFor({ emails: team, member: true, authProvider: 'Google' }) }), look),
  ),
  forAll(
    'A request for sensitive flags',
    'The request names the sensitive flags. Show all lists the rest.',
    renderCard(request({ wish: wishFor({ permissions: defaultRoles.admin ?? [] }) }), look),
  ),
  forAll(
    'A request that mentions somebody',
    'APPROVAL_MENTION is set, so the request mentions those people or groups.',
    renderCard(request(), { ...look, mention: [colleagueId] }),
  ),
  forAll(
    'A request that expires soon',
    'In the request’s thread, an hour before it expires, if APPROVAL_MENTION is set.',
    renderReminder(request({ until: (asOf + 60 * 60) * 1000 }), look, [colleagueId]),
  ),
  forYou(
    'Who can approve?',
    'Somebody chooses Who can approve? in a request’s menu.',
    say(whoCanApprove(request())),
  ),
  forAll(
    'A request without flags',
    'The person would be on the container without any permissions.',
    renderCard(request({ wish: wishFor({ permissions: [] }) }), look),
  ),
  forAll(
    'A request being granted',
    'A colleague pressed Approve, and the service hasn’t answered yet.',
    renderCard(request({ state: 'granting', approver: carol }), look),
  ),
  modal('Decline request', 'A colleague presses Decline.', declineModal('', request())),
]

const notGranted = (code: NotDoneCode): SendOutcome => ({ kind: 'not-done', code })
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
  { kind: 'done' },
  notGranted('bad-request'),
  notGranted('busy'),
  notGranted('unreachable'),
)

export const endings: readonly Entry[] = [
  card('A request granted', 'The service granted it.', approved({ kind: 'done' })),
  card('A request not granted', 'The service refused it (400).', refused),
  thread('Why a request was not granted', 'The reason, in the request’s thread.', refused),
  card('A request not certain', 'The service didn’t answer in time.', notCertain),
  thread('What to check about a request', 'The details, in the request’s thread.', notCertain),
  card(
    'A request not certain, with no thread',
    'The bot isn’t in the channel, so the request itself shows the details.',
    { ...notCertain, card: { kind: 'by-url' } },
  ),
  card(
    'A request declined',
    'A colleague gave a reason.',
    ended({ kind: 'declined', by: carol, reason: 'Dave’s shift was moved to next week.' }),
  ),
  card('A request withdrawn by its requester', 'The requester withdrew it.', ended({ kind: 'withdrawn' })),
  card('A request expired', 'Nobody approved it in time.', ended({ kind: 'expired' })),
  card('Several people granted', 'Everyone got access.', approvedForTeam()),
  card('Several people granted in part', 'Some people certainly didn’t get access.', inPart),
  thread('Who got access, and who didn’t', 'The details, in the request’s thread.', inPart),
  thread(
    'Several people, not certain',
    'The service had a fault, and then the connections broke.',
    approvedForTeam(
      unsure('server-error'),
      unsure('odd-answer'),
      unsure('connection-lost'),
      unsure('timed-out'),
    ),
  ),
  thread(
    'Several people, interrupted',
    'Somebody revoked the token, and Bellhop was stopped, in the middle of the grant.',
    approvedForTeam({ kind: 'done' }, unsure('stopped'), notGranted('refused'), { kind: 'not-sent' }),
  ),
  thread(
    'Several people, container gone',
    'Somebody deleted the container in the middle of the grant.',
    approvedForTeam(
      { kind: 'done' },
      notGranted('forbidden'),
      notGranted('not-found'),
      notGranted('not-found'),
    ),
  ),
]
