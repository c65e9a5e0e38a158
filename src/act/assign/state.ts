// State of the forms of assigning, in their `private_metadata`: what is wanted, where its verdict goes, and where its
// people are listed.
import { z } from 'zod'
import { readPrivateMetadata } from '../../slack/guard/submitted-form.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { keptPlace, keptPlaceSchema, type Place, placeFrom } from '../../slack/outbound/delivery.ts'
import { type WantedAssign, wantedAssignSchema } from './wanted.ts'

const stateSchema = z.object({
  wanted: wantedAssignSchema,
  place: keptPlaceSchema,
  /** As it was found, or chosen in this form. */
  containerId: z.number().int().optional(),
})

export interface AssignState {
  readonly wanted: WantedAssign
  readonly place: Place
  readonly containerId: number | undefined
}

export function assignState({ wanted, place, containerId }: AssignState): string {
  return JSON.stringify({ wanted, place: keptPlace(place), containerId })
}

/** @throws UserError for what another version has written. */
export function readAssignState(privateMetadata: string, owner: SlackUser): AssignState {
  const { wanted, place, containerId } = readPrivateMetadata(stateSchema, privateMetadata)
  return { wanted, place: placeFrom(place, owner), containerId }
}
