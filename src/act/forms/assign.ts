// Form of *Assign to somebody*.
import type { CardPress } from '../../alert/render/card-buttons.ts'
import { UserError } from '../../errors.ts'
import type { ActionRequest } from '../../slack/guard/requests.ts'
import type { ActRoom } from '../room.ts'

export async function openAssignForm(
  _room: ActRoom,
  _pressed: ActionRequest,
  _press: CardPress,
): Promise<void> {
  throw new UserError('Assign it in monitoring.')
}
