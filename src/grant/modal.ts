// The modals of granting: the form with every flag explained, and its confirmation. Pure.
import type { KnownBlock, PlainTextOption } from '@slack/types'
import type { View } from '../slack/message.ts'
import { cut, literal, mrkdwn, plain } from '../slack/mrkdwn.ts'
import type { Filled } from '../slack/payloads.ts'
import { type Flag, flagGroups, flagMeanings, isFlag, sensitiveFlags } from './flags.ts'
import type { GrantRequest } from './grants.ts'
import { isEmail, type Prefill, readContainer } from './input.ts'
import { type GrantSettings, inOrder } from './input-flags.ts'
import { confirmBlocks, type ProfileOrigin } from './render-confirm.ts'

export const grantView = 'grant.form'
export const confirmView = 'grant.confirm'
/** Block ids of the inputs. */
export const inputs = {
  container: 'container',
  email: 'email',
  provider: 'provider',
  member: 'member',
} as const

function groupInput(label: string): string {
  return `flags ${label}`
}

const title = plain('Grant access')
const memberOption: PlainTextOption = { text: plain('Alerts can be assigned to them'), value: 'member' }

function flagOption(flag: Flag) {
  const asks = sensitiveFlags.has(flag) ? ' · sensitive' : ''
  return { text: plain(flag), description: plain(`${flagMeanings[flag]}${asks}`), value: flag }
}

function flagBlock(label: string, offered: readonly Flag[], chosen: readonly Flag[]): KnownBlock {
  const initial = offered.filter((flag) => chosen.includes(flag)).map(flagOption)
  return {
    type: 'input',
    block_id: groupInput(label),
    optional: true,
    label: plain(label),
    element: {
      type: 'checkboxes',
      action_id: groupInput(label),
      options: offered.map(flagOption),
      ...(initial.length === 0 ? {} : { initial_options: initial }),
    },
  }
}

function textBlock(id: string, label: string, initial: string, hint: string): KnownBlock {
  return {
    type: 'input',
    block_id: id,
    label: plain(label),
    hint: plain(hint),
    element: {
      type: 'plain_text_input',
      action_id: id,
      max_length: 300,
      ...(initial === '' ? {} : { initial_value: initial.slice(0, 300) }),
    },
  }
}

function providerBlock(providers: readonly string[], chosen: string | undefined): KnownBlock {
  const options = providers.map((provider) => ({ text: literal(provider), value: provider }))
  const initial = options.find(({ value }) => value === chosen)
  return {
    type: 'input',
    block_id: inputs.provider,
    optional: true,
    label: plain('Sign-in provider'),
    hint: plain('Only needed when the address exists more than once.'),
    element: {
      type: 'static_select',
      action_id: inputs.provider,
      options,
      ...(initial === undefined ? {} : { initial_option: initial }),
    },
  }
}

function memberBlock(isChosen: boolean): KnownBlock {
  return {
    type: 'input',
    block_id: inputs.member,
    optional: true,
    label: plain('Member'),
    element: {
      type: 'checkboxes',
      action_id: inputs.member,
      options: [memberOption],
      ...(isChosen ? { initial_options: [memberOption] } : {}),
    },
  }
}

const emailHint = 'Somebody who is a user of the monitoring service already.'

function hintOf(origin: ProfileOrigin | undefined): string {
  if (origin === undefined) return emailHint
  const guest = origin.isGuest ? ', a guest here' : ''
  return `From the Slack profile of ${cut(origin.name, 80)}${guest}.`
}

/** What the form shows besides what was typed. */
export interface FormNotes {
  /** Where the address was found, when it was not typed. */
  readonly origin?: ProfileOrigin | undefined
  /** One sentence on top, raw. */
  readonly problem?: string | undefined
}

/** The form. @param prefill - A mention is looked up before; here it counts as nothing typed. */
export function grantModal(
  privateMetadata: string,
  prefill: Prefill,
  { authProviders }: GrantSettings,
  { origin, problem }: FormNotes = {},
): View {
  const { container, grantee, authProvider, member, permissions } = prefill
  const email = grantee?.kind === 'email' ? grantee.email : ''
  return {
    type: 'modal',
    callback_id: grantView,
    private_metadata: privateMetadata,
    title,
    submit: plain('Grant access'),
    close: plain('Cancel'),
    blocks: [
      ...(problem === undefined ? [] : [{ type: 'section' as const, text: literal(problem) }]),
      textBlock(inputs.container, 'Container', container, 'The container’s number.'),
      textBlock(inputs.email, 'Email', email, hintOf(origin)),
      ...(authProviders.length === 0 ? [] : [providerBlock(authProviders, authProvider)]),
      memberBlock(member),
      {
        type: 'context',
        elements: [literal('Sets of flags have names on the command line: /grant presets')],
      },
      ...flagGroups.map((group) => flagBlock(group.label, group.flags, permissions)),
    ],
  }
}

/** Shown while Slack is asked who was mentioned. */
export function loadingModal(): View {
  return {
    type: 'modal',
    title,
    close: plain('Cancel'),
    blocks: [{ type: 'section', text: mrkdwn('Loading…') }],
  }
}

/** Asks before the form's wish is sent. */
export function confirmModal(
  privateMetadata: string,
  request: GrantRequest,
  reasons: readonly string[],
): View {
  return {
    type: 'modal',
    callback_id: confirmView,
    private_metadata: privateMetadata,
    title,
    submit: plain('Grant access'),
    close: plain('Cancel'),
    blocks: confirmBlocks(request, reasons),
  }
}

export type FormAsk =
  | { readonly kind: 'grant'; readonly request: GrantRequest }
  /** By block id of the input that has the problem. */
  | { readonly kind: 'problems'; readonly problems: Readonly<Record<string, string>> }

/** What was filled in, or every problem at the input that has it. */
export function readForm(filled: Filled, { authProviders }: GrantSettings): FormAsk {
  const containerId = readContainer(filled.text(inputs.container))
  const email = filled.text(inputs.email)
  const authProvider = filled.choice(inputs.provider)
  const problems: Record<string, string> = {}
  if (containerId === undefined) problems[inputs.container] = 'A container is a number, such as 12.'
  if (!isEmail(email)) problems[inputs.email] = 'Type an email address, such as dave@example.com.'
  if (authProvider !== undefined && !authProviders.includes(authProvider)) {
    problems[inputs.provider] = 'This sign-in provider is not offered any more.'
  }
  if (containerId === undefined || Object.keys(problems).length > 0) return { kind: 'problems', problems }
  const chosen = flagGroups.flatMap(({ label }) => filled.choices(groupInput(label)))
  const permissions = inOrder(new Set(chosen.filter(isFlag)))
  const member = filled.choices(inputs.member).includes(memberOption.value ?? '')
  return { kind: 'grant', request: { containerId, email, authProvider, member, permissions } }
}
