// Memory of a form about access, which Slack keeps with the form: an id, the place for the receipt, and the reason for the
// access.
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
  changed: z.object({ containerId: z.number(), userId: z.number() }).optional(),
})

/** @param changed - The person on a container whom the form changes. Default: the form adds people. */
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
