// Form of *Comment*: on a card, in a message’s menu, or with a text that was not taken.
import { randomUUID } from 'node:crypto'
import { type ActAsk, parseKey } from '../../alert/input.ts'
import type { CardPress } from '../../alert/render/card-buttons.ts'
import { keyInput } from '../../alert/render/look-up-form.ts'
import type { AlertWrite } from '../../send/writes.ts'
import type { ActionRequest, Submission } from '../../slack/guard/requests.ts'
import { actAsked } from '../acting.ts'
import { commentInput, commentModal } from '../render/forms.ts'
import type { ActRoom } from '../room.ts'
import { actOn } from '../sending.ts'
import { type ReadForm, textProblem } from './reading.ts'
import { actState, readActState, subjectOfForm } from './state.ts'

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
  const problem = await textProblem(room, asker, { kind: 'comment', message, isSolution: false })
  const errors: Record<string, string> = problem === undefined ? {} : { [commentInput]: problem }
  const from = { asker, place }
  const subject = await subjectOfForm(room, from, about)
  if (subject !== undefined) {
    const { headline: _, ...which } = subject
    const write: AlertWrite = { kind: 'comment', message, ...which }
    return {
      place,
      errors,
      act: (kept) => actOn(room, from, { id, write, isOnCard: 'cardId' in about, kept }),
    }
  }
  const key = parseKey(filled.text(keyInput), room.alert.settings.alertUrl)
  if (key.kind === 'problem') return { place, errors: { ...errors, [keyInput]: key.problem }, act: nothing }
  const which = 'link' in key ? { link: key.link } : { ks: key.ks }
  const ask: ActAsk = { act: 'comment', which, message, isSolution: false }
  return { place, errors, act: (kept) => actAsked(room, from, { id, ask, kept }) }
}

const nothing = () => Promise.resolve()
