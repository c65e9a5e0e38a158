// Forms of *Comment* and *Close alert*: opened on a card, read when they come back. Each carries ids alone: the rest is
// looked up then, so that one that was open during a restart works.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { cardTheySee } from '../alert/cards.ts'
import { type ActAsk, parseKey } from '../alert/input.ts'
import type { CardPress } from '../alert/render/card-buttons.ts'
import { keyInput } from '../alert/render/look-up-form.ts'
import { UserError } from '../errors.ts'
import type { AlertWrite, ShownAlert } from '../send/writes.ts'
import {
  type ActionRequest,
  type From,
  OddInput,
  readPrivateMetadata,
  type Submission,
} from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { keptPlace, keptPlaceSchema, type Place, placeFrom } from '../slack/outbound/delivery.ts'
import { quote } from '../slack/text/typed.ts'
import { actAsked } from './by-key.ts'
import { toldOrGone } from './record.ts'
import { closeModal, commentInput, commentModal, solutionInput, whatItWasInput } from './render/forms.ts'
import { tooOldWords } from './render/verdict.ts'
import type { ActRoom } from './room.ts'
import { actOn } from './sending.ts'
import { textProblem } from './text.ts'

/** *Comment* on a card. @throws UserError where the card is forgotten. */
export async function openCommentForm(
  room: ActRoom,
  { asker, place, triggerId }: ActionRequest,
  { cardId, ownerId }: CardPress,
): Promise<void> {
  // Cards of closed alerts have no such button.
  const about = { cardId, shown: { ownerId, isClosed: false } }
  const subject = await subjectOfForm(room, { asker, place }, about)
  const form = commentModal({
    state: actState(randomUUID(), place, about),
    headline: subject?.headline,
    takesLinks: false,
    message: '',
  })
  await room.alert.outbound.in(asker.workspaceId).openView(triggerId, form)
}

/** What the form asks for, or why it does not take it yet. */
export async function readCommentForm(
  room: ActRoom,
  { asker, filled, privateMetadata }: Submission,
): Promise<ReadForm> {
  const { id, place, about } = readActState(privateMetadata, asker)
  const message = filled.text(commentInput)
  const problem = await textProblem(room, asker, { kind: 'comment', message })
  const errors: Record<string, string> = problem === undefined ? {} : { [commentInput]: problem }
  const from = { asker, place }
  const subject = await subjectOrStay(room, from, about, commentInput)
  if (subject !== undefined) {
    const { headline: _, ...which } = subject
    const write: AlertWrite = { kind: 'comment', message, ...which }
    return {
      place,
      errors,
      act: (answerForm) => actOn(room, from, { id, write, isOnCard: 'cardId' in about, answerForm }),
    }
  }
  const key = parseKey(filled.text(keyInput), room.alert.settings.alertUrl)
  if (key.kind === 'problem') return { place, errors: { ...errors, [keyInput]: key.problem }, act: nothing }
  const which = 'link' in key ? { link: key.link } : { ks: key.ks }
  const ask: ActAsk = { act: 'comment', which, message, isSolution: false }
  return { place, errors, act: (answerForm) => actAsked(room, from, { id, ask, answerForm }) }
}

const nothing = () => Promise.resolve()

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
  const subject = await subjectOrStay(room, from, about, whatItWasInput)
  const problem = await textProblem(room, asker, { kind: 'close', message })
  const errors: Record<string, string> = problem === undefined ? {} : { [whatItWasInput]: problem }
  if (subject === undefined) return { place, errors, act: nothing }
  const { headline: _, ...which } = subject
  const write: AlertWrite = { kind: 'close', message, isSolution, ...which }
  return {
    place,
    errors,
    act: (answerForm) => actOn(room, from, { id, write, isOnCard: 'cardId' in about, answerForm }),
  }
}

/** A form that was read. */
export interface ReadForm {
  /** Where its verdict goes. */
  readonly place: Place
  /** Sentences by the id of their input, raw; empty where it is taken. */
  readonly errors: Readonly<Record<string, string>>
  /** Does what it asks for. @param answerForm - Called once that is kept or cannot be. May be called again. */
  readonly act: (answerForm: () => Promise<void>) => Promise<void>
}

/** Which alert a form is about. */
const aboutSchema = z.union([
  /** `shown`: as the card had it when its button was pressed. */
  z.object({
    cardId: z.string(),
    shown: z.object({ ownerId: z.number().int().nullable(), isClosed: z.boolean() }).optional(),
  }),
  /** What was wanted before, and is edited. */
  z.object({ wishId: z.string() }),
  /** Whatever key is typed into the form. */
  z.object({ asksKey: z.literal(true) }),
])
type About = z.infer<typeof aboutSchema>

/** `id`: of the intent, the same however often the form is sent. */
const stateSchema = z.object({ id: z.string(), place: keptPlaceSchema, about: aboutSchema })

export function actState(id: string, place: Place, about: About): string {
  return JSON.stringify({ id, place: keptPlace(place), about })
}

/** @throws UserError for what another version has written. */
function readActState(
  privateMetadata: string,
  owner: SlackUser,
): { readonly id: string; readonly place: Place; readonly about: About } {
  const { id, place, about } = readPrivateMetadata(stateSchema, privateMetadata)
  return { id, place: placeFrom(place, owner), about }
}

/** That alert, as it was looked up. */
interface FormSubject {
  readonly ks: string
  readonly cardId: string | undefined
  readonly shown: ShownAlert | undefined
  readonly senderId: number | undefined
  /** Raw. */
  readonly headline: string
}

/** As `subjectOfForm`, for a form that was submitted: it stays, with its text. @throws OddInput */
async function subjectOrStay(
  room: ActRoom,
  from: From,
  about: About,
  input: string,
): Promise<FormSubject | undefined> {
  try {
    return await subjectOfForm(room, from, about)
  } catch (error) {
    throw error instanceof UserError ? new OddInput(input, error.message) : error
  }
}

/** Undefined where the form asks for the key. @throws UserError where it is forgotten, or not theirs to see. */
export async function subjectOfForm(
  room: ActRoom,
  from: From,
  about: About,
): Promise<FormSubject | undefined> {
  if ('asksKey' in about) return undefined
  if ('cardId' in about) {
    const card = await cardTheySee(room.alert, from.asker, about.cardId)
    if (card === undefined) throw new UserError(tooOldWords.card)
    return { ks: card.ks, cardId: card.id, shown: about.shown, senderId: undefined, headline: card.title }
  }
  const { write } = await toldOrGone(room, from, about.wishId)
  const { ks, cardId, shown, senderId } = write
  const card = await cardTheySee(room.alert, from.asker, cardId)
  return { ks, cardId, shown, senderId, headline: card?.title ?? `Alert ${quote(ks)}` }
}
