// Opens the form, filled in as far as somebody has typed, and draws it anew with each choice of a role.
import { randomUUID } from 'node:crypto'
import type { Reason } from '../../send/wishes.ts'
import { classify } from '../../slack/client/refusals.ts'
import type { ActionRequest, Request, Suggestion, Typing } from '../../slack/guard/requests.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { isUnreadableView } from '../../slack/outbound/readably.ts'
import { inTime } from '../../work/under-way.ts'
import { type Prefill, readContainer } from '../line/line.ts'
import { findRecipients } from '../recipients.ts'
import type { ProfileOrigin } from '../render/confirm.ts'
import type { GrantRoom } from '../room.ts'
import { roleInput, withRole } from './access.ts'
import { type ContainerField, type KnownContainer, suggestContainers } from './container.ts'
import { stateOf } from './kept.ts'
import { formView, grantModal, loadingModal } from './modal.ts'

export const nothingTyped: Prefill = {
  container: '',
  grantees: [],
  authProvider: undefined,
  member: false,
  permissions: [],
}

const unknownPerson = 'Couldn’t look that person up in Slack right now. Type their email address instead.'

type FormRoom = Pick<GrantRoom, 'people' | 'outbound' | 'settings' | 'suggests' | 'knownContainers' | 'log'>

/** @param about - What access is granted for; what becomes of it is told where the request's place is. */
export async function openForm(
  room: FormRoom,
  { triggerId, place, asker }: Pick<Request, 'triggerId' | 'place' | 'asker'>,
  prefill: Prefill,
  about?: Reason,
): Promise<void> {
  const { people, outbound, settings } = room
  const id = randomUUID()
  const container = await containerField(room, asker, prefill.container)
  const { openView, updateView } = outbound.in(place.workspaceId)
  const form = (grantees: Prefill['grantees'], origins: readonly ProfileOrigin[], problem?: string) => {
    const state = stateOf(id, place, origins, about)
    return grantModal(state, { ...prefill, grantees }, container, settings, { origins, problem, about })
  }
  if (prefill.grantees.every(({ kind }) => kind === 'email')) {
    await openView(triggerId, form(prefill.grantees, []))
    return
  }
  // A trigger lives three seconds: the modal opens first, the look-up comes after.
  const viewId = await openView(triggerId, loadingModal())
  try {
    const { emails, profiles, problems } = await findRecipients(
      people.in(place.workspaceId),
      prefill.grantees,
    )
    const grantees = emails.map((email) => ({ kind: 'email', email }) as const)
    await updateView(viewId, form(grantees, profiles, problems.join(' ')))
  } catch (error) {
    await updateView(viewId, form(prefill.grantees, [], unknownPerson))
    throw error
  }
}

/** A form does without what takes longer, and so does whoever types into it: a number needs no name. */
const knownMs = 500

/** Never rejects. */
async function knownTo(
  { knownContainers, log }: Pick<FormRoom, 'knownContainers' | 'log'>,
  owner: SlackUser,
): Promise<readonly KnownContainer[]> {
  try {
    return (await inTime(knownContainers(owner), knownMs)) ?? []
  } catch (error) {
    log.warn({ err: error }, 'the containers that somebody used could not be read')
    return []
  }
}

/** Never rejects. */
async function containerField(room: FormRoom, owner: SlackUser, text: string): Promise<ContainerField> {
  if (!room.suggests) return { text, kind: 'typed' }
  const id = readContainer(text)
  const known = id === undefined ? [] : await knownTo(room, owner)
  return { text, kind: 'suggests', name: known.find((one) => one.id === id)?.name }
}

/** Suggests containers to whoever fills in the form: those that they have used themselves. Never rejects. */
export async function suggestTo(
  room: Pick<FormRoom, 'knownContainers' | 'log'>,
  { asker, typed }: Pick<Typing, 'asker' | 'typed'>,
): Promise<readonly Suggestion[]> {
  return suggestContainers(typed, await knownTo(room, asker))
}

/**
 * Draws the form anew when somebody chooses a role. Fields keep what is typed into them. Best effort: whoever submits it
 * before gets what the role allows.
 */
export async function redrawForm(
  { outbound, settings }: FormRoom,
  { asker, view }: Pick<ActionRequest, 'asker' | 'view'>,
): Promise<void> {
  const role = view?.filled.choice(roleInput)
  const blocks = role === undefined ? undefined : withRole(view?.blocks ?? [], role, settings.roles)
  if (view === undefined || blocks === undefined) return
  try {
    await outbound
      .in(asker.workspaceId)
      .updateView(view.id, formView(view.privateMetadata, blocks), view.hash)
  } catch (error) {
    if (classify(error).kind === 'defect' || isUnreadableView(error)) throw error
  }
}
