// Somebody presses a button about a request, and what of that survives a modal, or waiting for an account.
import { z } from 'zod'
import type { WaitedFor } from '../account/connect-first.ts'
import { readKept } from '../slack/guard/filled.ts'
import type { From } from '../slack/guard/requests.ts'
import { keptPlace, keptPlaceSchema, placeFrom } from '../slack/outbound/delivery.ts'

export interface Act extends From {
  /** The button is on the card that everybody sees, not on a message of the person's own. */
  readonly isCard: boolean
}

/** An `Act`'s part that survives a modal: `private_metadata` holds it beside the request's id. */
const actState = z.object({ id: z.string(), isCard: z.boolean(), place: keptPlaceSchema })

export function stateOf(id: string, { place, isCard }: Act): string {
  return JSON.stringify({ id, isCard, place: keptPlace(place) })
}

export function readState(
  privateMetadata: string,
  asker: From['asker'],
): { readonly id: string; readonly act: Act } {
  const { id, isCard, place } = readKept(actState, privateMetadata)
  return { id, act: { asker, place: placeFrom(place, asker), isCard } }
}

/** An *Approve* that waits for an account. */
export const waitingApprove = z.object({ id: z.string(), isCard: z.boolean() })

export function wanted(id: string, { isCard }: Act): WaitedFor {
  const ask: z.infer<typeof waitingApprove> = { id, isCard }
  return { feature: 'approval', asked: 'grant', ask }
}
