// What the form remembers in `private_metadata`: the intent, where its receipt goes, and whose profiles the addresses are
// from. Pure.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Reason } from '../../send/request.ts'
import { readPrivateMetadata } from '../../slack/guard/requests.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { keptPlace, keptPlaceSchema, type Place, placeFrom } from '../../slack/outbound/delivery.ts'
import type { ProfileOrigin } from '../render/confirm.ts'

/** Slack takes 3,000 characters; of twenty people, an address known again by its digest and a short name fit. */
const origin = z.tuple([z.string(), z.string(), z.boolean()])
const longestName = 40

export type KnownOrigins = readonly z.infer<typeof origin>[]

const modalState = z.object({
  id: z.string(),
  place: keptPlaceSchema,
  about: z.object({ name: z.string(), isForAll: z.boolean() }).optional(),
  origins: z.array(origin),
})

export function stateOf(
  id: string,
  place: Place,
  profiles: readonly ProfileOrigin[] = [],
  about?: Reason | undefined,
): string {
  const origins: KnownOrigins = profiles.map((one) => [digest(one.email), shortName(one), one.isGuest])
  return JSON.stringify({ id, place: keptPlace(place), about, origins })
}

export function readState(privateMetadata: string, owner: SlackUser) {
  const { place, ...state } = readPrivateMetadata(modalState, privateMetadata)
  return { ...state, place: placeFrom(place, owner) }
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
