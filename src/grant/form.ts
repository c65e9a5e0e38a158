// Opens the form filled in with what somebody typed, redraws it for a chosen role, and takes it in.

import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { House } from '../house.ts'
import { containerName } from '../names/containers.ts'
import { knownTo } from '../names/field.ts'
import { fingerprintOf } from '../send/outcome.ts'
import type { AskedFor, Reason } from '../send/request.ts'
import { unlessSlackFails } from '../slack/client.ts'
import {
  type ActionRequest,
  type Interaction,
  readPrivateMetadata,
  type Submission,
} from '../slack/guard/requests.ts'
import { keptPlace, keptPlaceSchema, type Place, placeFrom } from '../slack/outbound/delivery.ts'
import type { SlackUser } from '../slack/person.ts'
import { cut } from '../slack/text/mrkdwn.ts'
import { readId } from '../slack/text/typed.ts'
import { inTime } from '../work/under-way.ts'
import { writesOf } from './access.ts'
import { askOrSend, findRecipients } from './granting.ts'
import { type Prefill, parseGrant } from './line.ts'
import { grantModal, readForm, withRole } from './render/form.ts'
import { originWords } from './render/receipt.ts'

/** Memory of the form: the intent, where its receipt goes, and why access is granted. */
const remembered = z.object({
  id: z.string(),
  place: keptPlaceSchema,
  about: z
    .object({ name: z.string(), isForAll: z.boolean(), askedBy: z.custom<AskedFor>().optional() })
    .optional(),
})

export function stateOf(id: string, place: Place, about?: Reason): string {
  return JSON.stringify({ id, place: keptPlace(place), about })
}

export function readState(privateMetadata: string, owner: SlackUser) {
  const { place, ...state } = readPrivateMetadata(remembered, privateMetadata)
  return { ...state, place: placeFrom(place, owner) }
}

/** @param about - Why access is granted; the place of the request hears the outcome. */
export async function openForm(
  house: House,
  { triggerId, place, asker }: Pick<Interaction, 'triggerId' | 'place' | 'asker'>,
  prefill: Partial<Prefill> = {},
  about?: Reason,
): Promise<void> {
  const found = await unlessSlackFails(inTime(findRecipients(house, prefill.grantees ?? []), foundMs))
  const grantees = found?.emails ?? prefill.grantees ?? []
  const id = readId(prefill.container ?? '')
  const container = id === undefined ? undefined : { id, name: containerName(house, asker, id) }
  const state = stateOf(randomUUID(), place, about)
  const where = about?.isForAll ? ' The result will appear in the alert’s thread.' : ''
  const notes = [
    ...(found?.problems ?? [unknownPerson]),
    ...(found?.profiles.map(originWords) ?? []),
    ...(about === undefined ? [] : [`For ${cut(about.name, 300)}.${where}`]),
  ]
  const form = grantModal(state, { ...prefill, grantees }, container, house.config, notes)
  await house.slack.openView(triggerId, form)
}

/** Slack’s trigger lives three seconds. */
const foundMs = 1_200
const unknownPerson = 'Couldn’t look that person up in Slack right now. Type their email address instead.'

/** Redraws the form for a chosen role. Best effort: a form submitted before that still gets the role’s flags. */
export async function redrawForm({ slack, config }: House, { view }: ActionRequest): Promise<void> {
  const changed = view && withRole(view, config.roles)
  if (changed) await unlessSlackFails(slack.updateView(view.id, changed, view.hash))
}

export async function openOfferedForm(house: House, pressed: ActionRequest): Promise<void> {
  const ask = parseGrant(pressed.value, house.config, await knownTo(house, pressed.asker))
  return openForm(house, pressed, ask.kind === 'form' ? ask.prefill : undefined)
}

export async function submitForm(house: House, submission: Submission): Promise<void> {
  const { asker, filled, privateMetadata, correct } = submission
  const { id: formId, place, about } = readState(privateMetadata, asker)
  const access = readForm(filled, house.config)
  if ('problems' in access) return correct(access.problems)
  const from = { ...submission.moveTo(place), showsLine: true }
  // A form sent again with something else in it is another intent.
  const id = `${formId}-${fingerprintOf(writesOf(access)).slice(0, 8)}`
  await submission.ackOnceKept(() => askOrSend(house, from, { id, access, reason: about }))
}
