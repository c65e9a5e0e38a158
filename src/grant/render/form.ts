// The grant form: container, people, a role and what it allows or, for *Custom*, a box for each flag. Slack keeps the
// input of a block while its id stays the same, so blocks that depend on the role have it in their id. Pure.

import type { ViewOutput } from '@slack/bolt'
import type { AnyBlock, KnownBlock, PlainTextOption, StaticSelect } from '@slack/types'
import type { ContainerPerson } from '../../monitor/schema.ts'
import type { KnownContainer } from '../../names/containers.ts'
import { containerBlock, readContainerField } from '../../names/field.ts'
import type { Ends } from '../../send/outcome.ts'
import { type Filled, readInputs } from '../../slack/guard/requests.ts'
import { formView, input, note, textElement, type View } from '../../slack/outbound/message.ts'
import { cut, limits, literal, plain } from '../../slack/text/mrkdwn.ts'
import { dayMs, durationWords, hourMs } from '../../work/durations.ts'
import { type Access, nameInFull, type Terms } from '../access.ts'
import type { Prefill } from '../input/line.ts'
import { readEmails } from '../input/pieces.ts'
import { clockTime } from '../input/until.ts'
import {
  allowedWords,
  countWords,
  type Flag,
  flagGroups,
  flagMeanings,
  flags,
  type GrantSettings,
  handlesAlerts,
  inOrder,
  memberWords,
  type Roles,
  roleOf,
  roleTitle,
  sensitiveFlags,
} from '../roles.ts'

export const grantView = 'grant.form'
export const roleAction = 'grant.role'

/** The choice that has a box for each flag. No role can have this name, as names of roles are lower case. */
const custom = 'Custom'

interface Filling extends Partial<Omit<Prefill, 'ends'>> {
  readonly ends?: Ends | undefined
  /** IANA name of the zone in which to show an end that is a moment. */
  readonly zone?: string | undefined
}

/** The form, filled in as far as somebody has typed. @param notes - On top, a sentence each, raw. */
export function grantModal(
  privateMetadata: string,
  { grantees = [], authProvider, member = false, permissions = [], ends, zone }: Filling,
  container: KnownContainer | undefined,
  { roles, authProviders, hasAllOperations }: GrantSettings,
  notes: readonly string[] = [],
): View {
  // No role is chosen if the line has no flags.
  const role = permissions.length === 0 ? undefined : (roleOf(permissions, roles) ?? custom)

  const provider = authProviders.length > 0 && providerBlock(authProviders, authProvider)
  // A form that is filled in already may be a second try, which often needs the sign-in provider: that field comes first.
  const isWhole = grantees.length > 0 && role !== undefined
  const noted = literal(cut(notes.join('\n'), limits.sectionText))
  const blocks = [
    notes.length > 0 && note(noted),
    containerBlock(container),
    emailBlock(grantees),
    isWhole && provider,
    roleBlock(roles, role),
    ...chosenBlocks(role, permissions, member),
    hasAllOperations && endsBlock(ends, zone),
    !isWhole && provider,
  ]

  return formView(
    grantView,
    'Grant access',
    privateMetadata,
    blocks.filter((block) => block !== false && block !== undefined),
  )
}

/** The form for somebody who is on the container, filled in with what they have. @param where - The container. Raw. */
export function changeModal(
  privateMetadata: string,
  them: ContainerPerson,
  where: string,
  { roles }: GrantSettings,
): View {
  const known = inOrder(them.permissions)
  const role = roleOf(known, roles) ?? custom
  const whom = nameInFull({ email: them.email ?? '', there: { ...them, userId: them.id } })

  return formView(grantView, 'Change access', privateMetadata, [
    note(literal(cut(`${whom} on ${where}`, limits.sectionText))),
    roleBlock(roles, role),
    ...chosenBlocks(role, known, them.member),
  ])
}

function emailBlock(grantees: readonly string[]): KnownBlock {
  // A mention for which no address was found is left out.
  const emails = grantees.filter((one) => !one.startsWith('@')).join('\n')
  const how = { multiline: true, max_length: limits.plainTextInput }
  const element = textElement('email', emails, how)
  const hint =
    'Up to 20 people who already have an account in monitoring, one per line or separated by commas.'

  return input('email', 'Email', element, { hint })
}

