// Intents: what somebody wants done to an alert, until it is sent. Forms, and waits for an account, keep them as JSON.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Card, cardTheySee } from '../alert/cards.ts'
import type { ActAsk } from '../alert/input.ts'
import type { House } from '../house.ts'
import type { AlertWrite, ShownAlert } from '../send/outcome.ts'
import { type From, readPrivateMetadata } from '../slack/guard/requests.ts'
import { keptPlace, keptPlaceSchema, type Place } from '../slack/outbound/delivery.ts'
import type { SlackUser } from '../slack/person.ts'
import { quote } from '../slack/text/typed.ts'

/** The person who acts; with a trigger if Slack lets a form open. */
export type Actor = From & { readonly triggerId?: string | undefined }

export interface Intent extends ActAsk {
  /** Id of the request; the same however often Slack delivers it. */
  readonly id: string
  /** The alert’s owner and state as the person saw them on its card; undefined if they saw no card. */
  readonly shown?: ShownAlert | undefined
  readonly cardId?: string | undefined
  /** True for a press on the card itself. The response_url of such a press can change the card. */
  readonly isOnCard?: boolean | undefined
}

/** An intent whose alert is known by its key. In a form (below), the key may still have to be asked for. */
export type KeyedIntent = Intent & { readonly which: { readonly ks: string } }
type FormIntent = Omit<Intent, 'which'> & { readonly which?: { readonly ks: string } | undefined }

/** The intent of a press on a card. @param ownerId - The alert’s owner as the card shows it; null while unassigned. */
export function intentOn(
  { id: cardId, ks }: Card,
  ownerId: number | null,
  wanted: Pick<Intent, 'act' | 'to'>,
): KeyedIntent {
  return {
    ...wanted,
    id: randomUUID(),
    which: { ks },
    message: '',
    // Cards of closed alerts have no buttons for acts.
    shown: { ownerId, isClosed: false },
    cardId,
    isOnCard: true,
  }
}

export function intentFrom(write: AlertWrite, id: string = randomUUID()): KeyedIntent {
  const { kind: act, ks, message, shown, cardId } = write
  const isSolution = write.kind === 'close' && write.isSolution
  const to = write.kind === 'assign' ? { userId: write.ownerId } : undefined
  return {
    id,
    act,
    which: { ks },
    message,
    isSolution,
    to,
    shown,
    cardId,
  }
}

const stateSchema = z.object({
  intent: z.object({
    id: z.string(),
    act: z.enum(['assign', 'comment', 'close']),
    which: z.object({ ks: z.string() }).optional(),
    message: z.string(),
    to: z.enum(['me', 'somebody']).optional(),
    shown: z
      .object({
        ownerId: z.number().int().nullable(),
        isClosed: z.boolean(),
      })
      .optional(),
    cardId: z.string().optional(),
    isOnCard: z.boolean().optional(),
  }),
  place: keptPlaceSchema,
  /** Container whose people a form suggests for assigning; missing in other forms. */
  containerId: z.number().int().optional(),
})

/** The private metadata of a form. @param place - Where the verdict goes. */
export function formState(place: Place, intent: FormIntent, containerId?: number): string {
  return JSON.stringify({ intent, place: keptPlace(place), containerId })
}

/** @throws UserError for what another version of Bellhop has written. */
export function readFormState(privateMetadata: string) {
  return readPrivateMetadata(stateSchema, privateMetadata)
}

/** The alert’s title as its card has it, else its key. Raw. */
export async function alertNamed(
  house: House,
  asker: SlackUser,
  { cardId, which: { ks } }: KeyedIntent,
) {
  return (await cardTheySee(house, asker, cardId))?.title ?? `Alert ${quote(ks)}`
}
