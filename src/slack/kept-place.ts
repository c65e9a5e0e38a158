// A place that survives a modal or a database: its shape as JSON, and the way back. Pure.
import { z } from 'zod'
import type { Place } from './place.ts'

/** Whoever comes back with it says who they are: that is not kept. */
export const keptPlaceSchema = z.object({
  channelId: z.string().optional(),
  responseUrl: z.string().optional(),
  isDirect: z.boolean(),
  pressedTs: z.string().optional(),
  threadTs: z.string().optional(),
  isThreadNew: z.boolean().optional(),
})

export type KeptPlace = z.infer<typeof keptPlaceSchema>

export function keptPlace({ userId: _, ...place }: Place): { readonly [key in keyof KeptPlace]: Place[key] } {
  return place
}

export function placeFrom(kept: KeptPlace, userId: string): Place {
  const { channelId, responseUrl } = kept
  return { ...kept, userId, channelId, responseUrl }
}
