// The gallery's grants: asking, the form, what asks first, receipts.
import { containerInput } from '../../../src/grant/form/container.ts'
import { readForm } from '../../../src/grant/form/input.ts'
import { inputs } from '../../../src/grant/form/modal.ts'
import { commandLine, type Prefill, parseGrant } from '../../../src/grant/line/line.ts'
import { confirmReasons, renderConfirm } from '../../../src/grant/render/confirm.ts'
import { renderHelp, renderProblems, renderRoles } from '../../../src/grant/render/help.ts'
import { type ReceiptNotes, renderReceipt, renderShared } from '../../../src/grant/render/receipt.ts'
import { defaultRoles } from '../../../src/grant/roles.ts'
import type { SendOutcome } from '../../../src/send/outcome.ts'
import { type Entry, forAll, forYou, modal } from './entry.ts'
import { dave, grantForm, grantSettings, wishFor } from './sample.ts'

const nothing: Prefill = {
  ...{ container: '', grantees: [], authProvider: undefined, member: false },
  permissions: [],
}
const forDave: Prefill = { ...nothing, container: '12', grantees: [{ kind: 'email', email: dave }] }
const sensitive = wishFor({ permissions: ['READ', 'CONTAINER_ACCESS', 'WEBHOOKS'] })

/** Nothing right stands in it. */
function wrongForm(): Entry {
  const typed: Readonly<Record<string, string>> = { [containerInput]: 'twelve', [inputs.email]: 'dave' }
  const ask = readForm(
    {
      text: (input: string) => typed[input] ?? '',
      inputs: Object.values(inputs),
      ...{ choice: () => undefined, choices: () => [], conversation: () => undefined },
    },
    grantSettings,
  )
  const errors = ask.kind === 'problems' ? ask.problems : {}
  return modal('The grant form, with problems', 'Each stands at its field.', grantForm(nothing), {
    ...{ typed, errors },
  })
}

function wrongLine(line: string): Entry {
  const ask = parseGrant(line, grantSettings)
  const problems = ask.kind === 'problems' ? ask.problems : []
  return forYou('Mistakes in a line', `Somebody types \`/grant ${line}\`.`, renderProblems(problems, line))
}

export const asking: readonly Entry[] = [
  forYou('Help for /grant', 'Somebody types `/grant help`.', renderHelp(grantSettings)),
  forYou('Roles', 'Somebody types `/grant roles`.', renderRoles(grantSettings.roles)),
  wrongLine('twelve dave REED wizard'),
  modal('The grant form', 'Somebody types `/grant` alone.', grantForm(nothing)),
  modal(
    'The grant form, with a role',
    'Somebody chooses Responder.',
    grantForm({ ...forDave, permissions: defaultRoles.responder ?? [] }),
  ),
  modal(
    'The grant form, with its flags',
    'Somebody chooses Custom.',
    grantForm({ ...forDave, permissions: ['READ', 'API', 'BILLING'] }),
  ),
  wrongForm(),
  forYou(
    'Asked first',
    'A line names sensitive flags.',
    renderConfirm('grant', sensitive, confirmReasons(sensitive, []), defaultRoles),
  ),
]

const container = 'Customer 1 (12)'
const team = ['dave', 'erin', 'frank'].map((name) => `${name}@example.com`)

function receipt(
  name: string,
  when: string,
  outcomes: readonly SendOutcome[],
  how: Partial<ReceiptNotes> = {},
): Entry {
  const wish = wishFor({ emails: team.slice(0, outcomes.length) })
  const results = outcomes.map((outcome, at) => ({ email: wish.emails[at] ?? '', outcome }))
  return forYou(
    name,
    when,
    renderReceipt('grant', wish, results, {
      ...grantSettings,
      ...{ canShare: true, isRestOpen: true, container },
      reasons: new Map(wish.emails.map((email) => [email, undefined])),
      ...how,
    }),
  )
}

const granted = { kind: 'done' } as const
const badRequest = { kind: 'not-done', code: 'bad-request' } as const
const timedOut = { kind: 'uncertain', cause: 'timed-out' } as const

export const receipts: readonly Entry[] = [
  receipt('Granted', 'The receipt of the form has the line for next time.', [granted], {
    line: commandLine(wishFor(), grantSettings),
  }),
  receipt('Not granted', 'Monitoring answers 400.', [badRequest]),
  receipt('Not granted, with a reason', 'Monitoring says why.', [badRequest], {
    reasons: new Map([[dave, 'The address exists more than once, so authProvider is required.']]),
  }),
  receipt('Not granted: permission missing', 'Monitoring answers 403.', [
    { kind: 'not-done', code: 'forbidden' },
  ]),
  receipt('Not certain', 'Monitoring doesn’t answer in time.', [timedOut]),
  receipt('Several people', 'Each has an outcome of their own.', [granted, badRequest, timedOut]),
  forAll(
    'A shared receipt',
    'Somebody presses _Share in channel_.',
    renderShared('alice', wishFor(), [{ email: dave, outcome: granted }], defaultRoles, undefined, container),
  ),
]
