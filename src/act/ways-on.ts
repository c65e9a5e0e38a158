// Ways on from a verdict: each looks up what was wanted by its id. Each verdict leads to at most one further send. Buttons
// that open a form stay, as each submitted form is an intent of its own.
import { randomUUID } from 'node:crypto'
import { placeOf } from '../alert/card-names.ts'
import { cardTheySee } from '../alert/cards.ts'
import { UserError } from '../errors.ts'
import { containerKnown } from '../names/containers.ts'
import { isRefusedFor } from '../send/outcome.ts'
import type { AlertWrite } from '../send/writes.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import { isCertainlyNotShared } from '../slack/outbound/delivery.ts'
import { say } from '../slack/outbound/message.ts'
import { whereOthersSee } from './follow.ts'
import { actState, subjectOfForm } from './forms.ts'
import { findToldAct, toldOrGone } from './record.ts'
import { closeModal, commentModal } from './render/forms.ts'
import { renderAskInThread } from './render/to-others.ts'
import { askWords, readAnyway, readAskInThread } from './render/verdict.ts'
import type { ActRoom } from './room.ts'
import { actOn } from './sending.ts'

/** *Comment with this text*: what was written for an alert that is closed by now. @throws UserError */
export async function commentInstead(room: ActRoom, from: From, id: string): Promise<void> {
  const { write } = await toldOrGone(room, from, id)
  const { ks, message, senderId, cardId } = write
  // They know that it is closed, and nothing else about it matters to a comment.
  const shown = { ownerId: null, isClosed: true }
  const comment: AlertWrite = { kind: 'comment', ks, message, shown, senderId, cardId }
  await actOn(room, from, { id: randomUUID(), write: comment, follows: id })
}

/**
 * *Close anyway*, *Take it over* and *Assign anyway*: from whoever the presser was told owns it by now.
 * @throws UserError
 */
export async function actAnyway(room: ActRoom, from: From, value: string): Promise<void> {
  const read = readAnyway(value)
  if (read === undefined) return
  const { write } = await toldOrGone(room, from, read.id)
  if (write.kind === 'comment') return
  const shown = { ownerId: read.ownerId, isClosed: false }
  await actOn(room, from, { id: randomUUID(), write: { ...write, shown }, follows: read.id })
}

/** *Edit and try again*: what was not taken, in its form. @throws UserError where it is forgotten. */
export async function editAct(room: ActRoom, pressed: ActionRequest, wishId: string): Promise<void> {
  const { asker, place, triggerId } = pressed
  const { write } = await toldOrGone(room, pressed, wishId)
  const about = { wishId }
  const { message } = write
  const headline = (await subjectOfForm(room, pressed, about))?.headline
  const form = { state: actState(randomUUID(), place, about), headline, message }
  const { openView } = room.alert.outbound.in(asker.workspaceId)
  switch (write.kind) {
    case 'comment':
      return void (await openView(triggerId, commentModal({ ...form, takesLinks: false })))
    case 'close':
      return void (await openView(triggerId, closeModal({ ...form, isSolution: write.isSolution })))
    case 'assign':
      return
    default:
      return write satisfies never
  }
}

/**
 * *Ask in thread*: for the flag that somebody’s token lacks, because they pressed for it; once for each person and card. It
 * tells others their name, what they wanted to do, and the flag: nothing that anybody’s token has read.
 * @throws UserError where nobody may be asked there.
 */
export async function askInThread(room: ActRoom, { asker, place }: From, value: string): Promise<void> {
  const { alert, delivery, sharedChannels } = room
  const { id, mayLackApi } = readAskInThread(value)
  const told = await findToldAct(room, asker, id)
  if (told === undefined || !isRefusedFor(told.outcome, ['forbidden'])) return
  const { workspaceId, userId, name } = asker
  const { write } = told
  const card = await cardTheySee(alert, asker, write.cardId)
  const parent = card && whereOthersSee(card)
  if (card === undefined || parent === undefined) throw new UserError(askWords.noThread)
  const { channelId } = parent
  // Where nobody knows whether others read along, they may.
  if ((await sharedChannels.in(workspaceId).isShared(channelId)) !== false)
    throw new UserError(askWords.othersRead)
  const key = `asked-in-thread ${userId} ${card.id}`
  if (!(await alert.once.claim(workspaceId, key))) return delivery.privately(place, say(askWords.askedBefore))
  try {
    const message = renderAskInThread(name, write.kind, { cardId: card.id, mayLackApi })
    await alert.outbound.in(workspaceId).post(channelId, message, parent.threadTs ?? parent.ts)
  } catch (error) {
    if (isCertainlyNotShared(error)) await alert.once.release(workspaceId, key)
    throw error
  }
  await delivery.privately(place, say(askWords.asked))
}

/** Who is to become a member of what, as far as the presser's own token shows it. */
export interface MemberToGrant {
  readonly containerId: number | undefined
  readonly email: string | undefined
}

/** *Grant access*: what that form begins with. Asks nobody. @param id - Of the wish. @throws UserError where it is forgotten. */
export async function memberToGrant(room: ActRoom, from: From, id: string): Promise<MemberToGrant> {
  const { write } = await toldOrGone(room, from, id)
  if (write.kind !== 'assign') return { containerId: undefined, email: undefined }
  const card = await cardTheySee(room.alert, from.asker, write.cardId)
  const seen = room.names.memory.of(from.asker)
  const who = seen
    ?.containers()
    .flatMap(([, { people }]) => people)
    .find((one) => one.id === write.ownerId)
  return {
    containerId: containerKnown(room.names, from.asker, write.ks, card && placeOf(card)),
    email: who?.email,
  }
}
