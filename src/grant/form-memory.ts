// Memory of a form about access: the intent, where its receipt goes, and why access is granted.
import { z } from 'zod'
import type { AskedFor, Reason } from '../send/request.ts'
import { readPrivateMetadata } from '../slack/guard/requests.ts'
import { keptPlace, keptPlaceSchema, type Place, placeFrom } from '../slack/outbound/delivery.ts'
import type { SlackUser } from '../slack/person.ts'

const schema = z.object({
  id: z.string(),
  place: keptPlaceSchema,
  about: z
    .object({ name: z.string(), isForAll: z.boolean(), askedBy: z.custom<AskedFor>().optional() })
    .optional(),
  changed: z
    .object({
      containerId: z.number(),
      userId: z.number(),
      name: z.string(),
      email: z.string(),
    })
    .optional(),
})

/** @param changed - Somebody on a container whom the form changes. */
export function formMemory(
  id: string,
  place: Place,
  about?: Reason,
  changed?: z.infer<typeof schema>['changed'],
): string {
  return JSON.stringify({
    id,
    place: keptPlace(place),
    about,
    changed,
  })
}

export function readFormMemory(privateMetadata: string, owner: SlackUser) {
  const { place, ...state } = readPrivateMetadata(schema, privateMetadata)
  return { ...state, place: placeFrom(place, owner) }
}
