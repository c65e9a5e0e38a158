// Forms of *Comment* and *Close alert*: opened on a card, read when they come back. One that was open during a restart works.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Card, cardFor } from '../alert/cards.ts'
import { type ActAsk, parseKey } from '../alert/input.ts'
import { type CardPress, readCardPress } from '../alert/render/card-buttons.ts'
import { keyInput } from '../alert/render/look-up-form.ts'
import type { House } from '../house.ts'
import { type ActionRequest, readPrivateMetadata, type Submission } from '../slack/guard/requests.ts'
import { keptPlace, keptPlaceSchema, type Place, placeFrom } from '../slack/outbound/delivery.ts'
import type { View } from '../slack/outbound/message.ts'
import { actForForm, keepForm } from './answer-form.ts'
import { actAsked, writeFor } from './by-key.ts'
import { closeModal, commentInput, commentModal, solutionInput, whatItWasInput } from './render/forms.ts'
import { tooOldWords } from './render/verdict.ts'
import { actOn } from './sending.ts'
import { textProblem } from './text.ts'

/** `id`: of the intent, the same however often the form is sent. `alert`: missing where the form asks for its key. */
const stateSchema = z.object({
  id: z.string(),
  place: keptPlaceSchema,
  alert: z
    .object({
      ks: z.string(),
      cardId: z.string().optional(),
      /** As its sender saw it when the form was opened. */
      shown: z.object({ ownerId: z.number().int().nullable(), isClosed: z.boolean() }).optional(),
      /** The form was opened on the card itself. */
      isOnCard: z.boolean().optional(),
    })
    .optional(),
})

export function actState(place: Place, alert: z.infer<typeof stateSchema>['alert']): string {
  return JSON.stringify({ id: randomUUID(), place: keptPlace(place), alert })
}

/** *Comment* on a card, or in its menu. @throws UserError where the card is forgotten. */
export function openCommentForm(
  house: House,
  pressed: ActionRequest,
  press = readCardPress(pressed.value),
): Promise<void> {
  return openOnCard(house, pressed, press, commentModal)
}

/** *Close alert* on a card. @throws UserError where the card is forgotten. */
export function openCloseForm(house: House, pressed: ActionRequest): Promise<void> {
  const press = readCardPress(pressed.value)
  return openOnCard(house, pressed, press, (form) => closeModal({ ...form, isSolution: false }))
}

type Form = { readonly state: string; readonly headline: string; readonly message: string }

async function openOnCard(
  house: House,
  { asker, place, triggerId }: ActionRequest,
  press: CardPress | undefined,
  modal: (form: Form) => View,
): Promise<void> {
  const card: Card | undefined = press && (await cardFor(house, asker, press.cardId, tooOldWords.card))
  if (press === undefined || card === undefined) return
  // Cards of closed alerts have no such button.
  const shown = { ownerId: press.ownerId, isClosed: false }
  const state = actState(place, { ks: card.ks, cardId: card.id, shown, isOnCard: true })
  await house.slack.openView(triggerId, modal({ state, headline: card.title, message: '' }))
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
  const { id, place: kept, alert } = readPrivateMetadata(stateSchema, privateMetadata)
  const key = alert === undefined ? parseKey(filled.text(keyInput), house.config.alertUrl) : undefined
  const textWrong = await textProblem(house, asker, { kind: said.act, message: said.message })
  const keyWrong = key?.kind === 'problem' ? key.problem : undefined
  if (textWrong !== undefined || keyWrong !== undefined) {
    return keepForm(submission, {
      ...(textWrong !== undefined && { [input]: textWrong }),
      ...(keyWrong !== undefined && { [keyInput]: keyWrong }),
    })
  }
  await actForForm(submission, placeFrom(kept, asker), async (from, answerForm) => {
    if (alert !== undefined) {
      const { ks, cardId, shown, isOnCard } = alert
      const write = { ...writeFor(said, ks), cardId, shown }
      return actOn(house, from, { id, write, isOnCard, answerForm })
    }
    if (key?.kind !== 'look-up') return
    const which = 'link' in key ? { link: key.link } : { ks: key.ks }
    return actAsked(house, from, { id, ask: { ...said, which }, answerForm })
  })
}
