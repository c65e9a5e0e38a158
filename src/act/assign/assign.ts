// *Assign to me* and *Assign to somebody*: goes on at once where it is known to whom, else with the answer of a form. What
// is read for that is read with the presser's own token, and shown to them alone.
import { randomUUID } from 'node:crypto'
import { withToken } from '../../account/connect-first.ts'
import { cardFor, cardTheySee } from '../../alert/cards.ts'
import { sayingWhenSlow } from '../../alert/read.ts'
import { type CardPress, readCardPress } from '../../alert/render/card-buttons.ts'
import { MonitorError } from '../../errors.ts'
import { readContainerField } from '../../grant/form/container.ts'
import { readContainer } from '../../grant/line/line.ts'
import type { House } from '../../house.ts'
import { monitorSentence } from '../../monitor/words.ts'
import { ownIdOf } from '../../names/own-id.ts'
import { peopleOf } from '../../names/people.ts'
import { answerForm, type FormOutcome } from '../../slack/guard/answer-form.ts'
import {
  type ActionRequest,
  type From,
  readPrivateMetadata,
  type Submission,
  type Suggestion,
  type Typing,
} from '../../slack/guard/requests.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { placeFrom } from '../../slack/outbound/delivery.ts'
import type { View } from '../../slack/outbound/message.ts'
import { quote } from '../../slack/text/typed.ts'
import { inTime } from '../../work/under-way.ts'
import { tooOldWords } from '../render/verdict.ts'
import { hearsOfLack } from '../rights.ts'
import { actForForm, actOn, keepForm } from '../sending.ts'
import { textProblem } from '../text.ts'
import { waitsFor } from '../waiting.ts'
import { type Candidates, findCandidates } from './candidates.ts'
import { assignModal, assignNoteModal, messageInput, personInput, suggestPeople } from './modal.ts'
import { answeredElsewhere, assignProblems, notListed, renderAskSelf } from './prompts.ts'
import {
  type AssignState,
  assignState,
  assignTo,
  type ForWhom,
  readAssignState,
  type WantedAssign,
  wantedAssignSchema,
} from './wanted.ts'

/** *Assign to me* on a card. @throws UserError */
export async function assignToMe(house: House, pressed: ActionRequest): Promise<void> {
  const press = readCardPress(pressed.value)
  if (press === undefined) return
  await assignMe(house, pressed, await wantedOn(house, pressed, press), pressed.triggerId)
}

/** *Assign to somebody*, in the menu of a card. @throws UserError */
export async function openAssignForm(house: House, pressed: ActionRequest, press: CardPress): Promise<void> {
  const wanted = await wantedOn(house, pressed, press)
  await withToken(house, pressed, waitsFor({ kind: 'form' }), async (token) => {
    if (await hearsOfLack(house, pressed, { kind: 'assign', ...wanted })) return
    await openWhenRead(house, pressed, pressed.triggerId, 'somebody', wanted, token)
  })
}

/** *Say who you are*. */
export async function askSelf(house: House, pressed: ActionRequest): Promise<void> {
  const carried = readPrivateMetadata(wantedAssignSchema, pressed.value)
  const wanted = await lookedUp(house, pressed.asker, carried)
  await assignMe(house, pressed, { ...wanted, isOnCard: false }, pressed.triggerId)
}

/** With the alert of its card, whatever a button or a form says. @throws UserError where that card is not theirs to see. */
async function lookedUp(house: House, asker: SlackUser, wanted: WantedAssign): Promise<WantedAssign> {
  if (wanted.cardId === undefined) return wanted
  const { ks } = await cardFor(house, asker, wanted.cardId, tooOldWords.card)
  return { ...wanted, ks }
}

/** @throws UserError where the card is forgotten, or not theirs to see. */
async function wantedOn(
  house: House,
  { asker }: From,
  { cardId, ownerId }: CardPress,
): Promise<WantedAssign> {
  const { ks } = await cardFor(house, asker, cardId, tooOldWords.card)
  // Cards of closed alerts have no such button.
  const shown = { ownerId, isClosed: false }
  return { id: randomUUID(), ks, message: '', shown, cardId, isOnCard: true }
}

/** Assigns to whoever asks, once it is known who that is in monitoring. @param triggerId - Opens a form, should one be needed. */
export async function assignMe(
  house: House,
  from: From,
  wanted: WantedAssign,
  triggerId: string | undefined,
): Promise<void> {
  await withToken(house, from, waitsFor({ kind: 'me', wanted }), async (token) => {
    const own = await ownIdOf(house, from.asker)
    if (own !== undefined) return actOn(house, from, assignTo(wanted, own))
    if (await hearsOfLack(house, from, { kind: 'assign', ...wanted })) return
    const found =
      triggerId === undefined
        ? await findSlowly(house, from, token, wanted)
        : await openWhenRead(house, from, triggerId, 'me', wanted, token)
    if (found?.kind === 'known') return actOn(house, from, assignTo(wanted, found.userId))
    if (triggerId === undefined) await house.slack.privately(from.place, renderAskSelf(wanted))
  })
}

