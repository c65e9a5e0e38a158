// State that the modals keep in their `private_metadata`: the intent, where its receipt goes, and whose profiles the
// addresses are from.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import type { Reason } from '../../send/wishes.ts'
import { otherVersion, readPrivateMetadata } from '../../slack/guard/submitted-form.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { keptPlace, keptPlaceSchema, type Place, placeFrom } from '../../slack/outbound/delivery.ts'
import { type Flag, flags } from '../flags.ts'
import type { ProfileOrigin } from '../render/confirm.ts'
import type { Drawn } from './drawn.ts'

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
  /** Missing in a form of the version before, which had boxes and no roles. */
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
