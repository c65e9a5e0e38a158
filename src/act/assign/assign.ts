// *Assign to me* and *Assign to somebody*: goes on at once where it is known to whom, else with the answer of a form. What
// is read for that is read with the presser's own token, and shown to them alone.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { withToken } from '../../account/connect-first.ts'
import { cardTheySee, maySee } from '../../alert/cards.ts'
import { refuseToken } from '../../alert/look-up.ts'
import { type CardPress, readCardPress } from '../../alert/render/card-buttons.ts'
import { monitorSentence } from '../../alert/render/no-card.ts'
import { sayingWhenSlow } from '../../alert/show.ts'
import { MonitorError, UserError } from '../../errors.ts'
import { setAbout } from '../../log/request.ts'
import { peopleOf } from '../../names/people.ts'
import type { FormOutcome } from '../../slack/guard/answer-form.ts'
import {
  type ActionRequest,
  type Filled,
  type From,
  OddInput,
  readPrivateMetadata,
  type Submission,
  type Suggestion,
  type Typing,
} from '../../slack/guard/requests.ts'
import { readField } from '../../slack/guard/suggesting-field.ts'
import { quote } from '../../slack/text/typed.ts'
import { inTime } from '../../work/under-way.ts'
import { tooOldWords } from '../render/verdict.ts'
import type { ActRoom } from '../room.ts'
import { actOn, holdsOwnToken } from '../sending.ts'
import { textProblem } from '../text.ts'
import { type Candidates, findCandidates } from './candidates.ts'
import {
  type AssignAsking,
  assignModal,
  assignNoteModal,
  containerInput,
  loadingAssignModal,
  messageInput,
  numberInput,
  personInput,
  suggestPeople,
} from './modal.ts'
import { answeredElsewhere, assignProblems, renderAskSelf, renderOpenForm } from './prompts.ts'
import {
  type AssignState,
  assignState,
  assignTo,
  type ForWhom,
  readAssignState,
  readListed,
  type WantedAssign,
  wantedAssignSchema,
} from './wanted.ts'

/** *Assign to me* on a card. @throws UserError */
export async function assignToMe(room: ActRoom, pressed: ActionRequest, press: CardPress): Promise<void> {
  const wanted = await wantedOn(room, pressed, press)
  if (wanted !== undefined) await assignMe(room, pressed, wanted, pressed.triggerId)
}

/** *Assign to somebody* on a card. @throws UserError */
export async function openAssignForm(room: ActRoom, pressed: ActionRequest, press: CardPress): Promise<void> {
  const wanted = await wantedOn(room, pressed, press)
  if (wanted !== undefined) await openFormFor(room, pressed, press, wanted)
}

async function openFormFor(
  room: ActRoom,
  pressed: ActionRequest,
  press: CardPress,
  wanted: WantedAssign,
): Promise<void> {
  setAbout('act')
  const { cardId, ownerId } = press
  const ask: z.infer<typeof waitingForm> = { form: { cardId, ownerId } }
  const { asker, place, triggerId } = pressed
  const from = { asker, place }
  await withToken(room.account, from, { feature: 'act', ask }, async (token) => {
    await openWhenRead(room, from, triggerId, 'somebody', wanted, token)
  })
}

/** *Assign to somebody* on an answer. */
export async function openAssignFormAgain(room: ActRoom, pressed: ActionRequest): Promise<void> {
  const press = readCardPress(pressed.value)
  if (press === undefined) return
  const wanted = await wantedOn(room, pressed, press)
  if (wanted !== undefined) await openFormFor(room, pressed, press, { ...wanted, isOnCard: false })
}

/** *Say who you are*. */
export async function askSelf(room: ActRoom, pressed: ActionRequest): Promise<void> {
  const wanted = readPrivateMetadata(wantedAssignSchema, pressed.value)
  await assignMe(room, pressed, { ...wanted, isOnCard: false }, pressed.triggerId)
}

async function wantedOn(
  { alert }: ActRoom,
  { asker }: From,
  { cardId, ownerId }: CardPress,
): Promise<WantedAssign | undefined> {
  const card = await alert.cards.find(asker.workspaceId, cardId)
  if (card === undefined) throw new UserError(tooOldWords.card)
  if (!maySee(asker, card)) return undefined
  // Cards of closed alerts have no such button.
  const shown = { ownerId, isClosed: false }
  return { id: randomUUID(), ks: card.ks, message: '', shown, cardId: card.id, isOnCard: true }
}

const waitingForm = z.object({ form: z.object({ cardId: z.string(), ownerId: z.number().int().nullable() }) })
const waitingMe = z.object({ me: wantedAssignSchema })

/** Assigns to whoever asks, once it is known who that is in monitoring. @param triggerId - Opens a form, should one be needed. */
export async function assignMe(
  room: ActRoom,
  { asker, place }: From,
  wanted: WantedAssign,
  triggerId: string | undefined,
): Promise<void> {
  setAbout('act')
  const from = { asker, place }
  const ask: z.infer<typeof waitingMe> = { me: wanted }
  await withToken(room.account, from, { feature: 'act', ask }, async (token) => {
    if (holdsOwnToken(wanted, token)) return refuseToken(room, from)
    const own = await room.names.ownIds.find(asker)
    if (own !== undefined) return actOn(room, from, assignTo(wanted, own.userId))
    const found =
      triggerId === undefined
        ? await findSlowly(room, from, token, wanted)
        : await openWhenRead(room, from, triggerId, 'me', wanted, token)
    if (found.kind === 'known') return actOn(room, from, assignTo(wanted, found.userId))
    if (triggerId === undefined) await room.delivery.privately(place, renderAskSelf(wanted))
  })
}

