// The gallery's wishes for several people: asked first, and what became of everybody.

import { flags } from '../../../../src/grant/flags.ts'
import { readForm } from '../../../../src/grant/form/input.ts'
import { confirmModal, inputs } from '../../../../src/grant/form/modal.ts'
import { commandLine } from '../../../../src/grant/line/line.ts'
import { confirmReasons, renderConfirm } from '../../../../src/grant/render/confirm.ts'
import type { GlimpseByEmail } from '../../../../src/grant/render/look.ts'
import {
  type ReceiptNotes,
  renderLate,
  renderReceipt,
  renderShared,
} from '../../../../src/grant/render/receipt.ts'
import { renderSending } from '../../../../src/grant/render/wish.ts'
import { defaultRoles } from '../../../../src/grant/roles.ts'
import type { Result } from '../../../../src/grant/wish.ts'
import type { NotDoneCode, SendOutcome } from '../../../../src/send/outcome.ts'
import type { Sight } from '../../../../src/send/proof.ts'
import { part } from '../doctor/doctor-lines.ts'
import { cutOff, type Entry, flow, forAll, forYou, modal, onPhone } from '../stage/entry.ts'
import { grantForm, grantSettings, keptWith, wishFor } from '../stage/sample.ts'

const names = ['dave', 'erin', 'frank', 'grace', 'heidi'] as const
const five = wishFor({ emails: names.map((name) => `${name}@example.com`) })
const sensitive = wishFor({ emails: five.emails, permissions: ['READ', 'CONTAINER_ACCESS', 'WEBHOOKS'] })

const granted: SendOutcome = { kind: 'done' }
const notSent: SendOutcome = { kind: 'not-sent' }
const silent: SendOutcome = { kind: 'uncertain', doubt: 'timed-out' }
const stopped: SendOutcome = { kind: 'uncertain', doubt: 'stopped' }

const twenty = wishFor({
  permissions: flags,
  emails: Array.from({ length: 20 }, (_, index) => `${index + 1}.${'very-long.'.repeat(24)}@example.com`),
})
function refused(code: NotDoneCode): SendOutcome {
  return { kind: 'not-done', code }
}

const everybody = twenty.emails.map((email) => ({ email, outcome: refused('bad-request') }))

function each(...outcomes: readonly SendOutcome[]): readonly Result[] {
  return five.emails.map((email, index) => ({ email, outcome: outcomes[index] ?? notSent }))
}

function result(
  name: string,
  when: string,
  people: readonly Result[],
  how: Partial<ReceiptNotes> = {},
  wish = five,
): Entry {
  return forYou(
    name,
    when,
    renderReceipt('wish', wish, people, {
      ...grantSettings,
      ...{ canShare: true, isRestOpen: true, container: 'Customer 1 (12)' },
      reasons: new Map(people.map(({ email }) => [email, undefined])),
      ...how,
    }),
  )
}

/** What was seen of the last three. */
function glimpses(...saw: readonly Sight[]): GlimpseByEmail {
  const how = { at: 1_700_000_000_000, doubt: 'timed-out', isLookedAtLater: true } as const
  return new Map(saw.map((one, index) => [five.emails[index + 2] ?? '', { saw: one, ...how }]))
}

/** An address that is none stands among others. */
function wrongForm(): Entry {
  const texts: Readonly<Record<string, string>> = {
    [inputs.container]: '12',
    [inputs.email]: 'dave@example.com\nerin\nfrank@',
  }
  const filled = {
    text: (input: string) => texts[input] ?? '',
    inputs: Object.values(inputs),
    ...{ choice: () => undefined, choices: () => [], conversation: () => undefined },
  }
  const ask = readForm(filled, grantSettings)
  const prefill = { container: '12', grantees: [], authProvider: undefined, member: false, permissions: [] }
  return cutOff(
    modal(
      'The form, with wrong addresses',
      'Somebody submits the form with text that isn’t an address.',
      grantForm(prefill),
      { typed: texts, errors: ask.kind === 'problems' ? ask.problems : {} },
    ),
  )
}

const profiles = [
  { email: 'dave@example.com', name: 'dave', isGuest: false },
  { email: 'erin@example.com', name: 'erin', isGuest: true },
]

export const severalAsked: readonly Entry[] = [
  wrongForm(),
  cutOff(
    modal(
      'The form, for several people',
      'A line mentions people and has no flags. The form opens with their addresses.',
      grantForm(
        {
          ...{ container: '12', authProvider: undefined, member: false, permissions: [] },
          grantees: profiles.map(({ email }) => ({ kind: 'email', email })),
        },
        { origins: profiles },
      ),
    ),
  ),
  forYou(
    'Asked first: several people',
    'A line names several people and sensitive flags. Two of the people are mentioned.',
    renderConfirm('wish', sensitive, confirmReasons(sensitive, profiles), defaultRoles),
  ),
  modal(
    'Asked first, in the form: several people',
    'Somebody submits the form with several people and sensitive flags.',
    confirmModal('', sensitive, confirmReasons(sensitive, []), defaultRoles),
  ),
  forYou(
    'Sending to several',
    'Somebody pressed Grant access for several people, and not all answers are in yet.',
    renderSending(sensitive, defaultRoles),
  ),
]