function roleBlock(roles: Roles, chosen: string | undefined): KnownBlock {
  const names = [...Object.keys(roles), custom]
  const options = names.map((name) => ({ text: literal(roleTitle(name)), value: name }))
  const menu = { ...menuOf(roleAction, options, chosen), placeholder: plain('Choose a role') }

  return { ...input('role', 'Role', menu), dispatch_action: true }
}

function providerBlock(providers: readonly string[], chosen: string | undefined): KnownBlock {
  const options = providers.map((provider) => ({ text: literal(provider), value: provider }))
  const hint = 'Only needed if the address exists more than once.'
  const menu = menuOf('provider', options, chosen)

  return input('provider', 'Sign-in provider', menu, { hint, isOptional: true })
}

const lasts = [hourMs, 4 * hourMs, 8 * hourMs, dayMs, 7 * dayMs]
const never = 'never'

function endsValue(ends: Ends): string {
  return 'at' in ends ? `at ${ends.at}` : String(ends.forMs)
}

/** Choices of how long access lasts; a time that was typed and isn’t among them is added. */
function endsBlock(ends: Ends | undefined, zone = 'UTC'): KnownBlock {
  const chosen = ends === undefined ? never : endsValue(ends)
  const typed = ends && 'forMs' in ends ? [ends.forMs] : []
  const times = [...new Set([...lasts, ...typed])].toSorted((one, other) => one - other)
  const until = ends && 'at' in ends ? [`Until ${clockTime(ends.at, zone)}`] : []
  const options = [
    { text: plain('Never'), value: never },
    ...until.map((words) => ({ text: plain(words), value: chosen })),
    ...times.map((ms) => ({ text: plain(`After ${durationWords(ms)}`), value: String(ms) })),
  ]

  const hint = 'If it ends, it’s taken back with the account that gave it.'

  return input('ends', 'Ends', menuOf('ends', options, chosen), { hint })
}

function readEnds(chosen: string | undefined): { readonly ends?: Ends } {
  const [, at, ms] = /^(at )?(\d+)$/.exec(chosen ?? '') ?? []
  if (ms === undefined) return {}

  return { ends: at === undefined ? { forMs: Number(ms) } : { at: Number(ms) } }
}

function menuOf(
  actionId: string,
  options: PlainTextOption[],
  chosen: string | undefined,
): StaticSelect {
  const initial = options.find(({ value }) => value === chosen)
  return {
    type: 'static_select',
    action_id: actionId,
    options,
    ...(initial && { initial_option: initial }),
  }
}

/**
 * Blocks that depend on the role, whose ids begin with `chosen`, and *Member*.
 * @param before - The role chosen before *Custom*. The boxes’ ids contain this role: Slack shows Bellhop’s ticks only in
 * blocks with new ids.
 */
function chosenBlocks(
  role: string | undefined,
  permissions: readonly Flag[],
  isMember: boolean,
  before = '',
): readonly KnownBlock[] {
  const start = `chosen ${role}`
  const said = literal(`${countWords(permissions)}: ${allowedWords(permissions)}`)
  const boxes = flagGroups.map((group): KnownBlock => {
    const ticked = group.flags.filter((flag) => permissions.includes(flag)).map(flagOption)
    return boxesBlock(
      `${start} ${group.label} ${before}`,
      group.label,
      group.flags.map(flagOption),
      ticked,
    )
  })

  const shown: readonly KnownBlock[] =
    role === custom ? boxes : [{ type: 'context', block_id: start, elements: [said] }]
  // Slack keeps the tick of *Member* while the block’s id stays the same. So there are two ids: one for roles that
  // handle alerts, and one for all others.
  const memberId = handlesAlerts(permissions) ? 'member alerts' : 'member'

  return [
    ...(role === undefined ? [] : shown),
    boxesBlock(memberId, 'Member', [memberOption], isMember ? [memberOption] : []),
  ]
}

const memberOption: PlainTextOption = { text: plain(memberWords), value: 'member' }