function findSlowly(house: House, from: From, token: string, wanted: WantedAssign): Promise<Candidates> {
  const reading = findCandidates(house, from.asker, token, wanted, { purpose: 'me' })
  return sayingWhenSlow(house, from, wanted.ks, reading)
}

/** A trigger lives three seconds, and some of them are gone by then. */
const soonMs = 1_200

/**
 * Opens the form that a read decides about: by itself where that is soon there, else in place of “Loading…”.
 * @returns What was found: whoever is known needs no form. Undefined where the form tells why nothing was.
 */
async function openWhenRead(
  house: House,
  from: From,
  triggerId: string,
  purpose: ForWhom,
  wanted: WantedAssign,
  token: string,
): Promise<Candidates | undefined> {
  const { slack } = house
  const reading = findCandidates(house, from.asker, token, wanted, { purpose })
  const soon = await inTime(reading, soonMs)
  if (soon !== undefined) {
    if (soon.kind !== 'known')
      await slack.openView(triggerId, await formFor(house, from, purpose, wanted, soon))
    return soon
  }
  const viewId = await slack.openView(triggerId, assignNoteModal(purpose, 'Loading…'))
  try {
    const found = await reading
    const view =
      found.kind === 'known'
        ? assignNoteModal(purpose, answeredElsewhere)
        : await formFor(house, from, purpose, wanted, found)
    await slack.updateView(viewId, view)
    return found
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    await slack.updateView(viewId, assignNoteModal(purpose, monitorSentence(error.code)))
    if (error.code === 'refused') throw error
    return undefined
  }
}

/** @param from - Where its verdict goes. */
async function formFor(
  house: House,
  { asker, place }: From,
  purpose: ForWhom,
  wanted: WantedAssign,
  asking: Exclude<Candidates, { readonly kind: 'known' }>,
): Promise<View> {
  if (asking.kind === 'unlisted')
    return assignNoteModal(purpose, notListed(purpose, wanted.ks, asking.containerId))
  const containerId = asking.kind === 'ask-container' ? undefined : asking.containerId
  const state = assignState(purpose, wanted, place, containerId)
  const card = await cardTheySee(house, asker, wanted.cardId)
  const headline = card?.title ?? `Alert ${quote(wanted.ks)}`
  return assignModal({ purpose, state, headline, message: wanted.message }, asking)
}

/** Either form of assigning. */
export async function answerAssignForm(house: House, submission: Submission): Promise<void> {
  const { asker, filled, privateMetadata } = submission
  const state = readAssignState(privateMetadata)
  const { purpose } = state
  const wanted = await lookedUp(house, asker, state.wanted)
  if (!filled.inputs.includes(personInput)) return answerContainer(house, submission, { ...state, wanted })
  const userId = readContainer(filled.choice(personInput) ?? '')
  if (userId === undefined) return keepForm(submission, { [personInput]: assignProblems.nobody })
  const message = filled.inputs.includes(messageInput) ? filled.text(messageInput) : wanted.message
  const problem = await textProblem(house, asker, { kind: 'assign', message })
  if (problem !== undefined) return keepForm(submission, { [messageInput]: problem })
  if (purpose === 'me') await house.storage.ownIds.keep(asker, { userId, isMatched: false })
  await actForForm(submission, placeFrom(state.place, asker), (from, answerForm) =>
    actOn(house, from, { ...assignTo({ ...wanted, message }, userId), answerForm }),
  )
}

/** Looks for the people of the container that was typed or chosen, while the form is there. */
async function answerContainer(
  house: House,
  submission: Submission,
  { purpose, wanted, place: kept }: AssignState,
): Promise<void> {
  const { asker, filled } = submission
  const place = placeFrom(kept, asker)
  const { input, containerId } = readContainerField(filled)
  if (containerId === undefined) return keepForm(submission, { [input]: assignProblems.noContainerNumber })
  const token = await house.tokens.find(asker)
  if (token === undefined) return keepForm(submission, { [input]: assignProblems.connectFirst })
  type Outcome = FormOutcome & { readonly act?: (from: From) => Promise<void> }
  const work = async (): Promise<Outcome> => {
    const found = await findCandidates(house, asker, token, wanted, { purpose, typedId: containerId }).catch(
      askAgain,
    )
    if (found.kind === 'known') {
      const view = assignNoteModal(purpose, answeredElsewhere)
      return { view, atOnce: 'close', act: (from) => actOn(house, from, assignTo(wanted, found.userId)) }
    }
    const view = await formFor(house, { asker, place }, purpose, wanted, found)
    const problem = found.kind === 'ask-container' ? found.problem : undefined
    return problem === undefined ? { view } : { view, atOnce: { [input]: problem } }
  }
  const { act } = await answerForm(house, submission, assignNoteModal(purpose, 'Loading…'), work)
  await act?.(submission.moveTo(place))
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
  const { containerId, purpose } = readAssignState(privateMetadata)
  const token = await house.tokens.find(asker)
  if (containerId === undefined || token === undefined) return []
  try {
    const listed = await peopleOf(house, asker, token, containerId)
    const people = listed.kind === 'listed' ? listed.people : []
    return suggestPeople(
      typed,
      people.filter(({ member }) => member || purpose !== 'somebody'),
    )
  } catch (error) {
    if (error instanceof MonitorError) return []
    throw error
  }
}
