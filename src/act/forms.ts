// Forms of acts: those of *Comment* and *Close alert* are opened on a card, and read when they come back. One that was open
// during a restart works.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { cardFor } from '../alert/cards.ts'
import { type ActAsk, parseKey } from '../alert/input.ts'
import { type CardPress, pressValue, readCardPress } from '../alert/render/card-buttons.ts'
import { keyInput } from '../alert/render/look-up-form.ts'
import type { House } from '../house.ts'
import {
  type ActionRequest,
  type From,
  readPrivateMetadata,
  type Submission,
} from '../slack/guard/requests.ts'
import { keptPlace, keptPlaceSchema, type Place, placeFrom } from '../slack/outbound/delivery.ts'
import { actAsked, writeFor } from './by-key.ts'
import { formerWrite } from './record.ts'
import { closeModal, commentInput, commentModal, solutionInput, whatItWasInput } from './render/forms.ts'
import { tooOldWords } from './render/verdict.ts'
import { hearsOfLack } from './rights.ts'
import { actForForm, actOn, keepForm } from './sending.ts'
import { textProblem } from './text.ts'

/** What a form is about; without either it asks for the alert's key. All that matters is looked up. */
const aboutSchema = z.object({
  /** The button of the card that it was opened on. */
  press: z.string().optional(),
  /** The request whose text is edited. */
  edits: z.string().optional(),
})

/** `id`: of the intent, the same however often the form is sent. */
const stateSchema = aboutSchema.extend({ id: z.string(), place: keptPlaceSchema })

export function actState(place: Place, about: z.infer<typeof aboutSchema>): string {
  return JSON.stringify({ id: randomUUID(), place: keptPlace(place), ...about })
}

/** *Comment* on a card, or in its menu. @throws UserError where the card is forgotten. */
export function openCommentForm(
  house: House,
  pressed: ActionRequest,
  press = readCardPress(pressed.value),
): Promise<void> {
  return openOnCard(house, pressed, press, 'comment')
}

/** *Close alert* on a card. @throws UserError where the card is forgotten. */
export function openCloseForm(house: House, pressed: ActionRequest): Promise<void> {
  return openOnCard(house, pressed, readCardPress(pressed.value), 'close')
}

async function openOnCard(
  house: House,
  pressed: ActionRequest,
  press: CardPress | undefined,
  kind: ActAsk['act'],
): Promise<void> {
  if (press === undefined) return
  const { asker, place, triggerId } = pressed
  const { ks, id: cardId, title: headline } = await cardFor(house, asker, press.cardId, tooOldWords.card)
  if (await hearsOfLack(house, pressed, { kind, ks, cardId, message: '' })) return
  const form = { state: actState(place, { press: pressValue(press) }), headline, message: '' }
  await house.slack.openView(triggerId, kind === 'close' ? closeModal(form) : commentModal(form))
}

/** The form of *Comment*, which asks for the key of an alert that it does not know. */
export function answerCommentForm(house: House, submission: Submission): Promise<void> {
  const message = submission.filled.text(commentInput)
  return answer(house, submission, commentInput, { act: 'comment', message, isSolution: false })
}

/** The form of *Close alert*. */
export function answerCloseForm(house: House, submission: Submission): Promise<void> {
  const { filled } = submission
  const message = filled.text(whatItWasInput)
  const isSolution = filled.choices(solutionInput).length > 0
  return answer(house, submission, whatItWasInput, { act: 'close', message, isSolution })
}

/** Does what a form asks for. @param input - Where it is said why its text is not sent. */
async function answer(
  house: House,
  submission: Submission,
  input: string,
  said: Omit<ActAsk, 'which'>,
): Promise<void> {
  const { asker, filled, privateMetadata } = submission
  const state = readPrivateMetadata(stateSchema, privateMetadata)
  const alert = await alertOf(house, submission, state)
  const key = alert === undefined ? parseKey(filled.text(keyInput), house.config.alertUrl) : undefined
  const textWrong = await textProblem(house, asker, { kind: said.act, message: said.message })
  const keyWrong = key?.kind === 'problem' ? key.problem : undefined
  if (textWrong !== undefined || keyWrong !== undefined) {
    return keepForm(submission, {
      ...(textWrong !== undefined && { [input]: textWrong }),
      ...(keyWrong !== undefined && { [keyInput]: keyWrong }),
    })
  }
  const { id } = state
  await actForForm(submission, placeFrom(state.place, asker), async (from, answerForm) => {
    if (alert !== undefined) {
      const { ks, cardId, shown } = alert
      const write = { ...writeFor(said, ks), cardId, shown }
      return actOn(house, from, { id, write, isOnCard: state.press !== undefined, answerForm })
    }
    if (key?.kind !== 'look-up') return
    const which = 'link' in key ? { link: key.link } : { ks: key.ks }
    return actAsked(house, from, { id, ask: { ...said, which }, answerForm })
  })
}

/** The alert that a form is about, as its sender saw it. @throws UserError where that is forgotten, or not theirs. */
async function alertOf(house: House, from: From, { press, edits }: z.infer<typeof aboutSchema>) {
  if (edits !== undefined) return formerWrite(house, from, edits)
  if (press === undefined) return undefined
  const { cardId = '', ownerId = null } = readCardPress(press) ?? {}
  const { ks } = await cardFor(house, from.asker, cardId, tooOldWords.card)
  // Cards of closed alerts have no such button.
  return { ks, cardId, shown: { ownerId, isClosed: false } }
}
