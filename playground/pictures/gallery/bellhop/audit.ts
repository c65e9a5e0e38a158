// The gallery's audit channel: a line for each grant and each step of an approval.

import { renderLine } from '../../../../src/audit/render-line.ts'
import type { Entry as Recorded } from '../../../../src/audit/trail.ts'
import { asLine, type Entry, forAll } from '../stage/entry.ts'
import { dave, wishFor } from '../stage/sample.ts'

const names = { who: 'Alice Archer', asker: 'Alice Archer', approver: 'Bob Baker' }
const decided = { ...names, who: 'Bob Baker' }

function line(
  name: string,
  when: string,
  changes: Partial<Recorded>,
  who: Parameters<typeof renderLine>[1] = names,
  emails?: readonly string[],
): Entry {
  const { emails: _, ...access } = wishFor()
  const recorded: Recorded = {
    workspaceId: 'T1',
    key: '',
    act: 'grant',
    outcome: 'done',
    ...access,
    email: dave,
    ...changes,
  }
  return asLine(forAll(`Audit: ${name}`, when, renderLine(recorded, who, emails)))
}

function notGranted(name: string, why: string): Entry {
  return line(`not granted, ${name}`, `A grant wasn’t made: ${name}.`, { outcome: `not-done:${why}` })
}

function notCertain(name: string, doubt: string): Entry {
  return line(`not certain, ${name}`, `A grant may have been made: ${name}.`, {
    outcome: `uncertain:${doubt}`,
  })
}

export const grantLines: readonly Entry[] = [
  line('granted', 'Somebody gave a person access.', {}),
  line(
    'granted, no flags',
    'Somebody added a person without flags, as a member who signs in with a provider.',
    {
      permissions: [],
      member: true,
      authProvider: 'Google',
    },
  ),
  line('granted, several', 'Somebody gave several people access at once.', {}, names, [
    'dave@example.com',
    'erin@example.com',
  ]),
  line('granted, approved', 'Somebody gave a person access, with a colleague’s approval.', {
    approverId: 'U2',
  }),
  notGranted('refused by the service', 'bad-request'),
  notGranted('token not accepted', 'refused'),
  notGranted('permission missing', 'forbidden'),
  line(
    'not granted, right lacking of who approved',
    'A colleague who isn’t allowed to grant it approved a request.',
    {
      ...{ outcome: 'not-done:forbidden', approverId: 'U2' },
    },
  ),
  notGranted('approval needed', 'needs-approval'),
  notGranted('no container', 'not-found'),
  notGranted('service busy', 'busy'),
  notGranted('service unreachable', 'unreachable'),
  notCertain('service error', 'server-error'),
  notCertain('unexpected answer', 'odd-answer'),
  notCertain('connection lost', 'connection-lost'),
  notCertain('no answer in time', 'timed-out'),
  notCertain('Bellhop stopped', 'stopped'),
]

export const approvalLines: readonly Entry[] = [
  line('approval asked for', 'Somebody asks for approval.', { act: 'ask' }),
  line('not approved', 'Somebody presses Approve on their own request.', {
    ...{ act: 'approve', outcome: 'not-done:four-eyes', email: undefined, userId: 'U1', askerId: 'U1' },
  }),
  line(
    'not approved, unknown',
    'Somebody presses Approve on a colleague’s request, and Slack doesn’t say who they are.',
    { act: 'approve', outcome: 'not-done:unknown-approver', email: undefined },
    decided,
  ),
  line(
    'approved, not sent',
    'A colleague approves a request for several people. One refusal meant that the rest wasn’t sent.',
    { act: 'approve', outcome: 'not-done:not-sent' },
    decided,
  ),
  line('declined', 'A colleague declines.', { act: 'decline' }, decided),
  line('withdrawn', 'The requester withdraws the request.', { act: 'withdraw' }),
  line('expired', 'Nobody decided in time.', { act: 'expire' }),
  line(
    'two people are one in monitoring',
    'Two people assign alerts as the same user of monitoring.',
    {
      ...{ act: 'claim', outcome: 'not-done:taken', askerId: 'U2', reference: 'user 7' },
      ...{ email: undefined, containerId: undefined, permissions: undefined },
    },
    decided,
  ),
]
