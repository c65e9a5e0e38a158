// *Assign to me* and *Assign to somebody*: their buttons and forms.
import { type CardPress, readCardPress } from '../../alert/render/card-buttons.ts'
import { MonitorError } from '../../errors.ts'
import { readContainer } from '../../grant/line.ts'
import { readContainerField } from '../../grant/render/form.ts'
import type { House } from '../../house.ts'
import { monitorSentence } from '../../monitor/failures.ts'
import { peopleOf } from '../../names/names.ts'
import { answerForm, type FormOutcome } from '../../slack/guard/answer-form.ts'
import type { ActionRequest, Submission, Suggestion, Typing } from '../../slack/guard/requests.ts'
import type { Place } from '../../slack/outbound/delivery.ts'
import { act, actForForm, textProblem } from '../act.ts'
import { type Intent, intentOn, type KeyedIntent, readForm, readFormState } from '../intent.ts'
import { type Candidates, findCandidates } from './candidates.ts'
import { assignNoteModal, assignProblems, messageInput, personInput, suggestPeople } from './modal.ts'
import { formFor } from './whom.ts'

/** *Assign to me* on a card. @throws UserError where the card is forgotten. */
export function assignToMe(house: House, pressed: ActionRequest): Promise<void> {
  return assignTo(house, pressed, readCardPress(pressed.value), 'me')
}

/** *Assign to somebody*, in the menu of a card. @throws UserError where the card is forgotten. */
export function openAssignForm(house: House, pressed: ActionRequest, press: CardPress): Promise<void> {
  return assignTo(house, pressed, press, 'somebody')
}

async function assignTo(
  house: House,
  pressed: ActionRequest,
  press: CardPress | undefined,
  to: Intent['to'],
): Promise<void> {
  if (press === undefined) return
  await act(house, pressed, await intentOn(house, pressed, press, { act: 'assign', to }), pressed)
}

/** Either form of assigning. */
export async function answerAssignForm(house: House, submission: Submission): Promise<void> {
  const { asker, filled, ack } = submission
  const { intent, place } = await readForm(house, submission)
  const { which } = intent
  if (which === undefined) return ack()
  const keepForm = (errors: Record<string, string>) => ack({ response_action: 'errors', errors })
  if (!filled.inputs.includes(personInput))
    return answerContainer(house, submission, { ...intent, which }, place, keepForm)
  const userId = readContainer(filled.choice(personInput) ?? '')
  if (userId === undefined) return keepForm({ [personInput]: assignProblems.nobody })
  const message = filled.inputs.includes(messageInput) ? filled.text(messageInput) : intent.message
  const problem = await textProblem(house, asker, 'assign', message)
  if (problem !== undefined) return keepForm({ [messageInput]: problem })
  if (intent.to === 'me') await house.storage.ownIds.keep(asker, { userId, isMatched: false })
  await actForForm(house, submission, place, { ...intent, which, message, to: { userId } })
}

/** Looks for the people of the container that was typed or chosen, while the form is there. */
async function answerContainer(
  house: House,
  submission: Submission,
  intent: KeyedIntent,
  place: Place,
  keepForm: (errors: Record<string, string>) => Promise<void>,
): Promise<void> {
  const { asker, filled } = submission
  const { input, containerId } = readContainerField(filled)
  if (containerId === undefined) return keepForm({ [input]: assignProblems.noContainerNumber })
  const token = await house.tokens.find(asker)
  if (token === undefined) return keepForm({ [input]: assignProblems.connectFirst })
  let userId: number | undefined
  const work = async (): Promise<FormOutcome> => {
    const found = await findCandidates(house, asker, token, intent, containerId).catch(askAgain)
    const view = await formFor(house, { asker, place }, intent, found)
    if (found.kind === 'ask-container' && found.problem) return { view, atOnce: { [input]: found.problem } }
    if (found.kind !== 'known') return { view }
    userId = found.userId
    return { view, atOnce: 'close' }
  }
  await answerForm(house, submission, assignNoteModal(intent.to, 'Loading…'), work)
  if (userId !== undefined) await act(house, submission.moveTo(place), { ...intent, to: { userId } })
}

/** Where the service gives no answer, the form says so and stays. */
function askAgain(error: unknown): Candidates {
  if (!(error instanceof MonitorError)) throw error
  return { kind: 'ask-container', problem: monitorSentence(error.code) }
}

/** Suggests people of the container to whoever fills in the form, with their own token. Never rejects for the service. */
export async function suggestAssignees(
  house: House,
  { asker, typed, privateMetadata }: Typing,
): Promise<readonly Suggestion[]> {
  const { containerId, intent } = readFormState(privateMetadata)
  const token = await house.tokens.find(asker)
  if (containerId === undefined || token === undefined) return []
  try {
    const listed = await peopleOf(house, asker, token, containerId)
    const people = listed.kind === 'listed' ? listed.people : []
    return suggestPeople(
      typed,
      people.filter(({ member }) => member || intent.to === 'me'),
    )
  } catch (error) {
    if (error instanceof MonitorError) return []
    throw error
  }
}
