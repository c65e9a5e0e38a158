// Opens the form, filled in as far as somebody has typed, and draws it anew with each choice of a role.
import { randomUUID } from 'node:crypto'
import type { Reason } from '../../send/wishes.ts'
import { classify } from '../../slack/client/refusals.ts'
import type { ActionRequest, Request, Suggestion, Typing } from '../../slack/guard/requests.ts'
import { modeIn } from '../../slack/guard/suggesting-field.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { isUnreadableView } from '../../slack/outbound/readably.ts'
import type { FieldMode } from '../../slack/workspace/suggesting.ts'
import { inTime } from '../../work/in-time.ts'
import { type Prefill, readContainer } from '../line/line.ts'
import { resolve } from '../line/resolve.ts'
import type { ProfileOrigin } from '../render/confirm.ts'
import type { GrantRoom } from '../room.ts'
import { type ContainerField, suggestContainers } from './container.ts'
import { afterChoice, type Choosing, firstShown } from './drawn.ts'
import { choosingIn, fieldsIn } from './input.ts'
import { fieldsOf, grantModal, inputs, loadingModal, problemIn } from './modal.ts'
import { readState, redrawnState, stateOf } from './state.ts'

export const nothingTyped: Prefill = {
  container: '',
  grantees: [],
  authProvider: undefined,
  member: false,
  permissions: [],
}

const unknownPerson = 'Couldn’t look that person up in Slack right now. Type their email address instead.'

type FormRoom = Pick<GrantRoom, 'people' | 'outbound' | 'settings' | 'suggesting' | 'knownContainers' | 'log'>

/** @param about - What access is granted for; what becomes of it is told where the request's place is. */
export async function openForm(
  room: FormRoom,
  { triggerId, place, asker }: Pick<Request, 'triggerId' | 'place' | 'asker'>,
  prefill: Prefill,
  about?: Reason,
): Promise<void> {
  const { people, outbound, settings } = room
  const id = randomUUID()
  const mode = (await room.suggesting?.mode()) ?? onlyTyped
  const container = await containerField(room, asker, prefill.container, mode)
  const shown = firstShown(prefill, settings)
  const { openView, updateView } = outbound.in(place.workspaceId)
  const form = (grantees: Prefill['grantees'], origins: readonly ProfileOrigin[], unfound = '') => {
    const state = stateOf(id, place, origins, about, shown)
    const { fields, problem = '' } = fieldsOf({ ...prefill, grantees })
    const problems = [unfound, problem].filter(Boolean).join(' ') || undefined
    return grantModal(state, { ...fields, container }, shown, settings, { origins, problem: problems, about })
  }
  if (prefill.grantees.every(({ kind }) => kind === 'email')) {
    await openView(triggerId, form(prefill.grantees, []))
    return
  }
  // A trigger lives three seconds: the modal opens first, the look-up comes after.
  const viewId = await openView(triggerId, loadingModal())
  try {
    const { emails, profiles, problems } = await resolve(people.in(place.workspaceId), prefill.grantees)
    const grantees = emails.map((email) => ({ kind: 'email', email }) as const)
    await updateView(viewId, form(grantees, profiles, problems.join(' ')))
  } catch (error) {
    await updateView(viewId, form(prefill.grantees, [], unknownPerson))
    throw error
  }
}

const onlyTyped: FieldMode = { kind: 'typed', canSwitch: false }
/** The form does without a name that takes longer. */
const namedMs = 300

/** Never rejects. */
async function containerField(
  { knownContainers, log }: FormRoom,
  owner: SlackUser,
  text: string,
  mode: FieldMode,
): Promise<ContainerField> {
  const id = readContainer(text)
  if (id === undefined || mode.kind === 'typed') return { text, mode }
  try {
    const known = await inTime(knownContainers(owner), namedMs)
    return { text, mode, name: known?.find((one) => one.id === id)?.name }
  } catch (error) {
    log.warn({ err: error }, 'the name of a container could not be found')
    return { text, mode }
  }
}

const otherKind = { typed: 'suggests', suggests: 'typed' } as const

/** Suggests containers to whoever fills in the form: those that they have used themselves. */
export async function suggestTo(
  { knownContainers }: Pick<GrantRoom, 'knownContainers'>,
  { asker, typed }: Pick<Typing, 'asker' | 'typed'>,
): Promise<readonly Suggestion[]> {
  return suggestContainers(typed, await knownContainers(asker))
}

/**
 * Draws the form anew when somebody chooses a role, presses *Choose flags*, or has the container the other way. Fields
 * keep what is typed into them.
 * Best effort: whoever submits it before is shown what they ask for once more.
 */
export async function redrawForm(
  room: FormRoom,
  { asker, view }: Pick<ActionRequest, 'asker' | 'view'>,
  chose: Choosing['chose'] | 'container',
): Promise<void> {
  if (view === undefined) return
  const { outbound, settings } = room
  const { filled, hash, privateMetadata } = view
  const { drawn, origins, about } = readState(privateMetadata, asker)
  if (drawn === undefined) return
  const shown =
    chose === 'container'
      ? { ...drawn, isMember: choosingIn(filled, 'role').isMember }
      : afterChoice(drawn, choosingIn(filled, chose), settings.roles, randomUUID().slice(0, 8))
  if (shown === undefined) return
  const { container: text, ...typed } = fieldsIn(filled)
  const mode = modeIn(view.blocks, inputs.container)
  const asked = chose === 'container' ? { ...mode, kind: otherKind[mode.kind] } : mode
  const fields = { ...typed, container: await containerField(room, asker, text, asked) }
  const form = grantModal(redrawnState(privateMetadata, shown), fields, shown, settings, {
    origins: origins.map(([, name, isGuest]) => ({ name, isGuest })),
    problem: problemIn(view.blocks),
    about,
  })
  try {
    await outbound.in(asker.workspaceId).updateView(view.id, form, hash)
  } catch (error) {
    if (classify(error).kind === 'defect' || isUnreadableView(error)) throw error
  }
}
