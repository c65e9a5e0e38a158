// *Edit and try again* on a verdict: opens the form with what was not taken. That sends nothing, so the verdict keeps its
// button; what the form becomes is an intent of its own.
import { randomUUID } from 'node:crypto'
import type { ActionRequest } from '../../slack/guard/requests.ts'
import { toldOrGone } from '../record.ts'
import { closeModal, commentModal } from '../render/forms.ts'
import type { ActRoom } from '../room.ts'
import { shortestToShow } from '../shortest.ts'
import { actState, subjectOfForm } from './state.ts'

/** @throws UserError where it is forgotten. */
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
      return void (await openView(
        triggerId,
        closeModal({
          ...form,
          isSolution: write.isSolution,
          shortest: await shortestToShow(room, asker, write),
        }),
      ))
    case 'assign':
      return
    default:
      return write satisfies never
  }
}
