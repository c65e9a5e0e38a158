// State of the form: the role that is chosen with what is drawn for it, kept in `private_metadata` beside the intent, where
// its receipt goes, and whose profiles the addresses are from. With each choice another form is drawn. Pure.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import type { Reason } from '../../send/wishes.ts'
import { otherVersion, readPrivateMetadata } from '../../slack/guard/requests.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { keptPlace, keptPlaceSchema, type Place, placeFrom } from '../../slack/outbound/delivery.ts'
import { limits } from '../../slack/text/limits.ts'
import { type Flag, flags, inOrder } from '../flags.ts'
import { type Prefill, readContainer } from '../line/line.ts'
import type { ProfileOrigin } from '../render/confirm.ts'
import { type GrantSettings, type Roles, roleOf } from '../roles.ts'

/** Choice beside the roles, whose names are lower case: whoever makes it ticks the flags. */
export const custom = 'Custom'

export interface Drawn {
  /** A role's name, or `custom`; undefined while nothing is chosen. */
  readonly role: string | undefined
  /** As the boxes have them at first; where there are no boxes, what the role was shown to have. */
  readonly flags: readonly Flag[]
  /** *Choose flags* was pressed: there are boxes whatever the role. */
  readonly isOpened: boolean
  /** Stamps in the block ids of boxes and *Member*: Slack keeps what stood in a block of the same id. */
  readonly boxesStamp: string
  readonly memberStamp: string
  /** The role has *Member* ticked. */
  readonly ticksMember: boolean
}

/** A form to be shown. */
export interface ShownForm extends Drawn {
  readonly isMember: boolean
}

export function hasBoxes({ role, isOpened }: Pick<Drawn, 'role' | 'isOpened'>): boolean {
  return role === custom || isOpened
}

/** Slack takes so many choices in a menu, and one of them is `custom`. */
const mostRoles = limits.selectOptions - 1

/** The roles that can be chosen. */
export function offered(roles: Roles): Roles {
  return Object.fromEntries(Object.entries(roles).slice(0, mostRoles))
}

/** The flags of a role that this installation has, in the contract's order. */
export function flagsOf(role: string | undefined, roles: Roles): readonly Flag[] | undefined {
  const granted = role !== undefined && Object.hasOwn(roles, role) ? roles[role] : undefined
  return granted && inOrder(new Set(granted))
}

/** Alerts are assigned to whoever is to handle them. */
function handlesAlerts(permissions: readonly Flag[]): boolean {
  return permissions.includes('ALERT_ASSIGN') || permissions.includes('ALERT_CHANGE')
}

/** Of a form that is opened. @param prefill - A whole wish comes with *Member* as somebody has left it. */
export function firstShown(prefill: Prefill, { roles }: GrantSettings): ShownForm {
  const { container, grantees, member, permissions } = prefill
  const role = roleAtFirst(permissions, roles)
  const ticksMember = role !== undefined && role !== custom && handlesAlerts(permissions)
  const isWhole = readContainer(container) !== undefined && grantees.length > 0 && permissions.length > 0
  return {
    role,
    flags: permissions,
    isOpened: false,
    boxesStamp: '',
    memberStamp: '',
    ticksMember,
    isMember: member || (ticksMember && !isWhole),
  }
}

function roleAtFirst(permissions: readonly Flag[], roles: Roles): string | undefined {
  if (Object.keys(roles).length === 0) return custom
  return permissions.length === 0 ? undefined : (roleOf(permissions, offered(roles)) ?? custom)
}

/** What stands in the form when somebody chooses a role, or presses *Choose flags*. */
export interface Choosing {
  readonly chose: 'role' | 'flags'
  /** As the menu has it by now. */
  readonly role: string | undefined
  /** Undefined where there are no boxes. */
  readonly ticked: readonly Flag[] | undefined
  readonly isMember: boolean
}

/**
 * The form after a choice.
 * @param stamp - A new one.
 * @returns Undefined for a role that there is no more: whoever submits it is told.
 */
export function afterChoice(drawn: Drawn, now: Choosing, roles: Roles, stamp: string): ShownForm | undefined {
  const role = now.role ?? drawn.role
  const isOpened = drawn.isOpened || now.chose === 'flags'
  const seen = now.ticked ?? drawn.flags
  if (role === custom) {
    // Whoever ticks a box meanwhile finds it ticked.
    const boxesStamp = now.ticked === undefined ? stamp : drawn.boxesStamp
    return { ...drawn, role, flags: seen, isOpened, boxesStamp, isMember: now.isMember }
  }
  const granted = flagsOf(role, roles)
  if (granted === undefined) return undefined
  const flags = now.chose === 'flags' && role === drawn.role ? seen : granted
  const ticksMember = handlesAlerts(granted)
  const isSame = ticksMember === drawn.ticksMember
  return {
    ...{ role, flags, isOpened, boxesStamp: stamp, ticksMember },
    memberStamp: isSame ? drawn.memberStamp : stamp,
    isMember: isSame ? now.isMember : ticksMember,
  }
}

