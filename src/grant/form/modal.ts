// Modals of granting: the form, which begins with a role and has each flag explained, and its confirmation. Pure.
import type { KnownBlock, PlainTextOption } from '@slack/types'
import { z } from 'zod'
import type { Reason } from '../../send/wishes.ts'
import type { View } from '../../slack/outbound/message.ts'
import { limits } from '../../slack/text/limits.ts'
import { cut, literal, mrkdwn, plain } from '../../slack/text/mrkdwn.ts'
import { type Flag, flagGroups, flagMeanings, sensitiveFlags } from '../flags.ts'
import type { Prefill } from '../line/line.ts'
import { confirmBlocks, type ProfileOrigin } from '../render/confirm.ts'
import { allowedWords, countWords, type GrantSettings, type Roles, roleTitle } from '../roles.ts'
import type { Wish } from '../wish.ts'
import { type ContainerField, containerBlock, containerIds } from './container.ts'
import { custom, type Drawn, hasBoxes, offered, type ShownForm } from './state.ts'

export const grantView = 'grant.form'
export const confirmView = 'grant.confirm'
/** Block ids of the inputs. */
export const inputs = {
  container: containerIds.input,
  email: 'email',
  role: 'role',
  provider: 'provider',
  member: 'member',
} as const

/** Action ids of what acts at once: the menu of roles, and *Choose flags*. */
export const roleAction = 'grant.role'
export const chooseFlagsAction = 'grant.choose-flags'

/** @param stamp - Of the drawing. */
export function groupInput(label: string, stamp = ''): string {
  return stamped(`flags ${label}`, stamp)
}

function stamped(id: string, stamp: string): string {
  return stamp === '' ? id : `${id} ${stamp}`
}

/** The one of these inputs that is this one, whichever drawing it is of. */
export function findInput(all: readonly string[], id: string): string | undefined {
  return all.find((one) => one === id || one.startsWith(`${id} `))
}

const title = plain('Grant access')
export const memberOption: PlainTextOption = {
  text: plain('Alerts can be assigned to them'),
  value: 'member',
}

function flagOption(flag: Flag) {
  const asks = sensitiveFlags.has(flag) ? ' · sensitive' : ''
  return { text: plain(flagMeanings[flag]), description: plain(`${flag}${asks}`), value: flag }
}

