// Form of *Close*: says how to do it by line, until the form is there.
import type { CardPress } from '../../alert/render/card-buttons.ts'
import { UserError } from '../../errors.ts'
import type { ActionRequest } from '../../slack/guard/requests.ts'
import type { ActRoom } from '../room.ts'

export async function openCloseForm(
  _room: ActRoom,
  _pressed: ActionRequest,
  _press: CardPress,
): Promise<void> {
  throw new UserError('Type /alert close with the alert’s key.')
}
