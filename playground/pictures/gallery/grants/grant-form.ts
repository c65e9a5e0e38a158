// The gallery's form for granting, and what asks before a grant is sent.

import { readForm } from '../../../../src/grant/form/input.ts'
import { confirmModal, groupInput, inputs, loadingModal } from '../../../../src/grant/form/modal.ts'
import { firstShown } from '../../../../src/grant/form/state.ts'
import type { Prefill } from '../../../../src/grant/line/line.ts'
import {
  confirmReasons,
  type ProfileOrigin,
  renderConfirm,
  waitedReason,
} from '../../../../src/grant/render/confirm.ts'
import { inVain } from '../../../../src/grant/render/receipt.ts'
import { allFlagsModal, renderSending } from '../../../../src/grant/render/wish.ts'
import { defaultRoles } from '../../../../src/grant/roles.ts'
import type { Wish } from '../../../../src/grant/wish.ts'
import { oddInput } from '../../../../src/slack/gate/gate.ts'
import { say } from '../../../../src/slack/outbound/message.ts'
import type { MonitorService } from '../../../monitor/start-monitor.ts'
import { cutOff, type Entry, flow, forYou, modal, onPhone } from '../stage/entry.ts'
import { diskFull, grantForm, grantSettings, wishFor } from '../stage/sample.ts'
import { modalSaying } from '../stage/stage.ts'

const nothing: Prefill = {
  ...{ container: '', grantees: [], authProvider: undefined, member: false },
  permissions: [],
}
const dave: Prefill = {
  ...nothing,
  container: '12',
  grantees: [{ kind: 'email', email: 'dave@example.com' }],
}
const veryLong: Prefill['grantees'] = Array.from({ length: 20 }, (_, n) => ({
  kind: 'email',
  email: `person-${n + 1}@${'department.'.repeat(16)}example.com`,
}))
const guest: ProfileOrigin = { email: 'dave@example.com', name: 'dave', isGuest: true }
const colleague: ProfileOrigin = { email: 'dave@example.com', name: 'dave', isGuest: false }

/** Nothing right stands in it, and its sign-in provider was offered only when the form was opened. */
function everythingWrong(): Entry {
  const [container, email, authProvider] = ['twelve', 'dave', 'Okta']
  const texts: Readonly<Record<string, string>> = { [inputs.container]: container, [inputs.email]: email }
  const filled = {
    text: (input: string) => texts[input] ?? '',
    inputs: Object.values(inputs),
    choice: (input: string) => (input === inputs.provider ? authProvider : undefined),
    ...{ choices: () => [], conversation: () => undefined },
  }
  const prefill: Prefill = { ...nothing, container, grantees: [{ kind: 'email', email }], authProvider }
  const ask = readForm(filled, grantSettings, firstShown(prefill, grantSettings))
  const opened = { ...grantSettings, authProviders: [...grantSettings.authProviders, authProvider] }
  return cutOff(
    modal(
      'The form, with problems',
      'Somebody submits the form with mistakes in it. Each problem is shown at its field.',
      grantForm(prefill, {}, opened),
      { typed: { [inputs.role]: '' }, errors: ask.kind === 'problems' ? ask.problems : {} },
    ),
  )
}

/** Choices that the service knew when the form was opened, and one input that Slack has garbled. */
function odd(): Entry {
  const [member, email, alerts] = [inputs.member, inputs.email, groupInput('Alerts')]
  const texts: Readonly<Record<string, string>> = { [inputs.container]: '12', [email]: 'dave@example.com' }
  const filled = {
    text: (input: string) => texts[input] ?? '',
    inputs: [...Object.values(inputs), alerts],
    choices: (input: string) => (input === alerts ? ['ALERT_SNOOZE'] : []),
    ...{ choice: () => undefined, conversation: () => undefined },
  }
  const ask = readForm(filled, grantSettings)
  const problems = ask.kind === 'problems' ? ask.problems : {}
  return modal(
    'The form, with impossible choices',
    'Somebody chose a flag that this version no longer offers, and Slack sent an impossible value for Member.',
    grantForm({ ...dave, member: true, permissions: ['ALERT_ASSIGN'] }),
    { errors: { ...problems, [member]: oddInput } },
  )
}

