// The form of granting, which begins with a role and has each flag explained; and what is filled in. Pure.
import type { KnownBlock } from '@slack/types'
import type { KnownContainer } from '../../names/containers.ts'
import type { Reason } from '../../send/request.ts'
import type { Filled } from '../../slack/guard/requests.ts'
import { input, type View } from '../../slack/outbound/message.ts'
import { cut, limits, literal, plain } from '../../slack/text/mrkdwn.ts'
import type { Profile } from '../../slack/workspace/people.ts'
import type { Access } from '../access.ts'
import type { Prefill } from '../line/line.ts'
import { notAddresses, readAddresses, tooMany } from '../line/people.ts'
import { whoseProfile } from '../render/confirm.ts'
import type { GrantSettings } from '../roles.ts'
import { containerBlock, readContainerField } from './container.ts'
import { accessBlocks, readRole, roleInput } from './role.ts'

export const grantView = 'grant.form'
/** Block ids of the inputs that are the same for every role; the container has its own. */
const inputs = { email: 'email', provider: 'provider' } as const

function emailBlock(emails: string, origins: readonly Profile[]): KnownBlock {
  const element = {
    type: 'plain_text_input' as const,
    action_id: inputs.email,
    max_length: limits.plainTextInput,
    multiline: true,
    ...(emails !== '' && { initial_value: emails }),
  }
  const whose = cut(`From the Slack profile of ${origins.map(whoseProfile).join('; ')}.`, longestHint)
  return input(inputs.email, 'Email', element, { hint: origins.length === 0 ? emailHint : whose })
}

const emailHint =
  'Up to 20 people who already have an account in monitoring, one per line or separated by commas.'
const longestHint = 1500

function providerBlock(providers: readonly string[], chosen: string | undefined): KnownBlock {
  const options = providers.map((provider) => ({ text: literal(provider), value: provider }))
  const initial = options.find(({ value }) => value === chosen)
  const element = {
    type: 'static_select' as const,
    action_id: inputs.provider,
    options,
    ...(initial && { initial_option: initial }),
  }
  const hint = 'Only needed if the address exists more than once.'
  return input(inputs.provider, 'Sign-in provider', element, { hint, isOptional: true })
}

/** What the form shows besides what was typed. */
export interface FormNotes {
  /** Where addresses were found that were not typed. */
  readonly origins?: readonly Profile[] | undefined
  /** One sentence on top, raw. */
  readonly problem?: string | undefined
  /** What access is granted for. */
  readonly about?: Reason | undefined
}

/** The form, filled in as far as somebody has typed. */
export function grantModal(
  privateMetadata: string,
  prefill: Prefill,
  container: KnownContainer | undefined,
  { roles, authProviders }: GrantSettings,
  { origins = [], problem = '', about }: FormNotes = {},
): View {
  // A mention is looked up before; here it counts as nothing typed.
  const emails = prefill.grantees.flatMap((one) => (one.kind === 'email' ? [one.email] : [])).join('\n')
  const where = about?.isForAll ? ' The result will appear in the alert’s thread.' : ''
  const forWhat = about && literal(`For ${cut(about.name, 300)}.${where}`)
  const top: readonly (KnownBlock | false | undefined)[] = [
    problem !== '' && { type: 'section', text: literal(cut(problem, limits.sectionText)) },
    forWhat && { type: 'context', elements: [forWhat] },
  ]
  return formView(privateMetadata, [
    ...top.flatMap((block) => block || []),
    containerBlock(container),
    // Nobody pastes more, and what is cut cannot be told from another address.
    emailBlock(emails.length <= limits.plainTextInput ? emails : '', origins),
    ...accessBlocks(prefill, roles),
    ...(authProviders.length === 0 ? [] : [providerBlock(authProviders, prefill.authProvider)]),
  ])
}

export function formView(privateMetadata: string, blocks: View['blocks']): View {
  return {
    type: 'modal',
    callback_id: grantView,
    private_metadata: privateMetadata,
    title: plain('Grant access'),
    submit: plain('Grant access'),
    close: plain('Cancel'),
    blocks,
  }
}

/** @param text - Raw: one address a line, or by comma, semicolon or space; names around them are left out. */
export function readEmails(text: string): {
  readonly emails: readonly string[]
  /** One text for all that is wrong. */
  readonly problem: string | undefined
} {
  const { emails, wrong } = readAddresses(text)
  if (emails.length === 0) return { emails, problem: 'Type an email address, such as dave@example.com.' }
  const problems = [...(wrong.length === 0 ? [] : [notAddresses(wrong)]), ...tooMany(emails)]
  return { emails, problem: problems.join(' ') || undefined }
}

export type FormAsk =
  | { readonly kind: 'grant'; readonly access: Access }
  /** By block id of the input that has the problem. */
  | { readonly kind: 'problems'; readonly problems: Readonly<Record<string, string>> }

const notAContainer = 'A container is a number of up to 15 digits, such as 12.'

/** What was filled in, or every problem at the input that has it. */
export function readForm(filled: Filled, { roles, authProviders }: GrantSettings): FormAsk {
  const { input, containerId } = readContainerField(filled)
  const { emails, problem } = readEmails(filled.text(inputs.email))
  const { member, permissions } = readRole(filled, roles)
  const authProvider = authProviders.find((one) => one === filled.choice(inputs.provider))
  if (containerId !== undefined && problem === undefined && typeof permissions !== 'string')
    return { kind: 'grant', access: { containerId, emails, authProvider, member, permissions } }
  return {
    kind: 'problems',
    problems: {
      ...(containerId === undefined && { [input]: notAContainer }),
      ...(problem !== undefined && { [inputs.email]: problem }),
      ...(typeof permissions === 'string' && { [roleInput]: permissions }),
    },
  }
}
