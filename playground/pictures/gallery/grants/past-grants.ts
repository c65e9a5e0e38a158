// Past grants in the gallery: what Bellhop remembers, before somebody grants or approves, and where a grant was refused;
// and what somebody reads who got access.

import { askModal } from '../../../../src/approval/render/modal.ts'
import { renderApproveAnyway } from '../../../../src/approval/render/told.ts'
import { renderNotice } from '../../../../src/grant/follow-ups.ts'
import { confirmModal } from '../../../../src/grant/form/modal.ts'
import { type GivenAccess, pastGrantWords } from '../../../../src/grant/past-grants.ts'
import { confirmReasons, renderConfirm, renderNeedsApproval } from '../../../../src/grant/render/confirm.ts'
import { renderReceipt } from '../../../../src/grant/render/receipt.ts'
import { defaultRoles } from '../../../../src/grant/roles.ts'
import type { Wish } from '../../../../src/grant/wish.ts'
import { type Entry, forAll, forYou, modal } from '../stage/entry.ts'
import { asOf, dave, wishFor } from '../stage/sample.ts'
import { request, team } from './approval-sample.ts'

const viewer: readonly string[] = defaultRoles.viewer ?? []
const sensitive = wishFor({ permissions: ['READ', 'WEBHOOKS'] })
const hourMs = 60 * 60_000

function given(hoursAgo: number, changes: Partial<GivenAccess> = {}): GivenAccess {
  return {
    email: dave,
    permissions: viewer,
    at: asOf * 1000 - hoursAgo * hourMs,
    by: { is: 'reader' },
    ...changes,
  }
}

const words = (wish: Wish, ...past: readonly GivenAccess[]) => pastGrantWords(wish, past, defaultRoles)

function receipt(name: string, when: string, emails: readonly string[], remembered: string): Entry {
  const results = emails.map(
    (email) => ({ email, outcome: { kind: 'not-done', code: 'bad-request' } }) as const,
  )
  return forYou(
    name,
    when,
    renderReceipt('grant', wishFor({ emails }), results, {
      roles: defaultRoles,
      canShare: true,
      isRestOpen: true,
      remembered,
    }),
  )
}

function anyway(name: string, when: string, ...past: readonly GivenAccess[]): Entry {
  const asked = request({ wish: wishFor({ emails: past.map(({ email }) => email) }) })
  return forYou(name, when, renderApproveAnyway(asked, words(asked.wish, ...past)))
}

const alice = { is: 'other', name: 'Alice Archer' } as const

export const pastGrants: readonly Entry[] = [
  forYou(
    'Asked first: given before',
    'The person gave other flags two hours ago.',
    renderConfirm(
      'wish',
      sensitive,
      confirmReasons(sensitive, []),
      defaultRoles,
      words(sensitive, given(2, { permissions: ['READ', 'API'] })),
    ),
  ),
  modal(
    'Asked first, in the form: given before',
    'The same in the form, after they gave no flags.',
    confirmModal(
      '',
      sensitive,
      confirmReasons(sensitive, []),
      defaultRoles,
      words(sensitive, given(50, { permissions: [] })),
    ),
  ),
  receipt(
    'Not granted: given before',
    'The service answers 400, and the person gave this access yesterday.',
    [dave],
    words(wishFor(), given(24)),
  ),
  receipt(
    'Not granted: several given before',
    'The same for several people, some of whom got it before.',
    team,
    words(
      wishFor({ emails: team }),
      ...team.slice(0, 2).map((email) => given(3, { email, permissions: ['READ', 'API', 'BILLING'] })),
    ),
  ),
  forYou(
    'A flag that needs approval: given before',
    'Somebody wants a flag that needs approval, for a person they gave other flags.',
    renderNeedsApproval('grant', sensitive, ['WEBHOOKS'], [], defaultRoles, {
      remembered: words(sensitive, given(2)),
    }),
  ),
  modal(
    'Ask for approval: given before',
    'The person asked for the same yesterday, and a colleague approved it.',
    askModal('', request(), {
      asksWhere: false,
      remembered: words(wishFor(), given(24, { by: { is: 'asked' } })),
    }),
  ),
  anyway(
    'Approve anyway',
    'Somebody presses Approve, and a colleague gave the access an hour ago.',
    given(1, { by: alice }),
  ),
  anyway(
    'Approve anyway: several people',
    'The same for five people, who got it at different times.',
    ...[...team, 'heidi@example.com'].map((email, index) => given(1 + index * 30, { email, by: alice })),
  ),
  anyway(
    'Approve anyway: a colleague without a name',
    'Somebody presses Approve, and Slack doesn’t say who gave the access before.',
    given(1, {
      by: { is: 'other', name: undefined },
      permissions: ['READ', 'API', 'BILLING', 'VIEW_LOG', 'WEBHOOKS'],
    }),
  ),
]

export const notices: readonly Entry[] = [
  forAll(
    'Told that one got access',
    'A direct message to the person who got access.',
    renderNotice('Alice Archer', 12),
  ),
  forAll(
    'Told that one got access, by nobody known',
    'The same, when Slack doesn’t say who gave it.',
    renderNotice(undefined, 12),
  ),
]
