// Answers of the forms of assigning: the person that was chosen, or the container to look in.
import type { ViewResponseAction } from '@slack/bolt'
import { monitorSentence } from '../../alert/render/failures.ts'
import { MonitorError, UserError } from '../../errors.ts'
import { chooseOwnId } from '../../names/own-id.ts'
import { peopleOf } from '../../names/people.ts'
import type { FormOutcome } from '../../slack/guard/answer-form.ts'
import type { From, Submission, Suggestion, Typing } from '../../slack/guard/requests.ts'
import { OddInput } from '../../slack/guard/submitted-form.ts'
import { readField } from '../../slack/guard/suggesting-field.ts'
import type { ActRoom } from '../room.ts'
import { actOn } from '../sending.ts'
import { textProblem } from '../text.ts'
import { assignMe, formFor, isAsking } from './assign.ts'
import { findCandidates } from './candidates.ts'
import {
  assignNoteModal,
  containerInput,
  loadingAssignModal,
  messageInput,
  numberInput,
  personInput,
  suggestPeople,
} from './modal.ts'
import { answeredElsewhere, assignProblems } from './render.ts'
import { type AssignState, assignTo, readAssignState, readListed, type WantedAssign } from './wanted.ts'

interface AnsweredForm {
  /** Where its verdict goes. */
  readonly from: From
  /** What is done. @param kept - Answers the form, once that is kept or cannot be. May be called again. */
  readonly act: (kept: () => Promise<void>) => Promise<void>
  /** It is answered by now. */
  readonly isAnswered?: true
}

/** Reads a form that was submitted. @returns Undefined where it stays. */
export async function answerAssignForm(
  room: ActRoom,
  submission: Submission,
): Promise<AnsweredForm | undefined> {
  const { asker, filled, privateMetadata, ack } = submission
  const state = readAssignState(privateMetadata, asker)
  const { purpose } = state
  const from = { asker, place: state.place }
  const isOf = (input: string) => filled.inputs.includes(input)
  if (!isOf(personInput) && !isOf(numberInput)) return answerContainer(room, submission, state)
  const [input, text] = isOf(personInput)
    ? [personInput, filled.choice(personInput) ?? '']
    : [numberInput, filled.text(numberInput)]
  const refuse = (errors: Readonly<Record<string, string>>): ViewResponseAction => {
    return { response_action: 'errors', errors: { ...errors } }
  }
  const userId = readServiceNumber(text)
  if (userId === undefined) {
    await ack(refuse({ [input]: assignProblems.noNumber }))
    return undefined
  }
  if (purpose === 'me') {
    if ((await chooseOwnId(room.names, asker, userId)) === 'taken') {
      await ack(refuse({ [input]: assignProblems.taken }))
      return undefined
    }
    return { from, act: (kept) => actOn(room, from, { ...assignTo(state.wanted, userId), kept }) }
  }
  const message = isOf(messageInput) ? filled.text(messageInput) : state.wanted.message
  const problem = await textProblem(room, asker, { kind: 'assign', message, isSolution: false })
  if (problem !== undefined) {
    await ack(refuse({ [messageInput]: problem }))
    return undefined
  }
  const wanted: WantedAssign = { ...state.wanted, message }
  return { from, act: (kept) => actOn(room, from, { ...assignTo(wanted, userId), kept }) }
}

/** Looks for the people of the container that was typed, while the form is there. */
async function answerContainer(
  room: ActRoom,
  submission: Submission,
  { purpose, wanted, place }: AssignState,
): Promise<AnsweredForm | undefined> {
  const { asker, filled } = submission
  const from = { asker, place }
  const { input, text } = readField(filled, containerInput)
  const containerId = readServiceNumber(text)
  if (containerId === undefined) throw new OddInput(input, assignProblems.noContainerNumber)
  const close = { view: assignNoteModal(purpose, answeredElsewhere), atOnce: 'close' } as const
  type Outcome = FormOutcome & { readonly act?: () => Promise<void> }
  const outcome = await room.alert.answerForm(
    submission,
    loadingAssignModal(purpose),
    async (): Promise<Outcome> => {
      const token = await room.account.tokens.find(asker)
      const again = () =>
        purpose === 'me'
          ? assignMe(room, from, wanted, undefined)
          : Promise.reject(new UserError(assignProblems.connectFirst))
      if (token === undefined) return { ...close, act: again }
      try {
        const found = await findCandidates(room, asker, token, wanted, { purpose, containerId })
        if (found.kind === 'known') {
          return { ...close, act: () => actOn(room, from, assignTo(wanted, found.userId)) }
        }
        if (!isAsking(found)) return { ...close, act: again }
        const view = await formFor(room, from, purpose, wanted, found)
        return found.kind === 'ask-container' && found.problem !== undefined
          ? { view, atOnce: { [input]: found.problem } }
          : { view }
      } catch (error) {
        if (!(error instanceof MonitorError)) throw error
        const sentence = monitorSentence(error.code)
        const view = await formFor(room, from, purpose, wanted, { kind: 'ask-container', problem: sentence })
        return { view, atOnce: { [input]: sentence } }
      }
    },
  )
  const { act } = outcome
  return act && { from, act: () => act(), isAnswered: true }
}

/** Users and containers of the service have whole numbers from 1 on. */
export function readServiceNumber(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

/** Suggests people of the container to whoever fills in the form, with their own token. Never rejects for the service. */
export async function suggestAssignees(
  room: ActRoom,
  { asker, typed, privateMetadata }: Typing,
): Promise<readonly Suggestion[]> {
  const { containerId, purpose } = readListed(privateMetadata)
  const token = await room.account.tokens.find(asker)
  if (containerId === undefined || token === undefined) return []
  try {
    const listed = await peopleOf(room.names, asker, token, containerId)
    if (listed.kind !== 'listed') return []
    return suggestPeople(
      typed,
      listed.people.filter(({ member }) => member || purpose !== 'somebody'),
    )
  } catch (error) {
    if (error instanceof MonitorError) return []
    throw error
  }
}
