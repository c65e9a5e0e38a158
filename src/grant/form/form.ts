// Opens the form, filled in as far as somebody has typed, and draws it anew with each choice of a role.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { House } from '../../house.ts'
import { containersToSuggest, type KnownContainer } from '../../names/containers.ts'
import type { Reason } from '../../send/request.ts'
import { unlessSlackFails } from '../../slack/client/slack-error.ts'
import {
  type ActionRequest,
  type Request,
  readInputs,
  readPrivateMetadata,
  type Suggestion,
  type Typing,
} from '../../slack/guard/requests.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { keptPlace, keptPlaceSchema, type Place, placeFrom } from '../../slack/outbound/delivery.ts'
import type { View } from '../../slack/outbound/message.ts'
import type { Profile } from '../../slack/workspace/people.ts'
import { inTime } from '../../work/under-way.ts'
import { type Prefill, readContainer } from '../line/line.ts'
import { findRecipients } from '../recipients.ts'
import { containersMeant } from './container.ts'
import { formView, grantModal, loadingModal } from './modal.ts'
import { roleInput, withRole } from './role.ts'

export const nothingTyped: Prefill = {
  container: '',
  grantees: [],
  authProvider: undefined,
  member: false,
  permissions: [],
}

/** What the form remembers: the intent, where its receipt goes, and what access is granted for. */
const remembered = z.object({
  id: z.string(),
  place: keptPlaceSchema,
  about: z.object({ name: z.string(), isForAll: z.boolean() }).optional(),
})

export function stateOf(id: string, place: Place, about?: Reason): string {
  return JSON.stringify({ id, place: keptPlace(place), about })
}

export function readState(privateMetadata: string, owner: SlackUser) {
  const { place, ...state } = readPrivateMetadata(remembered, privateMetadata)
  return { ...state, place: placeFrom(place, owner) }
}

const unknownPerson = 'Couldn’t look that person up in Slack right now. Type their email address instead.'

/**
 * @param about - What access is granted for; what becomes of it is told where the request's place is.
 * @param instead - What may open in place of the form, once all are known by their addresses.
 */
export async function openForm(
  house: House,
  { triggerId, place, asker }: Pick<Request, 'triggerId' | 'place' | 'asker'>,
  prefill: Prefill = nothingTyped,
  about?: Reason,
  instead?: (emails: readonly string[]) => Promise<View | undefined>,
): Promise<void> {
  const { slack, config } = house
  const id = randomUUID()
  const container = await containerMeant(house, asker, prefill.container)
  const state = stateOf(id, place, about)
  const form = (grantees: Prefill['grantees'], origins: readonly Profile[], problem?: string) =>
    grantModal(state, { ...prefill, grantees }, container, config, { origins, problem, about })
  if (instead === undefined && prefill.grantees.every(({ kind }) => kind === 'email')) {
    await slack.openView(triggerId, form(prefill.grantees, []))
    return
  }
  // A trigger lives three seconds: the modal opens first, the look-up comes after.
  const viewId = await slack.openView(triggerId, loadingModal())
  try {
    const { emails, profiles, problems } = await findRecipients(house, prefill.grantees)
    const grantees = emails.map((email) => ({ kind: 'email', email }) as const)
    await slack.updateView(viewId, (await instead?.(emails)) ?? form(grantees, profiles, problems.join(' ')))
  } catch (error) {
    await slack.updateView(viewId, form(prefill.grantees, [], unknownPerson))
    throw error
  }
}

/** A form does without what takes longer, and so does whoever types into it: a number needs no name. */
const knownMs = 500
/** Of the containers that somebody used, so many can be found by what they type. */
const mostContainers = 100

/** Containers that this person has used or seen themselves. Never rejects. */
export async function knownTo(house: House, owner: SlackUser): Promise<readonly KnownContainer[]> {
  try {
    return (await inTime(containersToSuggest(house, owner, mostContainers), knownMs)) ?? []
  } catch (error) {
    house.log.warn({ err: error }, 'the containers that somebody used could not be read')
    return []
  }
}

/** The container that was typed, with its name where that is known. Never rejects. */
async function containerMeant(house: House, owner: SlackUser, text: string) {
  const id = readContainer(text)
  if (id === undefined) return undefined
  return (await knownTo(house, owner)).find((one) => one.id === id) ?? { id }
}

/** Suggests containers to whoever fills in a form: those that they have used themselves. Never rejects. */
export async function suggestContainers(house: House, typing: Typing): Promise<readonly Suggestion[]> {
  return containersMeant(typing.typed, await knownTo(house, typing.asker))
}

/**
 * Draws the form anew when somebody chooses a role. Fields keep what is typed into them. Best effort: whoever submits it
 * before gets what the role allows.
 */
export async function redrawForm({ slack, config }: House, { view }: ActionRequest): Promise<void> {
  const role = view && readInputs(view.state.values).choice(roleInput)
  const blocks = role === undefined ? undefined : withRole(view?.blocks ?? [], role, config.roles)
  if (view === undefined || blocks === undefined) return
  await unlessSlackFails(slack.updateView(view.id, formView(view.private_metadata, blocks), view.hash))
}
