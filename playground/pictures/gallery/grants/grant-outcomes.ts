// The gallery's receipts: what became of a grant, as its asker and as the channel reads it.

import { commandLine } from '../../../../src/grant/line/line.ts'
import type { Glimpse } from '../../../../src/grant/render/look.ts'
import {
  inVain,
  notReadNote,
  type ReceiptNotes,
  renderLate,
  renderReceipt,
  renderShared,
} from '../../../../src/grant/render/receipt.ts'
import { defaultRoles } from '../../../../src/grant/roles.ts'
import type { Result } from '../../../../src/grant/wish.ts'
import type { Doubt, NotDoneCode, SendOutcome } from '../../../../src/send/outcome.ts'
import type { Sight } from '../../../../src/send/proof.ts'
import { say } from '../../../../src/slack/outbound/message.ts'
import { type Entry, flow, forAll, forYou, onPhone } from '../stage/entry.ts'
import { dave, grantSettings, keptWith, wishFor } from '../stage/sample.ts'

const granted: SendOutcome = { kind: 'done' }

function became(outcome: SendOutcome): readonly Result[] {
  return [{ email: dave, outcome }]
}

/** As the sender's token has shown it. */
const container = 'Customer 1 (12)'

function receipt(
  name: string,
  when: string,
  outcome: SendOutcome,
  wish = wishFor(),
  how: Partial<ReceiptNotes> = {},
): Entry {
  return forYou(
    name,
    when,
    renderReceipt('grant', wish, became(outcome), {
      ...grantSettings,
      canShare: true,
      isRestOpen: true,
      reasons: new Map([[dave, undefined]]),
      container,
      ...how,
    }),
  )
}

function refused(code: NotDoneCode, why: string, when: string): Entry {
  return receipt(`Not granted: ${why}`, when, { kind: 'not-done', code })
}

function uncertain(doubt: Doubt, why: string, when: string): Entry {
  return receipt(`Not certain: ${why}`, when, { kind: 'uncertain', doubt })
}

/** Bellhop has looked who is on the container. */
function looked(saw: Sight, why: string, when: string, how: Partial<ReceiptNotes> = {}): Entry {
  const glimpse: Glimpse = { saw, at: lookedAt * 1000, doubt: 'timed-out', isLookedAtLater: false }
  const outcome = { kind: 'uncertain', doubt: saw === 'absent' ? 'not-seen' : 'timed-out' } as const
  return receipt(`Not certain, looked: ${why}`, when, outcome, wishFor({ member: saw === 'absent' }), {
    glimpses: new Map([[dave, glimpse]]),
    ...how,
  })
}

const lookedAt = 1_700_000_000

/** Where the service answers 400 for these addresses. */
function receiptFor(name: string, when: string, emails: readonly string[]): Entry {
  const results = emails.map(
    (email) => ({ email, outcome: { kind: 'not-done', code: 'bad-request' } }) as const,
  )
  return forYou(
    name,
    when,
    renderReceipt('grant', wishFor({ emails }), results, {
      ...grantSettings,
      canShare: true,
      isRestOpen: true,
      reasons: new Map(emails.map((email) => [email, undefined])),
    }),
  )
}

const badRequest: SendOutcome = { kind: 'not-done', code: 'bad-request' }
const byForm = wishFor({ authProvider: 'Google', member: true })

