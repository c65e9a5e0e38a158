// Slack's side of commenting and closing: forms, a message’s menu, and the buttons of verdicts. Parses, asks, answers;
// decides nothing.
import { onlyReads } from '../../alert/command.ts'
import { UserError } from '../../errors.ts'
import type { Guard } from '../../slack/guard/guard.ts'
import type { Listeners } from '../../slack/guard/listeners.ts'
import type { ActionRequest, Submission } from '../../slack/guard/requests.ts'
import { closeAnyway, commentInstead } from '../again.ts'
import { askInThread } from '../ask-in-thread.ts'
import { addAsCommentShortcut, closeView, commentView } from '../render/forms.ts'
import {
  askInThreadAction,
  closeAnywayAction,
  commentInsteadAction,
  editActAction,
} from '../render/ways-on.ts'
import type { ActRoom } from '../room.ts'
import { openAddAsComment } from './add-as-comment.ts'
import { readCloseForm } from './close.ts'
import { readCommentForm } from './comment.ts'
import { editAct } from './edit.ts'
import { answering, type ReadForm } from './reading.ts'

type Reader = (room: ActRoom, submission: Submission) => Promise<ReadForm>
const forms: ReadonlyMap<string, Reader> = new Map([
  [commentView, readCommentForm],
  [closeView, readCloseForm],
])

type Press = (room: ActRoom, pressed: ActionRequest, value: string) => Promise<void>
const buttons: ReadonlyMap<string, Press> = new Map([
  [editActAction, editAct],
  [commentInsteadAction, commentInstead],
  [closeAnywayAction, closeAnyway],
  [askInThreadAction, askInThread],
])

export function registerActForms(listeners: Listeners, guard: Guard, room: ActRoom): void {
  for (const [view, read] of forms) {
    listeners.view(
      view,
      guard.submission('act', async (submission) => {
        const { place, errors, act } = await read(room, submission)
        if (Object.keys(errors).length > 0) {
          return submission.ack({ response_action: 'errors', errors: { ...errors } })
        }
        const kept = answering(submission)
        await guard.at('act', place, () => act(kept))
        await kept()
      }),
    )
  }
  for (const [action, press] of buttons) {
    listeners.action(
      action,
      guard.action('act', (pressed) => press(room, pressed, pressed.value)),
    )
  }
  listeners.shortcut(
    addAsCommentShortcut,
    guard.messageShortcut('act', (request) => {
      // An app keeps its menus when its operator has Bellhop only read.
      if (!room.alert.settings.canAct) throw new UserError(onlyReads)
      return openAddAsComment(room, request)
    }),
  )
}