/** Slack takes 3,000 characters; of twenty people, an address known again by its digest and a short name fit. */
const origin = z.tuple([z.string(), z.string(), z.boolean()])
const longestName = 40

export type KnownOrigins = readonly z.infer<typeof origin>[]

/** What the form shows of its role, in few characters. */
const keptDrawn = z.object({
  role: z.string().optional(),
  flags: z.string(),
  opened: z.literal(1).optional(),
  boxes: z.string(),
  member: z.string(),
  ticks: z.literal(1).optional(),
})

const modalState = z.object({
  id: z.string(),
  place: keptPlaceSchema,
  about: z.object({ name: z.string(), isForAll: z.boolean() }).optional(),
  origins: z.array(origin).default([]),
  /** Missing in a confirmation. */
  drawn: keptDrawn.optional(),
})

export function stateOf(
  id: string,
  place: Place,
  profiles: readonly ProfileOrigin[] = [],
  about?: Reason | undefined,
  drawn?: Drawn | undefined,
): string {
  const origins: KnownOrigins = profiles.map((one) => [digest(one.email), shortName(one), one.isGuest])
  return JSON.stringify({
    id,
    place: keptPlace(place),
    about,
    ...(origins.length === 0 ? {} : { origins }),
    ...(drawn === undefined ? {} : { drawn: keep(drawn) }),
  })
}

export function readState(privateMetadata: string, owner: SlackUser) {
  const { place, drawn, ...state } = readPrivateMetadata(modalState, privateMetadata)
  return { ...state, place: placeFrom(place, owner), drawn: drawn && drawnFrom(drawn) }
}

/** The same intent, as it is drawn by now. */
export function redrawnState(privateMetadata: string, drawn: Drawn): string {
  return JSON.stringify({ ...readPrivateMetadata(modalState, privateMetadata), drawn: keep(drawn) })
}

function keep({ role, flags, isOpened, boxesStamp, memberStamp, ticksMember }: Drawn) {
  return {
    role,
    flags: packed(flags),
    ...(isOpened ? { opened: 1 as const } : {}),
    ...{ boxes: boxesStamp, member: memberStamp },
    ...(ticksMember ? { ticks: 1 as const } : {}),
  } satisfies z.infer<typeof keptDrawn>
}

function drawnFrom({ role, flags, opened, boxes, member, ticks }: z.infer<typeof keptDrawn>): Drawn {
  return {
    role,
    flags: unpacked(flags),
    isOpened: opened === 1,
    ...{ boxesStamp: boxes, memberStamp: member, ticksMember: ticks === 1 },
  }
}

/** Another version may have other flags, or others in their places. */
const listed = createHash('sha256').update(flags.join()).digest('base64url').slice(0, 4)

/** A bit for each flag. */
function packed(some: readonly Flag[]): string {
  const bits = flags.reduce((sum, flag, index) => (some.includes(flag) ? sum + 2 ** index : sum), 0)
  return `${listed}${bits.toString(36)}`
}

function unpacked(text: string): readonly Flag[] {
  const bits = Number.parseInt(text.slice(listed.length), 36)
  if (!text.startsWith(listed) || !Number.isSafeInteger(bits)) throw new UserError(otherVersion)
  return flags.filter((_flag, index) => Math.floor(bits / 2 ** index) % 2 === 1)
}

/** Whose profile each of these addresses is from, as far as they are from one. */
export function originsIn(known: KnownOrigins, emails: readonly string[]): readonly ProfileOrigin[] {
  return emails.flatMap((email) => {
    const found = known.find(([hash]) => hash === digest(email))
    return found === undefined ? [] : [{ email, name: found[1], isGuest: found[2] }]
  })
}

function digest(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('base64url').slice(0, 12)
}

/** What JSON writes as more than one character is left out: it has no place in a name, and must fit. */
function shortName({ name }: ProfileOrigin): string {
  return [...name.replaceAll(/["\\\p{C}]/gu, '')].slice(0, longestName).join('').toWellFormed()
}
