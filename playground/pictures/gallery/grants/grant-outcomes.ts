// The gallery's receipts: what became of a grant, as its asker and as the channel reads it.

import { commandLine } from '../../../../src/grant/line/line.ts'
import { inVain } from '../../../../src/grant/render/offers.ts'
import {
  type ReceiptNotes,
  renderLate,
  renderReceipt,
  renderShared,
} from '../../../../src/grant/render/receipt.ts'
import { defaultRoles } from '../../../../src/grant/roles.ts'
import type { Result } from '../../../../src/grant/wish.ts'
import type { Doubt, NotGrantedCode, SendOutcome } from '../../../../src/send/outcome.ts'
import { say } from '../../../../src/slack/outbound/message.ts'
import { type Entry, flow, forAll, forYou, onPhone } from '../stage/entry.ts'
import { dave, grantSettings, keptWith, wishFor } from '../stage/sample.ts'

const granted: SendOutcome = { kind: 'granted' }

function became(outcome: SendOutcome): readonly Result[] {
  return [{ email: dave, outcome }]
}

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
      ...how,
    }),
  )
}

function refused(code: NotGrantedCode, why: string, when: string): Entry {
  return receipt(`Not granted: ${why}`, when, { kind: 'not-granted', code })
}

function uncertain(doubt: Doubt, why: string, when: string): Entry {
  return receipt(`Not certain: ${why}`, when, { kind: 'uncertain', doubt })
}

