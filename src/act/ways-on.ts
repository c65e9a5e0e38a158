// Ways on from a verdict: each looks up what was wanted by its id.
import type { House } from '../house.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import { act } from './act.ts'
import { openActForm } from './forms.ts'
import { intentFrom } from './intent.ts'
import { formerWrite } from './record.ts'
import { readAnyway } from './render/verdict.ts'

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
