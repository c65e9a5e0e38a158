// A place that survives a modal or a database: its shape as JSON, and the way back. Pure.
import { z } from 'zod'
import type { SlackUser } from '../ids.ts'
import { nowhere, type Place } from './delivery.ts'

/** Whoever comes back with it says who they are: that is not kept. */
export const keptPlaceSchema = z.object({
  /** Whose it was. Undefined in what was kept by a version that knew but one. */
  workspaceId: z.string().optional(),
  channelId: z.string().optional(),
  responseUrl: z.string().optional(),
  isDirect: z.boolean(),
  pressedTs: z.string().optional(),
  threadTs: z.string().optional(),
  isThreadNew: z.boolean().optional(),
})

export type KeptPlace = z.infer<typeof keptPlaceSchema>

export function keptPlace(place: Place): { readonly [key in keyof KeptPlace]: Place[key] } {
  const { userId: _, ...kept } = place
  return kept
}

/** What was kept in another workspace leads nowhere. @param owner - Who comes back with it. */
export function placeFrom(kept: KeptPlace, owner: SlackUser): Place {
  const { workspaceId, userId } = owner
  if ((kept.workspaceId ?? workspaceId) !== workspaceId) return nowhere(owner)
  const { channelId, responseUrl } = kept
  return { ...kept, workspaceId, userId, channelId, responseUrl }
}
