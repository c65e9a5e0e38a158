// Slack's side of acting on a card. Parses, asks, answers; decides nothing.
import { onlyReads } from '../alert/command.ts'
import {
  assignMeAction,
  type CardPress,
  closeAction,
  commentAction,
  type MenuChoice,
  readCardPress,
} from '../alert/render/card-buttons.ts'
import { UserError } from '../errors.ts'
import type { Guard } from '../slack/guard/guard.ts'
import type { Listeners } from '../slack/guard/listeners.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import { assignToMe, openAssignForm } from './assign/assign.ts'
import { openCloseForm } from './forms/close.ts'
import { openCommentForm } from './forms/comment.ts'
import type { ActRoom } from './room.ts'

type Act = (room: ActRoom, pressed: ActionRequest, press: CardPress) => Promise<void>

const buttons: ReadonlyMap<string, Act> = new Map([
  [assignMeAction, assignToMe],
  [commentAction, openCommentForm],
  [closeAction, openCloseForm],
])

export function registerAct(listeners: Listeners, guard: Guard, room: ActRoom): void {
  for (const [action, act] of buttons) {
    listeners.action(
      action,
      guard.action('act', async (pressed) => {
        const press = readCardPress(pressed.value)
        if (press !== undefined) await actOnCard(room, pressed, press, act)
      }),
    )
  }
}

/** *Assign to somebody* and *Comment* in a card's menu. */
export function chooseAct(
  room: ActRoom,
  pressed: ActionRequest,
  choice: Extract<MenuChoice, CardPress>,
): Promise<void> {
  return actOnCard(room, pressed, choice, choice.offer === 'comment' ? openCommentForm : openAssignForm)
}

/** Cards stay in Slack after their operator has Bellhop only read. */
async function actOnCard(
  room: ActRoom,
  pressed: ActionRequest,
  { cardId, ownerId }: CardPress,
  act: Act,
): Promise<void> {
  if (!room.alert.settings.canAct) throw new UserError(onlyReads)
  await act(room, pressed, { cardId, ownerId })
}
