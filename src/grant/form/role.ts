// What the form shows of a role: what it allows or, for *Custom*, a box for each flag; and *Member*. Slack keeps what stands
// in a block of the same id, and takes the block as it is drawn where the id is new: so what depends on the role has the
// role in its id. Pure.
import type { AnyBlock, KnownBlock, PlainTextOption } from '@slack/types'
import type { Filled } from '../../slack/guard/requests.ts'
import { input } from '../../slack/outbound/message.ts'
import { literal, plain } from '../../slack/text/mrkdwn.ts'
import { type Prefill, readContainer } from '../line/line.ts'
import {
  allowedWords,
  countWords,
  type Flag,
  flagGroups,
  flagMeanings,
  inOrder,
  isFlag,
  type Roles,
  roleOf,
  roleTitle,
  sensitiveFlags,
} from '../roles.ts'

/** Choice beside the roles, whose names are lower case: whoever makes it ticks the flags. */
const custom = 'Custom'

/** Beginnings of block ids. */
const ids = { allowed: 'allowed', flags: 'flags', member: 'member' } as const

/** Block id of the menu of roles, and action id, as it acts at once. */
export const roleInput = 'role'
export const roleAction = 'grant.role'

const memberOption: PlainTextOption = {
  text: plain('Alerts can be assigned to them'),
  value: 'member',
}

/** The flags of a role that this installation has, in the contract’s order. */
function flagsOf(role: string, roles: Roles): readonly Flag[] | undefined {
  const granted = Object.hasOwn(roles, role) ? roles[role] : undefined
  return granted && inOrder(new Set(granted))
}

/** What was chosen: flags of the role or, where it is *Custom*, those that are ticked; else what is wrong there. */
export function readRole(filled: Filled, roles: Roles) {
  const inputsOf = (start: string) => filled.inputs.filter((id) => id.startsWith(start))
  const member = inputsOf(ids.member).some((id) => filled.choices(id).length > 0)
  const role = filled.choice(roleInput) ?? ''
  if (role !== custom) return { member, permissions: flagsOf(role, roles) ?? noRole }
  const boxes = inputsOf(ids.flags)
  const ticked = boxes.flatMap((box) => filled.choices(box).filter(isFlag))
  return { member, permissions: boxes.length === 0 ? noBoxes : inOrder(new Set(ticked)) }
}

const noRole = 'Choose a role, or Custom to choose flags.'
/** Slack submits a form as it is: the choice may not be drawn in it yet. */
const noBoxes = 'Custom has a box for each flag. Tick those you want, then send the form again.'

/** Alerts are assigned to whoever is to handle them. */
function handlesAlerts(permissions: readonly Flag[]): boolean {
  return permissions.includes('ALERT_ASSIGN') || permissions.includes('ALERT_CHANGE')
}

/**
 * The role, what it allows, and *Member*, when the form opens.
 * @param prefill - A whole access comes with *Member* as somebody has left it.
 */
export function accessBlocks(prefill: Prefill, roles: Roles): readonly KnownBlock[] {
  const { container, grantees, member, permissions } = prefill
  // Nothing is chosen where the line has no flags.
  const role = permissions.length === 0 ? undefined : (roleOf(permissions, roles) ?? custom)
  const ticksMember = role !== undefined && role !== custom && handlesAlerts(permissions)
  const isWhole = readContainer(container) !== undefined && grantees.length > 0 && permissions.length > 0
  return [
    roleBlock(roles, role),
    ...(role === undefined ? [] : allowedBlocks(role, permissions)),
    memberBlock(ticksMember, member || (ticksMember && !isWhole)),
  ]
}

/**
 * The form with another role.
 * @param blocks - As Slack gives them. All but those of the role stay as they are.
 * @returns Undefined where nothing changes, or the role is gone: whoever submits that is told.
 */
export function withRole(blocks: readonly AnyBlock[], role: string, roles: Roles): AnyBlock[] | undefined {
  const before = roleIn(blocks)
  if (role === before) return undefined
  // Whoever chooses flags begins with those of the role that they chose before.
  const permissions = role === custom ? (flagsOf(before ?? '', roles) ?? []) : flagsOf(role, roles)
  if (permissions === undefined) return undefined
  const ticksMember = handlesAlerts(permissions)
  return blocks.flatMap((block) => {
    const id = block.block_id ?? ''
    if (id.startsWith(ids.allowed) || id.startsWith(ids.flags)) return []
    if (id === roleInput) return [block, ...allowedBlocks(role, permissions, before)]
    return id.startsWith(ids.member) && role !== custom ? [memberBlock(ticksMember, ticksMember)] : [block]
  })
}

/** The role whose flags a form shows. */
function roleIn(blocks: readonly AnyBlock[]): string | undefined {
  for (const { block_id = '' } of blocks) {
    if (block_id.startsWith(ids.allowed)) return block_id.slice(ids.allowed.length + 1)
    if (block_id.startsWith(ids.flags)) return custom
  }
  return undefined
}

function roleBlock(roles: Roles, chosen: string | undefined): KnownBlock {
  const options = [
    ...Object.keys(roles).map((name) => ({ text: literal(roleTitle(name)), value: name })),
    { text: plain('Custom'), value: custom },
  ]
  const initial = options.find(({ value }) => value === chosen)
  const element = {
    type: 'static_select' as const,
    action_id: roleAction,
    placeholder: plain('Choose a role'),
    options,
    ...(initial && { initial_option: initial }),
  }
  return { ...input(roleInput, 'Role', element), dispatch_action: true }
}

/** @param before - The role that *Custom* begins with. */
function allowedBlocks(role: string, permissions: readonly Flag[], before = ''): readonly KnownBlock[] {
  if (role === custom) {
    return flagGroups.map(({ label, flags }) => {
      const ticked = flags.filter((flag) => permissions.includes(flag))
      const id = `${ids.flags} ${label} ${before}`.trim()
      return boxesBlock(id, label, flags.map(flagOption), ticked.map(flagOption))
    })
  }
  const said = `${countWords(permissions)}: ${allowedWords(permissions)}`
  return [{ type: 'context', block_id: `${ids.allowed} ${role}`, elements: [literal(said)] }]
}

function flagOption(flag: Flag): PlainTextOption {
  const asks = sensitiveFlags.has(flag) ? ' · sensitive' : ''
  return { text: plain(flagMeanings[flag]), description: plain(`${flag}${asks}`), value: flag }
}

/** @param ticksMember - Of the role: from one that ticks it to the next, it stays as somebody leaves it. */
function memberBlock(ticksMember: boolean, isTicked: boolean): KnownBlock {
  const id = ticksMember ? `${ids.member} alerts` : ids.member
  return boxesBlock(id, 'Member', [memberOption], isTicked ? [memberOption] : [])
}

function boxesBlock(
  id: string,
  label: string,
  options: PlainTextOption[],
  ticked: PlainTextOption[],
): KnownBlock {
  const initial = ticked.length === 0 ? {} : { initial_options: ticked }
  const element = { type: 'checkboxes' as const, action_id: 'boxes', options, ...initial }
  return input(id, label, element, { isOptional: true })
}
