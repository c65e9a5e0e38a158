// Forms of *Comment* and *Close alert*: opened on a card, read when they come back. Each carries ids alone: the rest is
// looked up then, so that one that was open during a restart works.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { cardTheySee } from '../alert/cards.ts'
import { type ActAsk, parseKey } from '../alert/input.ts'
import { type CardPress, readCardPress } from '../alert/render/card-buttons.ts'
import { keyInput } from '../alert/render/look-up-form.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import type { AlertWrite, ShownAlert } from '../send/writes.ts'
import {
  type ActionRequest,
  type From,
  readPrivateMetadata,
  type Submission,
} from '../slack/guard/requests.ts'
import { keptPlace, keptPlaceSchema, type Place, placeFrom } from '../slack/outbound/delivery.ts'
import { quote } from '../slack/text/typed.ts'
import { actForForm, keepForm } from './answer-form.ts'
import { actAsked } from './by-key.ts'
import { toldOrGone } from './record.ts'
import { closeModal, commentInput, commentModal, solutionInput, whatItWasInput } from './render/forms.ts'
import { tooOldWords } from './render/verdict.ts'
import { actOn } from './sending.ts'
import { textProblem } from './text.ts'

/** *Comment* on a card, or in its menu. @throws UserError where the card is forgotten. */
export async function openCommentForm(
  house: House,
  pressed: ActionRequest,
  press = readCardPress(pressed.value),
): Promise<void> {
  const filled = press && (await filledOn(house, pressed, press))
  if (filled === undefined) return
  await house.slack.openView(pressed.triggerId, commentModal({ ...filled, takesLinks: false, message: '' }))
}

/** *Close alert* on a card. @throws UserError where the card is forgotten. */
export async function openCloseForm(house: House, pressed: ActionRequest): Promise<void> {
  const press = readCardPress(pressed.value)
  const filled = press && (await filledOn(house, pressed, press))
  if (filled === undefined) return
  await house.slack.openView(pressed.triggerId, closeModal({ ...filled, message: '', isSolution: false }))
}

/** What either form holds of the card that it is opened on. */
async function filledOn(house: House, from: From, { cardId, ownerId }: CardPress) {
  // Cards of closed alerts have no such button.
  const about = { cardId, shown: { ownerId, isClosed: false } }
  const { headline } = await subjectOfForm(house, from, about)
  return { state: actState(randomUUID(), from.place, about), headline }
}

/** The form of *Comment*, which asks for the key of an alert that it does not know. */
export async function answerCommentForm(house: House, submission: Submission): Promise<void> {
  const { asker, filled } = submission
  const { id, place, about } = readActState(submission)
  const message = filled.text(commentInput)
  if (!('asksKey' in about)) {
    return actOnSubject(house, submission, { id, place, about }, commentInput, (alert) => ({
      kind: 'comment',
      message,
      ...alert,
    }))
  }
  const problem = await textProblem(house, asker, { kind: 'comment', message })
  const key = parseKey(filled.text(keyInput), house.config.alertUrl)
  if (problem !== undefined || key.kind === 'problem') {
    return keepForm(submission, {
      ...(problem !== undefined && { [commentInput]: problem }),
      ...(key.kind === 'problem' && { [keyInput]: key.problem }),
    })
  }
  const which = 'link' in key ? { link: key.link } : { ks: key.ks }
  const ask: ActAsk = { act: 'comment', which, message, isSolution: false }
  await actForForm(submission, place, (from, answerForm) => actAsked(house, from, { id, ask, answerForm }))
}

/** The form of *Close alert*. */
export async function answerCloseForm(house: House, submission: Submission): Promise<void> {
  const { filled } = submission
  const { id, place, about } = readActState(submission)
  // No such form asks for a key.
  if ('asksKey' in about) return submission.ack()
  const message = filled.text(whatItWasInput)
  const isSolution = filled.choices(solutionInput).length > 0
  await actOnSubject(house, submission, { id, place, about }, whatItWasInput, (alert) => ({
    kind: 'close',
    message,
    isSolution,
    ...alert,
  }))
}

/**
 * Does what a form asks for about an alert that it knows.
 * @param input - Where it is said why the form is not taken yet.
 */
async function actOnSubject(
  house: House,
  submission: Submission,
  { id, place, about }: FormState & { readonly about: AboutKnown },
  input: string,
  writeFor: (alert: FormSubject['alert']) => AlertWrite,
): Promise<void> {
  const subject = await subjectOfForm(house, submission, about).catch(sentenceOf)
  if (typeof subject === 'string') return keepForm(submission, { [input]: subject })
  const write = writeFor(subject.alert)
  const problem = await textProblem(house, submission.asker, write)
  if (problem !== undefined) return keepForm(submission, { [input]: problem })
  await actForForm(submission, place, (from, answerForm) =>
    actOn(house, from, { id, write, isOnCard: 'cardId' in about, answerForm }),
  )
}

/** @throws What is no sentence for the asker. */
function sentenceOf(error: unknown): string {
  if (error instanceof UserError) return error.message
  throw error
}

/** Which alert a form is about. */
const aboutKnownSchema = z.union([
  /** `shown`: as the card had it when its button was pressed. */
  z.object({
    cardId: z.string(),
    shown: z.object({ ownerId: z.number().int().nullable(), isClosed: z.boolean() }).optional(),
  }),
  /** What was wanted before, and is edited. */
  z.object({ wishId: z.string() }),
])
type AboutKnown = z.infer<typeof aboutKnownSchema>

/** `asksKey`: about whatever key is typed into the form. */
const aboutSchema = z.union([aboutKnownSchema, z.object({ asksKey: z.literal(true) })])
type About = z.infer<typeof aboutSchema>

/** `id`: of the intent, the same however often the form is sent. */
const stateSchema = z.object({ id: z.string(), place: keptPlaceSchema, about: aboutSchema })

interface FormState {
  readonly id: string
  readonly place: Place
  readonly about: About
}

export function actState(id: string, place: Place, about: About): string {
  return JSON.stringify({ id, place: keptPlace(place), about })
}

/** @throws UserError for what another version has written. */
function readActState({ privateMetadata, asker }: Submission): FormState {
  const { id, place, about } = readPrivateMetadata(stateSchema, privateMetadata)
  return { id, place: placeFrom(place, asker), about }
}

/** That alert, as it was looked up. */
interface FormSubject {
  readonly alert: {
    readonly ks: string
    readonly cardId: string | undefined
    readonly shown: ShownAlert | undefined
    readonly senderId: number | undefined
  }
  /** Raw. */
  readonly headline: string
}

/** @throws UserError where it is forgotten, or not theirs to see. */
export async function subjectOfForm(house: House, from: From, about: AboutKnown): Promise<FormSubject> {
  if ('cardId' in about) {
    const card = await cardTheySee(house, from.asker, about.cardId)
    if (card === undefined) throw new UserError(tooOldWords.card)
    const alert = { ks: card.ks, cardId: card.id, shown: about.shown, senderId: undefined }
    return { alert, headline: card.title }
  }
  const { write } = await toldOrGone(house, from, about.wishId)
  const { ks, cardId, shown, senderId } = write
  const card = await cardTheySee(house, from.asker, cardId)
  return { alert: { ks, cardId, shown, senderId }, headline: card?.title ?? `Alert ${quote(ks)}` }
}
