// An assignment that is wanted, while it is open to whom. Survives JSON: it waits for an account, in buttons and forms.
import { z } from 'zod'
import type { AssignAlert } from '../../send/writes.ts'
import { readPrivateMetadata } from '../../slack/guard/requests.ts'
import { keptPlace, keptPlaceSchema, type Place } from '../../slack/outbound/delivery.ts'

/** For whom: whoever asks, or somebody they choose. */
export type ForWhom = 'me' | 'somebody'

export const wantedAssignSchema = z
  .object({
    /** Of the intent: the same however often it is asked. */
    id: z.string(),
    /** As it was asked for. */
    ks: z.string(),
    /** Raw; may be empty. */
    message: z.string(),
    /** As the card had it; missing where its sender saw nothing of the alert. */
    shown: z.object({ ownerId: z.number().int().nullable(), isClosed: z.boolean() }).optional(),
    cardId: z.string().optional(),
    /** It was pressed on the card itself. */
    isOnCard: z.boolean().optional(),
  })
  .transform(({ shown, cardId, isOnCard, ...wanted }) => ({ ...wanted, shown, cardId, isOnCard }))

export type WantedAssign = z.infer<typeof wantedAssignSchema>

/** @param ownerId - At the service. */
export function assignTo(
  { id, isOnCard, ...about }: WantedAssign,
  ownerId: number,
): { readonly id: string; readonly isOnCard: boolean; readonly write: AssignAlert } {
  return {
    id,
    isOnCard: isOnCard ?? false,
    write: { kind: 'assign', ...about, ownerId, senderId: undefined },
  }
}

/** What a form of assigning remembers. */
const stateSchema = z.object({
  purpose: z.enum(['me', 'somebody']),
  wanted: wantedAssignSchema,
  place: keptPlaceSchema,
  /** As it was found, or chosen in this form: its people are suggested. */
  containerId: z.number().int().optional(),
})

export type AssignState = z.infer<typeof stateSchema>

export function assignState(
  purpose: ForWhom,
  wanted: WantedAssign,
  place: Place,
  containerId: number | undefined,
): string {
  return JSON.stringify({ purpose, wanted, place: keptPlace(place), containerId })
}

/** @throws UserError for what another version has written. */
export function readAssignState(privateMetadata: string): AssignState {
  return readPrivateMetadata(stateSchema, privateMetadata)
}