/** Where the service answers 400 for these addresses. */
function receiptFor(name: string, when: string, emails: readonly string[]): Entry {
  const results = emails.map(
    (email) => ({ email, outcome: { kind: 'not-granted', code: 'bad-request' } }) as const,
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

const badRequest: SendOutcome = { kind: 'not-granted', code: 'bad-request' }
const byForm = wishFor({ authProvider: 'Google', member: true })

export const receipts: readonly Entry[] = [
  receipt('Granted', 'The service has added the person.', granted),
  receipt(
    'Granted, by the form',
    'The same from the form: with the line that does it faster.',
    granted,
    byForm,
    {
      line: commandLine(byForm, grantSettings),
    },
  ),
  receipt(
    'Granted, in a direct message',
    'Asked where there is no channel to share it in.',
    granted,
    wishFor({ permissions: ['READ'] }),
    { canShare: false },
  ),
  flow(
    'Granted, asked twice',
    'Somebody asks for the very same once more within ten seconds.',
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
    'Without a flag, somebody sees dashboards only.',
    granted,
    wishFor({ permissions: [] }),
  ),
  receipt(
    'Granted, many flags',
    'The role stands for them; Show all names each.',
    granted,
    wishFor({ permissions: defaultRoles.admin ?? [] }),
  ),
  refused('bad-request', 'not accepted', 'The service answers 400, which it does for several reasons.'),
  onPhone(receipt('Not granted, on a phone', 'The same, 390 pixels wide.', badRequest)),
  receipt(
    'Not granted: with a reason',
    'The service says why. Only the person whose token it was reads that.',
    badRequest,
    wishFor(),
    { reasons: new Map([[dave, 'The address exists more than once, so authProvider is required.']]) },
  ),
  receipt(
    'Not granted: remembered',
    'The service answers 400 for what the asker has granted before.',
    badRequest,
    wishFor(),
    { remembered: `You gave ${dave} READ and API on 12 yesterday, so they probably have it already.` },
  ),
  receipt(
    'Not granted: a sensitive flag',
    'The same where a flag was asked for that not everybody has.',
    badRequest,
    wishFor({ permissions: ['READ', 'WEBHOOKS'] }),
  ),
  receipt(
    'Not granted: tried again',
    'A button of the receipt was pressed: it has none left, and the result of the next try follows.',
    badRequest,
    wishFor(),
    // What the service said is not stored.
    { reasons: undefined, isRestOpen: false },
  ),
  forYou(
    'Tried again before',
    'Two of the buttons are pressed at once: one request is sent.',
    say(inVain.triedBefore(byForm)),
  ),
  forYou(
    'Tried again with a provider that is gone',
    'The operator has changed AUTH_PROVIDERS since the receipt.',
    say(inVain.notOffered),
  ),
  receipt(
    'Not granted: not accepted, with a sign-in provider',
    'The same for a grant that names how the person signs in.',
    { kind: 'not-granted', code: 'bad-request' },
    byForm,
  ),
  receiptFor(
    'Not granted: typed with capitals',
    'The same for an address with capitals, which monitoring may know in small letters only.',
    ['Dave@Example.com'],
  ),
  receiptFor('Not granted: several typed with capitals', 'The same for several people.', [
    'Dave@Example.com',
    'Erin@Example.com',
  ]),
  refused('forbidden', 'no right to', 'The asker may not add people to this container.'),
  receipt(
    'Not granted: no right to, and a sensitive flag',
    'The same where a sensitive flag was asked for.',
    { kind: 'not-granted', code: 'forbidden' },
    wishFor({ permissions: ['READ', 'WEBHOOKS'] }),
  ),
  refused('not-found', 'no such container', 'There is no such container.'),
  refused('busy', 'busy', 'The service asks to slow down.'),
  refused('unreachable', 'not reached', 'The service can’t be reached.'),
  uncertain('server-error', 'an error of the service', 'The service answers with an error of its own.'),
  uncertain('odd-answer', 'an odd answer', 'The service answers something that is not documented.'),
  uncertain('connection-lost', 'the connection broke', 'The connection is cut before the answer.'),
  uncertain('timed-out', 'no answer in time', 'The service does not answer in time.'),
]

const forbidden: SendOutcome = { kind: 'not-granted', code: 'forbidden' }
const stopped: SendOutcome = { kind: 'uncertain', doubt: 'stopped' }

export const sharedAndLate: readonly Entry[] = [
  forAll(
    'Shared: granted',
    'Share in channel was pressed on a receipt.',
    renderShared('alice', wishFor(), became(granted), defaultRoles),
  ),
  forYou(
    'Not shared',
    'Share in channel is pressed on a refusal, which versions before this one offered.',
    say(inVain.onlyGranted),
  ),
  forAll(
    'In the thread of an alert: not granted',
    'What was asked for from an alert is told there; it mentions who asked, not the reader.',
    renderShared('alice', wishFor(), became(forbidden), defaultRoles),
  ),
  forAll(
    'In the thread of an alert: token refused',
    'The same where a token was refused.',
    renderShared('alice', wishFor(), became({ kind: 'not-granted', code: 'refused' }), defaultRoles),
  ),
  forAll(
    'In the thread of an alert: not certain',
    'The same where it is not certain.',
    renderShared('alice', wishFor(), became({ kind: 'uncertain', doubt: 'timed-out' }), defaultRoles),
  ),
  forAll(
    'Told late: granted',
    'Slack did not take the receipt: it comes as a direct message within minutes.',
    renderLate(keptWith(wishFor(), became(granted)), grantSettings),
  ),
  forAll(
    'Told late: token refused',
    'The same where the service refused the token.',
    renderLate(keptWith(wishFor(), became({ kind: 'not-granted', code: 'refused' })), grantSettings),
  ),
  forAll(
    'Told late: Bellhop was stopped',
    'Bellhop was killed while a grant was on its way: told once it runs again.',
    renderLate(keptWith(wishFor(), became(stopped)), grantSettings),
  ),
  forAll(
    'Told late: right lacking',
    'Asked from an alert’s card, by somebody who has no right to: a colleague can be asked from here as well.',
    renderLate(keptWith(wishFor(), became(forbidden), 'alert “Disk full” (5HkX)'), grantSettings),
  ),
  forAll(
    'Told late: certain after all',
    'Bellhop had to say that it was not certain, and the process that had sent the grant came back with the answer.',
    renderLate(keptWith(wishFor(), [{ email: dave, outcome: granted, wasDoubted: true }]), grantSettings),
  ),
]
