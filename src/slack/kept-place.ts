// A place that survives a modal or a database: its shape as JSON, and the way back. Pure.
import { z } from 'zod'
import type { SlackUser } from './ids.ts'
import type { Place } from './place.ts'

/** Whoever comes back with it says who they are, and of which workspace: that is not kept. */
export const keptPlaceSchema = z.object({
  channelId: z.string().optional(),
  responseUrl: z.string().optional(),
  isDirect: z.boolean(),
  pressedTs: z.string().optional(),
  threadTs: z.string().optional(),
  isThreadNew: z.boolean().optional(),
})

export type KeptPlace = z.infer<typeof keptPlaceSchema>

export function keptPlace(place: Place): { readonly [key in keyof KeptPlace]: Place[key] } {
  const { workspaceId: _, userId: __, ...kept } = place
  return kept
}

export function placeFrom(kept: KeptPlace, { workspaceId, userId }: SlackUser): Place {
  const { channelId, responseUrl } = kept
  return { ...kept, workspaceId, userId, channelId, responseUrl }
}
