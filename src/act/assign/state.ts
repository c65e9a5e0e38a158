// State of the forms of assigning, in their `private_metadata`: what is wanted, where its verdict goes, and where its
// people are listed.
import { z } from 'zod'
import { readPrivateMetadata } from '../../slack/guard/submitted-form.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { keptPlace, keptPlaceSchema, type Place, placeFrom } from '../../slack/outbound/delivery.ts'
import type { ForWhom } from './candidates.ts'
import { type WantedAssign, wantedAssignSchema } from './wanted.ts'

const stateSchema = z.object({
  purpose: z.enum(['me', 'somebody']),
  wanted: wantedAssignSchema,
  place: keptPlaceSchema,
  /** As it was found, or chosen in this form. */
  containerId: z.number().int().optional(),
})

/** Of every form, as far as its menu of people needs it. */
const listedSchema = z.object({
  purpose: z.enum(['me', 'somebody', 'nobody']),
  containerId: z.number().int().optional(),
})

export interface AssignState {
  readonly purpose: ForWhom
  readonly wanted: WantedAssign
  readonly place: Place
  readonly containerId: number | undefined
}

export function assignState({ purpose, wanted, place, containerId }: AssignState): string {
  return JSON.stringify({ purpose, wanted, place: keptPlace(place), containerId })
}

/** Of the form that changes who somebody is, and assigns nothing. */
export function changeState(containerId: number | undefined): string {
  return JSON.stringify({ purpose: 'nobody', containerId })
}

/** @throws UserError for what another version has written. */
export function readListed(privateMetadata: string): z.infer<typeof listedSchema> {
  return readPrivateMetadata(listedSchema, privateMetadata)
}

/** @throws UserError for what another version has written. */
export function readAssignState(privateMetadata: string, owner: SlackUser): AssignState {
  const { purpose, wanted, place, containerId } = readPrivateMetadata(stateSchema, privateMetadata)
  return { purpose, wanted, place: placeFrom(place, owner), containerId }
}