export const receipts: readonly Entry[] = [
  receipt('Granted', 'The service has added the person.', granted),
  receipt(
    'Granted, by the form',
    'The same from the form. The receipt shows the command line for next time.',
    granted,
    byForm,
    {
      line: commandLine(byForm, grantSettings),
    },
  ),
  receipt(
    'Granted, in a direct message',
    'Somebody gives access in a direct message, where there’s no channel to share the receipt in.',
    granted,
    wishFor({ permissions: ['READ'] }),
    { canShare: false },
  ),
  flow(
    'Granted, asked twice',
    'Somebody sends the same grant again within ten seconds.',
    async ({ slack, alice, onCall }) => {
      for (let times = 0; times < 2; times += 1) {
        await alice.types('/grant 12 dave@example.com viewer', onCall)
        await slack.idle()
      }
      return alice.sees('a moment ago', onCall)
    },
  ),
  onPhone(receipt('Granted, on a phone', 'A receipt, 390 pixels wide.', granted)),
  receipt(
    'Granted, no flags',
    'Without flags, a person sees only dashboards.',
    granted,
    wishFor({ permissions: [] }),
  ),
  receipt(
    'Granted, many flags',
    'The receipt names only the role. Show all lists each flag.',
    granted,
    wishFor({ permissions: defaultRoles.admin ?? [] }),
  ),
  refused('bad-request', 'not accepted', 'The service answers 400, which can have several reasons.'),
  onPhone(receipt('Not granted, on a phone', 'The same, 390 pixels wide.', badRequest)),
  receipt(
    'Not granted: with a reason',
    'The service says why. Only the person whose token it was sees that.',
    badRequest,
    wishFor(),
    { reasons: new Map([[dave, 'The address exists more than once, so authProvider is required.']]) },
  ),
  receipt(
    'Not granted: you gave it before',
    'The service answers 400, and the same person granted this before.',
    badRequest,
    wishFor(),
    { remembered: `You gave ${dave} READ and API on 12 yesterday, so they probably have it already.` },
  ),
  receipt(
    'Not granted: a sensitive flag',
    'The service answers 400 to a grant with a flag that not everybody has.',
    badRequest,
    wishFor({ permissions: ['READ', 'WEBHOOKS'] }),
  ),
  receipt(
    'Not granted: tried again',
    'Somebody pressed a button of the receipt. Its buttons are gone, and the next try gets a receipt of its own.',
    badRequest,
    wishFor(),
    // What the service said is not stored.
    { reasons: undefined, isRestOpen: false },
  ),
  forYou(
    'Tried again before',
    'Somebody presses two of the buttons at once. Bellhop sends one request.',
    say(inVain.triedBefore(byForm)),
  ),
  forYou(
    'Tried again with a provider that is gone',
    'AUTH_PROVIDERS has changed since the receipt.',
    say(inVain.notOffered),
  ),
  receipt(
    'Not granted: not accepted, with a sign-in provider',
    'The service answers 400 to a grant that says how the person signs in.',
    { kind: 'not-done', code: 'bad-request' },
    byForm,
  ),
  receiptFor(
    'Not granted: typed with capitals',
    'The service answers 400 for an address with capitals, which it may only know without them.',
    ['Dave@Example.com'],
  ),
  receiptFor('Not granted: several typed with capitals', 'The same for several people.', [
    'Dave@Example.com',
    'Erin@Example.com',
  ]),
  refused('forbidden', 'permission missing', 'The person isn’t allowed to add people to this container.'),
  receipt(
    'Not granted: permission missing, and a sensitive flag',
    'The same, for a sensitive flag.',
    { kind: 'not-done', code: 'forbidden' },
    wishFor({ permissions: ['READ', 'WEBHOOKS'] }),
  ),
  refused('not-found', 'no such container', 'There is no such container.'),
  refused('busy', 'busy', 'The service asks Bellhop to slow down.'),
  refused('unreachable', 'unreachable', 'The service can’t be reached.'),
  uncertain('server-error', 'a service error', 'The service answers with an error of its own.'),
  uncertain('odd-answer', 'an unexpected answer', 'The service sends an undocumented answer.'),
  uncertain('connection-lost', 'the connection broke', 'The connection breaks before the answer arrives.'),
  uncertain('timed-out', 'no answer in time', 'The service doesn’t answer in time.'),
]

const forbidden: SendOutcome = { kind: 'not-done', code: 'forbidden' }
const stopped: SendOutcome = { kind: 'uncertain', doubt: 'stopped' }