export const form: readonly Entry[] = [
  modal('The form', 'Somebody types `/grant` alone.', grantForm(nothing)),
  cutOff(
    modal(
      'The form over HTTP',
      'Slack hasn’t asked for suggestions yet: the app’s manifest may not name an address for that.',
      grantForm(nothing, {}, grantSettings, '', { kind: 'typed', canSwitch: true }),
    ),
  ),
  cutOff(
    modal(
      'The form over HTTP, with suggestions',
      'Slack has asked for suggestions before, or somebody presses Suggest containers.',
      grantForm(dave, {}, grantSettings, '', { kind: 'suggests', canSwitch: true }),
    ),
  ),
  modal(
    'The form, with a role',
    'Somebody chooses Responder. The form says what that allows, and ticks Member.',
    grantForm({ ...nothing, permissions: defaultRoles.responder ?? [] }),
  ),
  modal(
    'The form, with Admin',
    'Somebody chooses Admin. Sensitive flags come first.',
    grantForm({ ...nothing, permissions: defaultRoles.admin ?? [] }),
  ),
  cutOff(
    modal(
      'The form, with its flags',
      'Somebody presses Choose flags below a role, or chooses Custom.',
      grantForm({ ...dave, permissions: ['READ', 'API', 'BILLING'] }),
    ),
  ),
  cutOff(
    modal(
      'The form, for an alert',
      'Somebody presses Grant access in the menu of an alert’s card.',
      grantForm(nothing, {
        about: { name: `alert “${diskFull.lastMessage}” (${diskFull.ks})`, isForAll: true },
      }),
    ),
  ),
  everythingWrong(),
  odd(),
  cutOff(
    flow(
      'The form, when the mentioned person was not found',
      'Slack can’t say who was mentioned. If they’re a bot, have left, or show no address, the form says that instead.',
      async (stage) => {
        stage.slack.addPerson({ name: 'dave', email: 'dave@example.com' })
        stage.slack.trouble.fail('users.info', { error: 'fatal_error' })
        await stage.alice.types('/grant 12 @dave', stage.onCall)
        return modalSaying('Type their email address', stage.alice, stage)
      },
    ),
  ),
  cutOff(
    modal(
      'The form, with more addresses than fit',
      'Somebody presses Edit and try again for people with very long addresses.',
      grantForm({ ...dave, grantees: veryLong }),
    ),
  ),
  onPhone(
    modal(
      'The form, filled in, on a phone',
      'Somebody mentions a guest in a line without flags. The form holds what they typed, and the address from the guest’s Slack profile. 390 pixels wide.',
      grantForm({ ...dave, authProvider: 'Google', member: true }, { origins: [guest] }),
    ),
  ),
  modal(
    'The form, loading',
    'Somebody mentions a person, and Bellhop asks Slack for the address.',
    loadingModal(),
  ),
]

/** Resolves once the service was asked to add somebody. */
function untilAsked(service: MonitorService): Promise<void> {
  return new Promise((resolve) => {
    const stop = service.onChange(() => {
      if (!service.requests.some(({ method }) => method === 'POST')) return
      stop()
      resolve()
    })
  })
}

const sensitive = wishFor({ permissions: ['READ', 'CONTAINER_ACCESS', 'WEBHOOKS'] })

function confirmation(
  name: string,
  when: string,
  asked: Wish,
  origins: readonly ProfileOrigin[] = [],
  first: readonly string[] = [],
): Entry {
  return forYou(
    name,
    when,
    renderConfirm('grant', asked, [...first, ...confirmReasons(asked, origins)], defaultRoles),
  )
}

/** A form in which another role is chosen than the one it shows. */
function doubted(name: string, when: string, hasBoxes: boolean): Entry {
  const texts: Readonly<Record<string, string>> = {
    [inputs.container]: '12',
    [inputs.email]: 'dave@example.com',
  }
  const viewing = groupInput('Viewing')
  const filled = {
    inputs: [...Object.values(inputs), ...(hasBoxes ? [viewing] : [])],
    text: (input: string) => texts[input] ?? '',
    choice: (input: string) => (input === inputs.role ? 'responder' : undefined),
    choices: (input: string) => (input === viewing ? ['READ', 'BILLING'] : []),
    conversation: () => undefined,
  }
  const ask = readForm(
    filled,
    grantSettings,
    firstShown({ ...dave, permissions: defaultRoles.viewer ?? [] }, grantSettings),
  )
  if (ask.kind !== 'grant') throw new Error('this form can be sent')
  return modal(name, when, confirmModal('', ask.wish, ask.doubts, defaultRoles))
}

