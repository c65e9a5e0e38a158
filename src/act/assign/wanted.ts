// An assignment that is wanted, while it is open to whom. Survives JSON: it waits for an account, in forms and buttons.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { NewWish } from '../../send/wishes.ts'
import type { AssignAlert } from '../../send/writes.ts'
import type { From } from '../../slack/guard/requests.ts'

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

/** As it is kept while it is found out to whom: the service numbers its users from 1 on. */
export function intentOf(
  { asker: { workspaceId, userId }, place }: From,
  wanted: WantedAssign,
  to: 'me' | 'somebody',
): NewWish {
  const { write } = assignTo(wanted, 0)
  return {
    id: randomUUID(),
    sender: { workspaceId, userId },
    channelId: place.isDirect ? undefined : place.channelId,
    writes: [{ ...write, senderId: to === 'me' ? 0 : undefined }],
  }
}

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
