// Forms of *Comment* and *Close alert*, opened on a card, and read when they come back: one that was open during a restart
// works. And ways on from a verdict: each looks up what was wanted by its id.
import { cardTheySee } from '../alert/cards.ts'
import { parseKey } from '../alert/input.ts'
import { readCardPress } from '../alert/render/card.ts'
import { keyInput } from '../alert/render/look-up.ts'
import type { House } from '../house.ts'
import type { ActionRequest, Submission } from '../slack/guard/requests.ts'
import { quote } from '../slack/text/typed.ts'
import { act, actForForm, textProblem } from './act.ts'
import { formState, intentFrom, intentOn, type KeyedIntent, readForm } from './intent.ts'
import { formerWrite } from './record.ts'
import { actModal, solutionInput, textInput } from './render/forms.ts'
import { readAnyway } from './render/verdict.ts'
import { hearsOfLack } from './rights.ts'

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
  press: ReturnType<typeof readCardPress>,
  kind: 'comment' | 'close',
): Promise<void> {
  if (press === undefined) return
  const intent = await intentOn(house, pressed, press, { act: kind })
  if (!(await hearsOfLack(house, pressed, intent))) await openActForm(house, pressed, intent)
}

/** Filled in with what is wanted. */
async function openActForm(
  house: House,
  { asker, place, triggerId }: ActionRequest,
  intent: KeyedIntent,
): Promise<void> {
  const card = await cardTheySee(house, asker, intent.cardId)
  const headline = card?.title ?? `Alert ${quote(intent.which.ks)}`
  // What it says is in its field.
  const state = formState(place, { ...intent, message: '' })
  await house.slack.openView(triggerId, actModal({ ...intent, state, headline }))
}

/** Either form. The one of *Comment* asks for the key of an alert that it does not know. */
export async function answerActForm(house: House, submission: Submission): Promise<void> {
  const { asker, filled, ack } = submission
  const { intent, place } = await readForm(house, submission)
  const message = filled.text(textInput)
  const which = intent.which ?? parseKey(filled.text(keyInput), house.config.alertUrl)
  const textWrong = await textProblem(house, asker, intent.act, message)
  const keyWrong = 'problem' in which ? which.problem : undefined
  if (textWrong === undefined && !('problem' in which)) {
    const isSolution = filled.inputs.includes(solutionInput) && filled.choices(solutionInput).length > 0
    return actForForm(house, submission, place, { ...intent, which, message, isSolution })
  }
  const errors = {
    ...(textWrong !== undefined && { [textInput]: textWrong }),
    ...(keyWrong !== undefined && { [keyInput]: keyWrong }),
  }
  await ack({ response_action: 'errors', errors })
}

/** *Comment with this text*: what was written for an alert that is closed by now. @throws UserError */
export async function commentInstead(house: House, pressed: ActionRequest): Promise<void> {
  const intent = intentFrom(await formerWrite(house, pressed, pressed.value))
  // They know that it is closed, and nothing else about it matters to a comment.
  await act(house, pressed, { ...intent, act: 'comment', shown: { ownerId: null, isClosed: true } })
}

/**
 * *Close anyway*, *Take it over* and *Assign anyway*: from whoever the presser was told owns it by now.
 * @throws UserError
 */
export async function actAnyway(house: House, pressed: ActionRequest): Promise<void> {
  const read = readAnyway(pressed.value)
  if (read === undefined) return
  const intent = intentFrom(await formerWrite(house, pressed, read.id))
  await act(house, pressed, { ...intent, shown: { ownerId: read.ownerId, isClosed: false } })
}

/** *Edit and try again*: what was not taken, in its form. @throws UserError where it is forgotten. */
export async function editAct(house: House, pressed: ActionRequest): Promise<void> {
  await openActForm(house, pressed, intentFrom(await formerWrite(house, pressed, pressed.value)))
}