function flagOption(flag: Flag): PlainTextOption {
  const asks = sensitiveFlags.has(flag) ? ' · sensitive' : ''
  return {
    text: plain(flagMeanings[flag]),
    description: plain(`${flag}${asks}`),
    value: flag,
  }
}

function boxesBlock(
  id: string,
  label: string,
  options: PlainTextOption[],
  ticked: PlainTextOption[],
): KnownBlock {
  const initial = ticked.length === 0 ? {} : { initial_options: ticked }
  const element = {
    type: 'checkboxes' as const,
    action_id: 'boxes',
    options,
    ...initial,
  }

  return input(id, label, element, { isOptional: true })
}

function flagsOf(role: string, roles: Roles): readonly Flag[] | undefined {
  return Object.hasOwn(roles, role) ? roles[role] : undefined
}

/** The form, redrawn for the role just chosen. @returns Undefined for the same role, or one that no longer exists. */
export function withRole(
  { state, blocks, private_metadata: memory, title }: ViewOutput,
  roles: Roles,
): View | undefined {
  const role = readInputs(state.values).choice('role') ?? ''
  const shown = blocks.find(({ block_id = '' }) => block_id.startsWith('chosen'))
  const before = shown?.block_id?.split(' ')[1] ?? ''
  // *Custom* begins with the flags of the role chosen before.
  const permissions = role === custom ? (flagsOf(before, roles) ?? []) : flagsOf(role, roles)
  if (permissions === undefined || role === before) return undefined

  const drawn = chosenBlocks(role, permissions, handlesAlerts(permissions), before)
  const changed = blocks.flatMap((block): AnyBlock[] => {
    const { block_id: id = '' } = block
    if (id === 'role') return [block, ...drawn]

    return id.startsWith('chosen') || id.startsWith('member') ? [] : [block]
  })

  return formView(grantView, title.text, memory, changed)
}

/** Reads the form: the access that was filled in; or every problem, by the block id of its input. */
export function readForm(
  filled: Filled,
  { roles, authProviders }: GrantSettings,
): Access | { readonly problems: Readonly<Record<string, string>> } {
  const { input, containerId } = readContainerField(filled)
  const { emails, problem } = readEmails(filled.text('email'))
  const permissions = readRole(filled, roles)
  const problems: Record<string, string> = {}
  if (containerId === undefined)
    problems[input] = 'A container is a number of up to 15 digits, such as 12.'
  if (problem !== undefined) problems.email = problem
  if (typeof permissions === 'string') problems.role = permissions
  if (containerId === undefined || problem !== undefined || typeof permissions === 'string')
    return { problems }

  return {
    kind: 'add-user',
    containerId,
    people: emails.map((email) => ({ email })),
    authProvider: authProviders.find((one) => one === filled.choice('provider')),
    member: readMember(filled),
    permissions,
    ...readEnds(filled.choice('ends')),
  }
}

function readMember(filled: Filled): boolean {
  return filled.inputs.some((id) => id.startsWith('member') && filled.choices(id).length > 0)
}

/** Reads the form for somebody who is there: whatever isn’t ticked is taken away. */
export function readChangeForm(
  filled: Filled,
  { roles }: GrantSettings,
  containerId: number,
): Terms | { readonly problems: Readonly<Record<string, string>> } {
  const permissions = readRole(filled, roles)
  if (typeof permissions === 'string') return { problems: { role: permissions } }

  const takes = flags.filter((flag) => !permissions.includes(flag))

  return {
    kind: 'change',
    containerId,
    permissions,
    takes,
    member: readMember(filled),
  }
}

/** Flags of the chosen role, or flags ticked for *Custom*; a text says what is wrong with the choice. */
function readRole(filled: Filled, roles: Roles): readonly Flag[] | string {
  const role = filled.choice('role') ?? ''
  if (role !== custom) return flagsOf(role, roles) ?? 'Choose a role, or Custom to choose flags.'

  const boxes = filled.inputs.filter((id) => id.startsWith(`chosen ${custom}`))

  // The form may be submitted before it is redrawn with these boxes.
  return boxes.length === 0
    ? 'Custom has a box for each flag. Tick those you want, then send the form again.'
    : inOrder(boxes.flatMap(filled.choices))
}
