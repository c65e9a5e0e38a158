// Opens the forms of *Comment*, *Close alert* and assigning on a card, and reads them when they come back, after restarts
// too. Also answers the buttons of a verdict, which carry the request’s id.

import { cardFor } from '../alert/cards.ts'
import { parseKey, tokenInText } from '../alert/input.ts'
import { readPress } from '../alert/render/card.ts'
import { keyInput } from '../alert/render/look-up.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import type { ActionRequest, From, Submission } from '../slack/guard/requests.ts'
import { placeFrom } from '../slack/outbound/delivery.ts'
import { readId } from '../slack/text/typed.ts'
import { act, openActForm } from './act.ts'
import { type Intent, intentFrom, intentOn, type KeyedIntent, readFormState } from './intent.ts'
import { holdsToken, personInput, solutionInput, textInput, textRefusal } from './render/forms.ts'
import { hearsOfLack } from './rights.ts'

/** Opens the form, or acts at once if no form is needed. @throws UserError if the card is forgotten. */
const pressedFor =
  (wanted: Pick<Intent, 'act' | 'to'>) =>
  async (house: House, press: ActionRequest, on = readPress(press.value)): Promise<void> => {
    if (on === undefined) return

    const card = await cardFor(house, press.asker, on.id)
    const intent = intentOn(card, on.ownerId, wanted)

    if (wanted.act === 'assign') return act(house, press, intent)
    if (!(await hearsOfLack(house, press, intent))) await openActForm(house, press, intent)
  }

export const openCommentForm = pressedFor({ act: 'comment' })
export const openCloseForm = pressedFor({ act: 'close' })
export const assignToMe = pressedFor({ act: 'assign', to: 'me' })
export const openAssignForm = pressedFor({ act: 'assign', to: 'somebody' })

/** Answers any of the forms. The form of *Comment* asks for the alert’s key if no card tells it. */
export async function answerActForm(house: House, submission: Submission): Promise<void> {
  const { asker, filled, correct } = submission
  const { intent, place } = readFormState(submission.privateMetadata)
  const has = (input: string) => filled.inputs.includes(input)
  const errors: Record<string, string> = {}

  // The card’s own alert is meant, whatever the form says.
  const card = intent.cardId && (await cardFor(house, asker, intent.cardId))
  const known = card ? { ks: card.ks } : intent.which
  const which = known ?? parseKey(filled.text(keyInput), house.config.alertUrl)
  if ('problem' in which) errors[keyInput] = which.problem

  const message = has(textInput) ? filled.text(textInput) : intent.message
  const isSecret = holdsToken(message, await house.tokens.find(asker))
  const textWrong = isSecret ? tokenInText : textRefusal(intent.act, message)
  if (textWrong !== undefined) errors[textInput] = textWrong

  const userId = readId(filled.choice(personInput) ?? '')
  if ('problem' in which || Object.keys(errors).length > 0) return correct(errors)

  const from = submission.moveTo(placeFrom(place, asker))
  const isSolution = filled.choices(solutionInput).length > 0
  const to = userId === undefined ? undefined : { userId }
  await submission.ackOnceKept(async () => {
    if (intent.to === 'me' && userId !== undefined)
      await house.storage.ownIds.keep(asker, { userId, isMatched: false })
    await act(house, from, {
      ...intent,
      which,
      message,
      isSolution,
      to,
    })
  })
}

/** *Comment with this text*: sends the text, written for an alert that is closed by now, as a comment. */
export async function commentInstead(house: House, pressed: ActionRequest): Promise<void> {
  const intent = await formerIntent(house, pressed, pressed.value)
  // The presser knows that the alert is closed, and the owner doesn’t matter to a comment, so the comment isn’t held back.
  await act(house, pressed, {
    ...intent,
    act: 'comment',
    shown: { ownerId: null, isClosed: true },
  })
}

/** *Close anyway*, *Take it over* and *Assign to … anyway*: acts despite the owner that the presser was told of. */
export async function actAnyway(house: House, pressed: ActionRequest): Promise<void> {
  const read = readPress(pressed.value)
  if (read === undefined) return

  const intent = await formerIntent(house, pressed, read.id)
  const shown = { ownerId: read.ownerId, isClosed: false }
  await act(house, pressed, { ...intent, shown })
}

/** *Edit and try again*: opens the form with the refused text. */
export async function editAct(house: House, pressed: ActionRequest): Promise<void> {
  const intent = await formerIntent(house, pressed, pressed.value)
  await openActForm(house, pressed, intent)
}

/**
 * Finds what the presser wanted, in a request of theirs that is concluded. `id` isn’t trusted: it comes from their client.
 * @throws UserError if there is no such request.
 */
async function formerIntent({ storage }: House, { asker }: From, id: string): Promise<KeyedIntent> {
  const { workspaceId, userId } = asker
  const kept = await storage.requests.find({ workspaceId, id })
  const [only] = kept?.sends ?? []

  if (kept?.sender.userId !== userId || only?.outcome === undefined || !('ks' in only.write))
    throw new UserError(
      'This is too old, so nothing was sent. Use the alert’s card, or type it again.',
    )
  return intentFrom(only.write)
}
