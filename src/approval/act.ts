// Somebody presses a button about a request, and what of that survives a modal.
import { z } from 'zod'
import type { From } from '../slack/requests.ts'

export interface Act extends From {
  /** The button is on the card that everybody sees, not on a message of the person's own. */
  readonly isCard: boolean
}

/** An `Act`'s part that survives a modal: `private_metadata` holds it beside the request's id. */
export const actState = z.object({
  id: z.string(),
  isCard: z.boolean(),
  channelId: z.string().optional(),
  responseUrl: z.string().optional(),
  isDirect: z.boolean(),
  pressedTs: z.string().optional(),
})

export function stateOf(id: string, { place, isCard }: Act): string {
  const { channelId, responseUrl, isDirect, pressedTs } = place
  const state: z.input<typeof actState> = { id, isCard, isDirect }
  return JSON.stringify({ ...state, channelId, responseUrl, pressedTs })
}

export function readState(
  privateMetadata: string,
  asker: From['asker'],
): { readonly id: string; readonly act: Act } {
  const { id, isCard, channelId, responseUrl, isDirect, pressedTs } = actState.parse(
    JSON.parse(privateMetadata),
  )
  const place = { userId: asker.userId, channelId, responseUrl, isDirect, pressedTs }
  return { id, act: { asker, place, isCard } }
}
