// Assigning an alert from its card.
import type { CardPress } from '../alert/render/card-buttons.ts'
import { UserError } from '../errors.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import type { ActRoom } from './room.ts'

/** *Assign to me* on a card. */
export async function assignToMe(_room: ActRoom, _pressed: ActionRequest, _press: CardPress): Promise<void> {
  throw new UserError('Assign it in monitoring.')
}
