// The modals of granting: the form with every flag explained, and its confirmation. Pure.
import type { KnownBlock, PlainTextOption } from '@slack/types'
import type { Reason } from '../../send/wishes.ts'
import type { View } from '../../slack/outbound/message.ts'
import { limits } from '../../slack/text/limits.ts'
import { cut, literal, mrkdwn, plain } from '../../slack/text/mrkdwn.ts'
import { type Flag, flagGroups, flagMeanings, sensitiveFlags } from '../flags.ts'
import type { GrantSettings } from '../line/extras.ts'
import type { Prefill } from '../line/line.ts'
import { confirmBlocks, type ProfileOrigin } from '../render/confirm.ts'
import type { Roles } from '../roles.ts'
import type { Wish } from '../wish.ts'

export const grantView = 'grant.form'
export const confirmView = 'grant.confirm'
/** Block ids of the inputs. */
export const inputs = {
  container: 'container',
  email: 'email',
  provider: 'provider',
  member: 'member',
} as const

export function groupInput(label: string): string {
  return `flags ${label}`
}

const title = plain('Grant access')
export const memberOption: PlainTextOption = {
  text: plain('Alerts can be assigned to them'),
  value: 'member',
}

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

function textBlock(
  id: string,
  label: string,
  hint: string,
  { initial, most, isMultiline = false }: { initial: string; most: number; isMultiline?: boolean },
): KnownBlock {
  return {
    type: 'input',
    block_id: id,
    label: plain(label),
    hint: plain(hint),
    element: {
      type: 'plain_text_input',
      action_id: id,
      max_length: most,
      ...(isMultiline ? { multiline: true } : {}),
      ...(initial === '' ? {} : { initial_value: initial.slice(0, most) }),
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

const emailHint = 'People who are users of the monitoring service already: up to 20, one a line or by comma.'
const longestHint = 1500

function hintOf(origins: readonly ProfileOrigin[]): string {
  if (origins.length === 0) return emailHint
  const whose = origins.map(({ name, isGuest }) => `${cut(name, 80)}${isGuest ? ', a guest here' : ''}`)
  const profiles = whose.length === 1 ? 'From the Slack profile of' : 'From the Slack profiles of'
  return cut(`${profiles} ${whose.join('; ')}.`, longestHint)
}

/** What the form shows besides what was typed. */
export interface FormNotes {
  /** Where addresses were found that were not typed. */
  readonly origins?: readonly ProfileOrigin[]
  /** One sentence on top, raw. */
  readonly problem?: string | undefined
  /** What access is granted for. */
  readonly about?: Reason | undefined
}

function aboutWords({ name, isForAll }: Reason): string {
  const where = isForAll ? ' What becomes of it is told in its thread.' : ''
  return `For ${cut(name, 300)}.${where}`
}

/** The form. @param prefill - A mention is looked up before; here it counts as nothing typed. */
export function grantModal(
  privateMetadata: string,
  prefill: Prefill,
  { authProviders }: GrantSettings,
  { origins = [], problem, about }: FormNotes = {},
): View {
  const { container, grantees, authProvider, member, permissions } = prefill
  const emails = grantees.flatMap((grantee) => (grantee.kind === 'email' ? [grantee.email] : []))
  const initial = emails.join('\n')
  return {
    type: 'modal',
    callback_id: grantView,
    private_metadata: privateMetadata,
    title,
    submit: plain('Grant access'),
    close: plain('Cancel'),
    blocks: [
      ...(problem === undefined
        ? []
        : [{ type: 'section' as const, text: literal(cut(problem, limits.sectionText)) }]),
      ...(about === undefined ? [] : [{ type: 'context' as const, elements: [literal(aboutWords(about))] }]),
      textBlock(inputs.container, 'Container', 'The container’s number.', { initial: container, most: 300 }),
      textBlock(inputs.email, 'Email', hintOf(origins), {
        ...{ initial, most: limits.plainTextInput, isMultiline: true },
      }),
      ...(authProviders.length === 0 ? [] : [providerBlock(authProviders, authProvider)]),
      memberBlock(member),
      {
        type: 'context',
        elements: [literal('Roles name sets of flags on the command line: /grant roles')],
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
  wish: Wish,
  reasons: readonly string[],
  roles: Roles,
): View {
  return {
    type: 'modal',
    callback_id: confirmView,
    private_metadata: privateMetadata,
    title,
    submit: plain('Grant access'),
    close: plain('Cancel'),
    blocks: confirmBlocks(wish, reasons, roles),
  }
}