export const sharedAndLate: readonly Entry[] = [
  forAll(
    'Shared: granted',
    'Somebody pressed Share in channel on a receipt.',
    renderShared('alice', wishFor(), became(granted), defaultRoles, undefined, container),
  ),
  forAll(
    'Shared: granted, the container without its name',
    'The sender’s token hasn’t shown the container’s name, or the channel is shared with another organisation.',
    renderShared('alice', wishFor(), became(granted), defaultRoles),
  ),
  forAll(
    'In the thread of an alert: not granted',
    'The result of a grant from an alert’s card goes into its thread. It names the person who asked instead of saying “you”.',
    renderShared('alice', wishFor(), became(forbidden), defaultRoles),
  ),
  forAll(
    'In the thread of an alert: token refused',
    'The same, when the service refused the token.',
    renderShared('alice', wishFor(), became({ kind: 'not-done', code: 'refused' }), defaultRoles),
  ),
  forAll(
    'In the thread of an alert: not certain',
    'Nobody knows whether a grant from an alert’s card took effect.',
    renderShared('alice', wishFor(), became({ kind: 'uncertain', doubt: 'timed-out' }), defaultRoles),
  ),
  receipt(
    'Granted, though the answer was lost',
    'The connection broke. The list of people has the person with all flags; it doesn’t say since when.',
    { kind: 'done', on: 'unsaid' },
  ),
  receipt(
    'Granted, though the answer was lost, no flags',
    'The same for a grant without flags.',
    { kind: 'done', on: 'unsaid' },
    wishFor({ permissions: [] }),
  ),
  looked('absent', 'not there', 'A member would be listed, so the person isn’t there yet.', {
    glimpses: new Map([
      [dave, { saw: 'absent', at: lookedAt * 1000, doubt: 'timed-out', isLookedAtLater: true }],
    ]),
  }),
  ...(['connection-lost', 'server-error', 'odd-answer', 'stopped', 'not-seen'] as const).map((doubt) =>
    looked('absent', `not there, ${doubt}`, 'The same after another kind of doubt.', {
      glimpses: new Map([[dave, { saw: 'absent', at: lookedAt * 1000, doubt, isLookedAtLater: false }]]),
    }),
  ),
  looked('unlisted', 'not listed', 'The list doesn’t have everybody who isn’t a member.'),
  looked('hidden', 'hidden addresses', 'The person may be one of those whose address is hidden.'),
  looked('other-access', 'other flags', 'The person is there, without all the flags.'),
  looked('inherited', 'from a parent', 'The person comes from another container.'),
  looked('unreadable', 'READ missing', 'The token may grant, and not read the list.'),
  looked('refused', 'token refused', 'The service refused the token since.'),
  looked('unread', 'not read', 'The service gave no list.'),
  looked('unlisted', 'pressed', 'Somebody pressed Look again, and nothing has changed.', { lookedAt }),
  looked('unlisted', 'pressed, not read', 'Somebody pressed Look again, and the service gave no list.', {
    note: notReadNote,
  }),
  forYou(
    'Nothing to look at',
    'Somebody presses Look again where Bellhop can’t look any more.',
    say(inVain.cannotLook),
  ),
  forYou('No account to look with', 'Somebody without an account presses Look again.', say(inVain.noAccount)),
  forAll(
    'A late result: looked again, still not certain',
    'Bellhop has looked for two minutes, as it had promised.',
    renderLate(
      keptWith(
        wishFor({ member: true }),
        [{ email: dave, outcome: { kind: 'uncertain', doubt: 'timed-out' }, wasDoubted: true }],
        undefined,
        [{ saw: 'absent', at: lookedAt * 1000 }],
      ),
      grantSettings,
    ),
  ),
  forAll(
    'A late result: granted',
    'Slack didn’t accept the receipt. It comes as a direct message within minutes.',
    renderLate(keptWith(wishFor(), became(granted)), grantSettings),
  ),
  forAll(
    'A late result: token refused',
    'The same, when the service refused the token.',
    renderLate(keptWith(wishFor(), became({ kind: 'not-done', code: 'refused' })), grantSettings),
  ),
  forAll(
    'A late result: Bellhop was stopped',
    'Bellhop was killed while sending a grant. It reports this when it runs again.',
    renderLate(keptWith(wishFor(), became(stopped)), grantSettings),
  ),
  forAll(
    'A late result: never sent',
    'Bellhop was killed before it sent a grant. It reports this when it runs again.',
    renderLate(keptWith(wishFor(), became({ kind: 'not-sent' })), grantSettings),
  ),
  forAll(
    'A late result: permission missing',
    'Slack didn’t accept the result of a grant from an alert’s card, and the person isn’t allowed to make that grant. The message has Ask for approval, too.',
    renderLate(keptWith(wishFor(), became(forbidden), 'alert “Disk full” (5HkX)'), grantSettings),
  ),
  forAll(
    'A late result: certain after all',
    'Bellhop had said that the outcome wasn’t certain. Then the process that sent the grant came back with the answer.',
    renderLate(keptWith(wishFor(), [{ email: dave, outcome: granted, wasDoubted: true }]), grantSettings),
  ),
]
