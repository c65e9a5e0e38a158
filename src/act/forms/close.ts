// Form of *Close alert*: on a card, or with a text that was not taken.
import { randomUUID } from 'node:crypto'
import type { CardPress } from '../../alert/render/card-buttons.ts'
import type { AlertWrite } from '../../send/writes.ts'
import type { ActionRequest, Submission } from '../../slack/guard/requests.ts'
import { closeModal, solutionInput, whatItWasInput } from '../render/forms.ts'
import type { ActRoom } from '../room.ts'
import { actOn } from '../sending.ts'
import { shortestFor, shortestToShow } from '../shortest.ts'
import { type ReadForm, textProblem } from './reading.ts'
import { actState, readActState, subjectOfForm } from './state.ts'

/** *Close alert* on a card. @throws UserError where the card is forgotten. */
export async function openCloseForm(
  room: ActRoom,
  { asker, place, triggerId }: ActionRequest,
  { cardId, ownerId }: CardPress,
): Promise<void> {
  const about = { cardId, shown: { ownerId, isClosed: false } }
  const subject = await subjectOfForm(room, { asker, place }, about)
  const form = closeModal({
    state: actState(randomUUID(), place, about),
    headline: subject?.headline,
    message: '',
    isSolution: false,
    shortest: subject && (await shortestToShow(room, asker, subject)),
  })
  await room.alert.outbound.in(asker.workspaceId).openView(triggerId, form)
}

/** What the form asks for, or why it does not take it yet. */
export async function readCloseForm(
  room: ActRoom,
  { asker, filled, privateMetadata }: Submission,
): Promise<ReadForm> {
  const { id, place, about } = readActState(privateMetadata, asker)
  const message = filled.text(whatItWasInput)
  const isSolution = filled.choices(solutionInput).length > 0
  const from = { asker, place }
  const subject = await subjectOfForm(room, from, about)
  const shortest = subject && (await shortestFor(room, asker, subject))
  const problem = await textProblem(room, asker, { kind: 'close', message, isSolution, shortest })
  const errors: Record<string, string> = problem === undefined ? {} : { [whatItWasInput]: problem }
  if (subject === undefined) return { place, errors, act: () => Promise.resolve() }
  const { headline: _, ...which } = subject
  const write: AlertWrite = { kind: 'close', message, isSolution, ...which }
  return { place, errors, act: (kept) => actOn(room, from, { id, write, isOnCard: 'cardId' in about, kept }) }
}