export const confirming: readonly Entry[] = [
  confirmation('Asked first: sensitive flags', 'A line names powerful flags.', sensitive),
  confirmation(
    'Asked first: letters that look like others',
    'A line has an address with a letter from another alphabet.',
    wishFor({ emails: ['d\u0430ve@example.com'] }),
  ),
  confirmation('Asked first: an address from Slack', 'A line mentions a person.', wishFor(), [colleague]),
  confirmation(
    'Asked first: a guest, sensitive flags',
    'A line mentions a guest and names sensitive flags.',
    wishFor({ permissions: sensitive.permissions, member: true, authProvider: 'Google' }),
    [guest],
  ),
  confirmation(
    'Asked first: after a long wait',
    'Somebody connected their account long after they asked.',
    wishFor(),
    [],
    [waitedReason],
  ),
  modal(
    'All flags',
    'Somebody presses Show all.',
    allFlagsModal(defaultRoles.admin?.join(',') ?? '', defaultRoles),
  ),
  modal(
    'Asked first, in the form: sensitive flags',
    'Somebody submits the form with sensitive flags.',
    confirmModal('', sensitive, confirmReasons(sensitive, []), defaultRoles),
  ),
  modal(
    'Asked first, in the form: no flags',
    'Somebody submits the form without any flags.',
    confirmModal(
      '',
      wishFor({ permissions: [] }),
      confirmReasons(wishFor({ permissions: [] }), []),
      defaultRoles,
    ),
  ),
  doubted(
    'Asked first, in the form: not exactly the role',
    'Somebody ticks flags that differ from the role’s.',
    true,
  ),
  doubted(
    'Asked first, in the form: a role chosen at the last moment',
    'Somebody submits the form before it could show what the role allows.',
    false,
  ),
  forYou(
    'Sending',
    'Somebody pressed Grant access, and the service hasn’t answered yet. This replaces the confirmation.',
    renderSending(sensitive, defaultRoles),
  ),
  flow('Cancelled', 'Somebody pressed Cancel. This replaces the confirmation.', async ({ alice, onCall }) => {
    await alice.types('/grant 12 dave@example.com WEBHOOKS', onCall)
    await alice.presses('Cancel', await alice.sees('Sensitive flags', onCall))
    return alice.sees('Cancelled', onCall)
  }),
  flow(
    'A confirmation of long ago',
    'Somebody answers a confirmation after more than an hour.',
    async ({ clock, alice, onCall }) => {
      await alice.types('/grant 12 dave@example.com WEBHOOKS', onCall)
      const asked = await alice.sees('Sensitive flags', onCall)
      clock.advance(61 * 60_000)
      await alice.presses('Grant access', asked)
      return alice.sees('has expired. Nothing was sent', onCall)
    },
  ),
  flow(
    'Cancelled too late',
    'Somebody presses Cancel while the grant is being sent.',
    async ({ slack, service, alice, onCall }) => {
      await alice.types('/grant 12 dave@example.com WEBHOOKS', onCall)
      const asked = await alice.sees('Sensitive flags', onCall)
      service.trouble.slow(450)
      // What was pressed stands there still when Slack is slow to take it away.
      slack.trouble.slow('response_url', 400)
      await alice.presses('Grant access', asked)
      await untilAsked(service)
      await alice.presses('Cancel', asked)
      return alice.sees('already sent', onCall)
    },
  ),
  forYou(
    'Granted after it was cancelled',
    'Somebody presses Grant access on a confirmation that was cancelled.',
    say(inVain.cancelled),
  ),
  forYou(
    'A grant that is no longer stored',
    'Somebody presses a button of a grant from more than 90 days ago.',
    say(inVain.notStored),
  ),
]
