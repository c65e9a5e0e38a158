// Slack’s side of acting on alerts, where it is more than one operation’s.
import type { CardPress, MenuChoice } from '../alert/render/card-buttons.ts'
import type { House } from '../house.ts'
import { setAbout } from '../log/request.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import { openAssignForm } from './assign/assign.ts'
import { openCommentForm } from './forms.ts'

/** *Assign to somebody* and *Comment* in a card's menu. */
export async function chooseAct(
  house: House,
  pressed: ActionRequest,
  { offer, cardId, ownerId }: Extract<MenuChoice, CardPress>,
): Promise<void> {
  if (!house.config.canAct) return
  setAbout('act')
  await (offer === 'comment' ? openCommentForm : openAssignForm)(house, pressed, { cardId, ownerId })
}