export const severalResults: readonly Entry[] = [
  result(
    'Several: all granted',
    'The service has added everybody.',
    each(granted, granted, granted, granted, granted),
  ),
  result(
    'Several: all granted, by the form',
    'The same from the form. The receipt shows the command line for next time.',
    each(granted, granted, granted, granted, granted),
    { line: commandLine(five, grantSettings) },
  ),
  part(
    'Several: a command line too long to show',
    'The service has added twenty people with very long addresses, from the form.',
    renderReceipt('wish', twenty, everybody, {
      roles: defaultRoles,
      canShare: true,
      isRestOpen: true,
      line: commandLine(twenty, grantSettings),
    }),
    -2,
  ),
  onPhone(
    result(
      'Several: some granted, on a phone',
      'Each outcome at once, 390 pixels wide.',
      each(granted, refused('bad-request'), refused('busy'), refused('unreachable'), silent),
    ),
  ),
  result(
    'Several: not accepted, with a sign-in provider',
    'The service answers 400 to a grant that says how the people sign in.',
    each(granted, refused('bad-request'), granted, granted, granted),
    {},
    { ...five, authProvider: 'Google', member: true },
  ),
  result(
    'Several: with a reason',
    'The service says why it refused one of them. Only the person whose token it was sees that.',
    each(granted, refused('bad-request'), granted, granted, granted),
    { reasons: new Map([['erin@example.com', 'The address exists more than once.']]) },
  ),
  result(
    'Several: permission missing',
    'The person isn’t allowed to add people to this container. After the first refusal, Bellhop sends nothing more.',
    each(refused('forbidden')),
  ),
  result('Several: no such container', 'There is no such container.', each(refused('not-found'))),
  result(
    'Several: the token was refused half way',
    'The service no longer accepts the token. The rest waits until the person connects again.',
    each(granted, granted, refused('refused')),
    { waits: true },
  ),
  flow(
    'Several: the rest waits',
    'The same: a second message, below the receipt.',
    async ({ alice, onCall, service, slack }) => {
      const stop = service.onChange(() => {
        if (service.membersOf(12).length === 0) return
        stop()
        service.revoke('alice-token')
      })
      await alice.types('/grant 12 dave@example.com,erin@example.com viewer', onCall)
      const seen = await alice.sees('The rest wasn’t sent', onCall)
      await slack.idle()
      return seen
    },
  ),
  result(
    'Several: tried again',
    'Somebody pressed Try the rest again. The button is gone, and the rest gets a result of its own.',
    each(granted, granted, granted, refused('busy'), refused('busy')),
    { isRestOpen: false },
  ),
  flow(
    'Several: asked twice',
    'Somebody sends the same grant for the same people again within ten seconds.',
    async ({ slack, service, alice, onCall }) => {
      service.addUser({ email: 'erin@example.com' })
      for (let times = 0; times < 2; times += 1) {
        await alice.types('/grant 12 dave@example.com,erin@example.com viewer', onCall)
        await slack.idle()
      }
      return alice.sees('a moment ago', onCall)
    },
  ),
  result(
    'Several, looked',
    'Some got no answer, and Bellhop looked who is on the container.',
    [...each({ kind: 'done', on: 'unsaid' }, granted, silent, silent, silent)],
    { glimpses: glimpses('absent', 'unlisted', 'hidden') },
  ),
  result(
    'Several, looked: listed otherwise',
    'The same where they are listed with other flags or through a parent, or the list can’t be read.',
    [...each(granted, granted, silent, silent, silent)],
    { glimpses: glimpses('other-access', 'inherited', 'unreadable') },
  ),
  forAll(
    'Several, shared',
    'Somebody pressed Share in channel. The shared receipt names the person who asked instead of saying “you”.',
    renderShared('alice', five, each(granted, silent, refused('forbidden')), defaultRoles),
  ),
  forAll(
    'Several, a late result: Bellhop was stopped',
    'Bellhop was killed in the middle. It reports this when it runs again, with a button for the rest.',
    renderLate(keptWith(five, each(granted, granted, stopped)), grantSettings),
  ),
  forAll(
    'Several, a late result: token refused',
    'Slack didn’t accept the result, and the service refused the token half way.',
    renderLate(keptWith(five, each(granted, granted, refused('refused'))), grantSettings),
  ),
  forAll(
    'Several, a late result: permission missing',
    'Slack didn’t accept the result of a grant from an alert’s card. It has Ask for approval, too.',
    renderLate(keptWith(five, each(refused('forbidden')), 'alert “Disk full” (5HkX)'), grantSettings),
  ),
]
