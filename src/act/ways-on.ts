// Ways on from a verdict: each looks up what was wanted by its id.
import { randomUUID } from 'node:crypto'
import { cardTheySee } from '../alert/cards.ts'
import type { House } from '../house.ts'
import type { AlertWrite } from '../send/writes.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import { quote } from '../slack/text/typed.ts'
import { actState } from './forms.ts'
import { formerWrite } from './record.ts'
import { closeModal, commentModal } from './render/forms.ts'
import { readAnyway } from './render/verdict.ts'
import { actOn } from './sending.ts'

/** *Comment with this text*: what was written for an alert that is closed by now. @throws UserError */
export async function commentInstead(house: House, pressed: ActionRequest): Promise<void> {
  const write = await formerWrite(house, pressed, pressed.value)
  const { ks, message, senderId, cardId } = write
  // They know that it is closed, and nothing else about it matters to a comment.
  const shown = { ownerId: null, isClosed: true }
  const comment: AlertWrite = { kind: 'comment', ks, message, shown, senderId, cardId }
  await actOn(house, pressed, { id: randomUUID(), write: comment })
}

/**
 * *Close anyway*, *Take it over* and *Assign anyway*: from whoever the presser was told owns it by now.
 * @throws UserError
 */
export async function actAnyway(house: House, pressed: ActionRequest): Promise<void> {
  const read = readAnyway(pressed.value)
  if (read === undefined) return
  const write = await formerWrite(house, pressed, read.id)
  if (write.kind === 'comment') return
  const shown = { ownerId: read.ownerId, isClosed: false }
  await actOn(house, pressed, { id: randomUUID(), write: { ...write, shown } })
}

/** *Edit and try again*: what was not taken, in its form. @throws UserError where it is forgotten. */
export async function editAct(house: House, pressed: ActionRequest): Promise<void> {
  const { asker, place, triggerId, value } = pressed
  const write = await formerWrite(house, pressed, value)
  if (write.kind === 'assign') return
  const { ks, message, cardId } = write
  const card = await cardTheySee(house, asker, cardId)
  const state = actState(place, { edits: value })
  const form = { state, headline: card?.title ?? `Alert ${quote(ks)}`, message }
  const view =
    write.kind === 'comment' ? commentModal(form) : closeModal({ ...form, isSolution: write.isSolution })
  await house.slack.openView(triggerId, view)
}