/** Goes on once an account is connected; false where something else waited. */
export async function goOnAssigning(room: ActRoom, from: From, ask: unknown): Promise<boolean> {
  const me = waitingMe.safeParse(ask)
  if (me.success) {
    await assignMe(room, from, me.data.me, undefined)
    return true
  }
  const form = waitingForm.safeParse(ask)
  if (form.success) await room.delivery.privately(from.place, renderOpenForm(form.data.form))
  return form.success
}

function findSlowly(room: ActRoom, from: From, token: string, wanted: WantedAssign): Promise<Candidates> {
  const reading = findCandidates(room, from.asker, token, wanted, { purpose: 'me' })
  return sayingWhenSlow(room.alert, from, { ks: wanted.ks, answer: 'here' }, reading)
}

/** A trigger lives three seconds, and some of them are gone by then. */
const soonMs = 1_200

/**
 * Opens the form that a read decides about: by itself where that is soon there, else in place of “Loading…”.
 * @returns What was found: whoever is known needs no form.
 * @throws MonitorError what it did not tell in the form.
 */
async function openWhenRead(
  room: ActRoom,
  from: From,
  triggerId: string,
  purpose: ForWhom,
  wanted: WantedAssign,
  token: string,
): Promise<Candidates | { readonly kind: 'told' }> {
  const { openView, updateView } = room.alert.outbound.in(from.asker.workspaceId)
  const reading = findCandidates(room, from.asker, token, wanted, { purpose })
  const soon = await inTime(reading, soonMs)
  if (soon !== undefined) {
    if (isAsking(soon)) await openView(triggerId, await formFor(room, from, purpose, wanted, soon))
    return soon
  }
  const viewId = await openView(triggerId, loadingAssignModal(purpose))
  try {
    const found = await reading
    const view = isAsking(found)
      ? await formFor(room, from, purpose, wanted, found)
      : assignNoteModal(purpose, answeredElsewhere)
    await updateView(viewId, view)
    return found
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    await updateView(viewId, assignNoteModal(purpose, monitorSentence(error.code)))
    if (error.code === 'refused') throw error
    return { kind: 'told' }
  }
}

function isAsking(found: Candidates): found is AssignAsking {
  return found.kind === 'ask-container' || found.kind === 'ask-person' || found.kind === 'ask-number'
}

/** @param from - Where its verdict goes. */
async function formFor(
  room: ActRoom,
  { asker, place }: From,
  purpose: ForWhom,
  wanted: WantedAssign,
  asking: AssignAsking,
) {
  const containerId = asking.kind === 'ask-container' ? undefined : asking.containerId
  const state: AssignState = { purpose, wanted, place, containerId }
  const card = await cardTheySee(room.alert, asker, wanted.cardId)
  const headline = card?.title ?? `Alert ${quote(wanted.ks)}`
  const { message } = wanted
  return assignModal(
    { purpose, state: assignState(state), headline, message, suggests: room.suggests },
    asking,
  )
}

interface AnsweredForm {
  /** Where its verdict goes. */
  readonly from: From
  /** What is done. @param answerForm - Called once that is kept or cannot be. May be called again. */
  readonly act: (answerForm: () => Promise<void>) => Promise<void>
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
  const person = personIn(filled)
  if (person === undefined) return answerContainer(room, submission, state)
  const refuse = async (input: string, sentence: string): Promise<undefined> => {
    await ack({ response_action: 'errors', errors: { [input]: sentence } })
  }
  const { input, userId } = person
  if (userId === undefined) return refuse(input, assignProblems.noNumber)
  if (purpose === 'me') {
    await room.names.ownIds.keep(asker, { userId, isMatched: false })
    return { from, act: (answerForm) => actOn(room, from, { ...assignTo(state.wanted, userId), answerForm }) }
  }
  const hasMessage = filled.inputs.includes(messageInput)
  const message = hasMessage ? filled.text(messageInput) : state.wanted.message
  const problem = await textProblem(room, asker, { kind: 'assign', message })
  if (problem !== undefined) return refuse(messageInput, problem)
  const wanted: WantedAssign = { ...state.wanted, message }
  return { from, act: (answerForm) => actOn(room, from, { ...assignTo(wanted, userId), answerForm }) }
}

/** Looks for the people of the container that was typed, while the form is there. */
async function answerContainer(
  room: ActRoom,
  submission: Submission,
  { purpose, wanted, place }: AssignState,
): Promise<AnsweredForm | undefined> {
  const { asker, filled } = submission
  const from = { asker, place }
  const { input, containerId } = containerIn(filled)
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

/** Who was chosen, or typed by number; undefined in a form that asks for the container. */
function personIn(
  filled: Filled,
): { readonly input: string; readonly userId: number | undefined } | undefined {
  const input = [personInput, numberInput].find((one) => filled.inputs.includes(one))
  if (input === undefined) return undefined
  const text = input === personInput ? (filled.choice(input) ?? '') : filled.text(input)
  return { input, userId: readServiceNumber(text) }
}

/** The container that was typed or chosen. @throws OddInput where that is none. */
function containerIn(filled: Filled): { readonly input: string; readonly containerId: number } {
  const { input, text } = readField(filled, containerInput)
  const containerId = readServiceNumber(text)
  if (containerId === undefined) throw new OddInput(input, assignProblems.noContainerNumber)
  return { input, containerId }
}

/** Users and containers of the service have whole numbers from 1 on. */
function readServiceNumber(text: string): number | undefined {
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