function flagBlock(
  label: string,
  offered: readonly Flag[],
  { flags, boxesStamp }: Pick<Drawn, 'flags' | 'boxesStamp'>,
): KnownBlock {
  const initial = offered.filter((flag) => flags.includes(flag)).map(flagOption)
  return {
    type: 'input',
    block_id: groupInput(label, boxesStamp),
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

function emailBlock(emails: string, origins: readonly Origin[]): KnownBlock {
  return {
    type: 'input',
    block_id: inputs.email,
    label: plain('Email'),
    hint: plain(hintOf(origins)),
    element: {
      type: 'plain_text_input',
      action_id: inputs.email,
      max_length: limits.plainTextInput,
      multiline: true,
      ...(emails === '' ? {} : { initial_value: emails.slice(0, limits.plainTextInput) }),
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
    hint: plain('Only needed if the address exists more than once.'),
    element: {
      type: 'static_select',
      action_id: inputs.provider,
      options,
      ...(initial === undefined ? {} : { initial_option: initial }),
    },
  }
}

function roleBlock(roles: Roles, chosen: string | undefined): KnownBlock {
  const options = [
    ...Object.keys(offered(roles)).map((name) => ({ text: literal(roleTitle(name)), value: name })),
    { text: plain('Custom'), value: custom },
  ]
  const initial = options.find(({ value }) => value === chosen)
  return {
    type: 'input',
    block_id: inputs.role,
    dispatch_action: true,
    label: plain('Role'),
    element: {
      type: 'static_select',
      action_id: roleAction,
      placeholder: plain('Choose a role'),
      options,
      ...(initial === undefined ? {} : { initial_option: initial }),
    },
  }
}

/** Where no flag can be ticked: what the role allows, and the way to its flags. */
function allowedBlocks(flags: readonly Flag[]): readonly KnownBlock[] {
  const said = `${countWords(flags)}: ${allowedWords(flags)}`
  return [
    { type: 'context', elements: [literal(said)] },
    {
      type: 'actions',
      elements: [{ type: 'button', action_id: chooseFlagsAction, text: plain('Choose flags') }],
    },
  ]
}

function flagBlocks(drawn: Drawn): readonly KnownBlock[] {
  if (hasBoxes(drawn)) return flagGroups.map((group) => flagBlock(group.label, group.flags, drawn))
  return drawn.role === undefined ? [] : allowedBlocks(drawn.flags)
}

function memberBlock({ isMember: isChosen, memberStamp }: ShownForm): KnownBlock {
  return {
    type: 'input',
    block_id: stamped(inputs.member, memberStamp),
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

const emailHint =
  'Up to 20 people who already have an account in monitoring, one per line or separated by commas.'
const longestHint = 1500

type Origin = Pick<ProfileOrigin, 'name' | 'isGuest'>

function hintOf(origins: readonly Origin[]): string {
  if (origins.length === 0) return emailHint
  const whose = origins.map(({ name, isGuest }) => `${cut(name, 80)}${isGuest ? ', a guest here' : ''}`)
  const profiles = whose.length === 1 ? 'From the Slack profile of' : 'From the Slack profiles of'
  return cut(`${profiles} ${whose.join('; ')}.`, longestHint)
}

/** What the form shows besides what was typed. */
export interface FormNotes {
  /** Where addresses were found that were not typed. */
  readonly origins?: readonly Origin[]
  /** One sentence on top, raw. */
  readonly problem?: string | undefined
  /** What access is granted for. */
  readonly about?: Reason | undefined
}

function aboutWords({ name, isForAll }: Reason): string {
  const where = isForAll ? ' The result will appear in the alert’s thread.' : ''
  return `For ${cut(name, 300)}.${where}`
}

const problemBlock = 'problem'

const shownProblem = z.object({
  block_id: z.literal(problemBlock),
  text: z.object({ text: z.string() }),
})

/** The sentence on top of a form that is shown already. @param blocks - As Slack gives them. */
export function problemIn(blocks: readonly unknown[]): string | undefined {
  const [found] = blocks.flatMap((block) => shownProblem.safeParse(block).data ?? [])
  return found?.text.text
}

/** What is typed into the fields. */
export interface Fields {
  readonly container: ContainerField
  /** One a line. */
  readonly emails: string
  readonly authProvider: string | undefined
}

/** @param prefill - A mention is looked up before; here it counts as nothing typed. */
export function fieldsOf({ grantees, authProvider }: Pick<Prefill, 'grantees' | 'authProvider'>): {
  readonly fields: Omit<Fields, 'container'>
  /** One sentence, raw, where addresses are left out. */
  readonly problem: string | undefined
} {
  const emails = grantees.flatMap((grantee) => (grantee.kind === 'email' ? [grantee.email] : []))
  const fitting = thatFit(emails)
  const left = emails.length - fitting.length
  return {
    fields: { emails: fitting.join('\n'), authProvider },
    problem:
      left === 0
        ? undefined
        : `Only ${fitting.length} of ${emails.length} addresses fit into this form. Grant access to the other ${left} afterwards.`,
  }
}

/** Whole addresses: the beginning of one may be somebody else’s. */
function thatFit(emails: readonly string[]): readonly string[] {
  let length = 0
  return emails.filter((email) => {
    length += email.length + 1
    return length <= limits.plainTextInput
  })
}

/** The form. */
export function grantModal(
  privateMetadata: string,
  { container, emails, authProvider }: Fields,
  shown: ShownForm,
  { roles, authProviders }: GrantSettings,
  { origins = [], problem, about }: FormNotes = {},
): View {
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
        : [
            {
              type: 'section' as const,
              block_id: problemBlock,
              text: literal(cut(problem, limits.sectionText)),
            },
          ]),
      ...(about === undefined ? [] : [{ type: 'context' as const, elements: [literal(aboutWords(about))] }]),
      containerBlock(container),
      emailBlock(emails, origins),
      ...(Object.keys(roles).length === 0 ? [] : [roleBlock(roles, shown.role)]),
      ...flagBlocks(shown),
      memberBlock(shown),
      ...(authProviders.length === 0 ? [] : [providerBlock(authProviders, authProvider)]),
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
