// Ways on from a verdict: each looks up what was wanted by its id. Each verdict leads to at most one further send. Buttons
// that open a form stay, as each submitted form is an intent of its own.
import { randomUUID } from 'node:crypto'
import { placeOf } from '../alert/card-names.ts'
import { cardTheySee } from '../alert/cards.ts'
import { UserError } from '../errors.ts'
import { nothingTyped, openForm } from '../grant/form/form.ts'
import type { House } from '../house.ts'
import { containerKnown } from '../names/containers.ts'
import { isRefusedFor } from '../send/outcome.ts'
import type { AlertWrite } from '../send/writes.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import { isCertainlyNotShared } from '../slack/outbound/delivery.ts'
import { say } from '../slack/outbound/message.ts'
import { whereOthersSee } from './follow.ts'
import { actState, subjectOfForm } from './forms.ts'
import { findToldAct, toldOrGone } from './record.ts'
import { closeModal, commentModal } from './render/forms.ts'
import { renderAskInThread } from './render/to-others.ts'
import { askWords, readAnyway, readAskInThread } from './render/verdict.ts'
import { actOn } from './sending.ts'

/** *Comment with this text*: what was written for an alert that is closed by now. @throws UserError */
export async function commentInstead(house: House, pressed: ActionRequest): Promise<void> {
  const follows = pressed.value
  const { write } = await toldOrGone(house, pressed, follows)
  const { ks, message, senderId, cardId } = write
  // They know that it is closed, and nothing else about it matters to a comment.
  const shown = { ownerId: null, isClosed: true }
  const comment: AlertWrite = { kind: 'comment', ks, message, shown, senderId, cardId }
  await actOn(house, pressed, { id: randomUUID(), write: comment, follows })
}

/**
 * *Close anyway*, *Take it over* and *Assign anyway*: from whoever the presser was told owns it by now.
 * @throws UserError
 */
export async function actAnyway(house: House, pressed: ActionRequest): Promise<void> {
  const read = readAnyway(pressed.value)
  if (read === undefined) return
  const { write } = await toldOrGone(house, pressed, read.id)
  if (write.kind === 'comment') return
  const shown = { ownerId: read.ownerId, isClosed: false }
  await actOn(house, pressed, { id: randomUUID(), write: { ...write, shown }, follows: read.id })
}

/** *Edit and try again*: what was not taken, in its form. @throws UserError where it is forgotten. */
export async function editAct(house: House, pressed: ActionRequest): Promise<void> {
  const { place, triggerId, value: wishId } = pressed
  const { slack } = house
  const { write } = await toldOrGone(house, pressed, wishId)
  const about = { wishId }
  const { message } = write
  const { headline } = await subjectOfForm(house, pressed, about)
  const form = { state: actState(randomUUID(), place, about), headline, message }
  switch (write.kind) {
    case 'comment':
      return void (await slack.openView(triggerId, commentModal({ ...form, takesLinks: false })))
    case 'close':
      return void (await slack.openView(triggerId, closeModal({ ...form, isSolution: write.isSolution })))
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
export async function askInThread(house: House, { asker, place, value }: ActionRequest): Promise<void> {
  const { slack, storage } = house
  const { once } = storage
  const { id, mayLackApi } = readAskInThread(value)
  const told = await findToldAct(house, asker, id)
  if (told === undefined || !isRefusedFor(told.outcome, ['forbidden'])) return
  const { workspaceId, userId, name } = asker
  const { write } = told
  const card = await cardTheySee(house, asker, write.cardId)
  const parent = card && whereOthersSee(card)
  if (card === undefined || parent === undefined) throw new UserError(askWords.noThread)
  const { channelId } = parent
  // Where nobody knows whether others read along, they may.
  if ((await slack.channels.isShared(channelId)) !== false) throw new UserError(askWords.othersRead)
  const key = `asked-in-thread ${userId} ${card.id}`
  if (!(await once.claim(workspaceId, key))) return slack.privately(place, say(askWords.askedBefore))
  try {
    const message = renderAskInThread(name, write.kind, { cardId: card.id, mayLackApi })
    await slack.post(channelId, message, parent.threadTs ?? parent.ts)
  } catch (error) {
    if (isCertainlyNotShared(error)) await once.release(workspaceId, key)
    throw error
  }
  await slack.privately(place, say(askWords.asked))
}

/**
 * *Grant access*: opens that form for whoever is to become a member of the container, as far as the presser’s own token
 * shows either. @throws UserError where what was wanted is forgotten.
 */
export async function grantMember(house: House, pressed: ActionRequest): Promise<void> {
  const { asker } = pressed
  const { write } = await toldOrGone(house, pressed, pressed.value)
  if (write.kind !== 'assign') return
  const card = await cardTheySee(house, asker, write.cardId)
  const containerId = containerKnown(house, asker, write.ks, card && placeOf(card))
  const seen = house.names.of(asker)?.containers() ?? []
  const email = seen.flatMap(([, { people }]) => people).find(({ id }) => id === write.ownerId)?.email
  await openForm(house, pressed, {
    ...nothingTyped,
    container: containerId === undefined ? '' : String(containerId),
    grantees: email === undefined ? [] : [{ kind: 'email', email }],
    member: true,
  })
}
