// Slack's side of acting on alerts: buttons of cards and of answers, forms, suggestions, a message’s menu. Parses, asks,
// answers; decides nothing.
import {
  assignMeAction,
  type CardPress,
  closeAction,
  commentAction,
  type MenuChoice,
  readCardPress,
} from '../alert/render/card-buttons.ts'
import type { Guard } from '../slack/guard/guard.ts'
import type { Listeners } from '../slack/guard/listeners.ts'
import type { ActionRequest, Submission, Suggestion, Typing } from '../slack/guard/requests.ts'
import { openAddAsComment } from './add-as-comment.ts'
import {
  answerAssignForm,
  askSelf,
  assignToMe,
  openAssignForm,
  openAssignFormAgain,
  suggestAssignees,
} from './assign/assign.ts'
import { assignViews, suggestContainerAction, suggestPersonAction } from './assign/modal.ts'
import { askSelfAction, openAssignFormAction } from './assign/prompts.ts'
import { openCloseForm, openCommentForm, type ReadForm, readCloseForm, readCommentForm } from './forms.ts'
import { addAsCommentShortcut, closeView, commentView } from './render/forms.ts'
import {
  askInThreadAction,
  closeAnywayAction,
  commentInsteadAction,
  editActAction,
  grantMemberAction,
  takeOverAction,
} from './render/verdict.ts'
import type { ActRoom } from './room.ts'
import {
  actAnyway,
  askInThread,
  commentInstead,
  editAct,
  type MemberToGrant,
  memberToGrant,
} from './ways-on.ts'

type Act = (room: ActRoom, pressed: ActionRequest, press: CardPress) => Promise<void>
const onCards: ReadonlyMap<string, Act> = new Map([
  [assignMeAction, assignToMe],
  [commentAction, openCommentForm],
  [closeAction, openCloseForm],
])

type Press = (room: ActRoom, pressed: ActionRequest) => Promise<void>
const onAnswers: ReadonlyMap<string, Press> = new Map<string, Press>([
  [editActAction, (room, pressed) => editAct(room, pressed, pressed.value)],
  [commentInsteadAction, (room, pressed) => commentInstead(room, pressed, pressed.value)],
  [closeAnywayAction, (room, pressed) => actAnyway(room, pressed, pressed.value)],
  [askInThreadAction, (room, pressed) => askInThread(room, pressed, pressed.value)],
  [takeOverAction, (room, pressed) => actAnyway(room, pressed, pressed.value)],
  [askSelfAction, askSelf],
  [openAssignFormAction, openAssignFormAgain],
])

type Reader = (room: ActRoom, submission: Submission) => Promise<ReadForm>
const forms: ReadonlyMap<string, Reader> = new Map([
  [commentView, readCommentForm],
  [closeView, readCloseForm],
])

/** Where Bellhop only reads, nothing is registered: only a card that is older than that setting has such buttons. */
export function registerAct(
  listeners: Listeners,
  guard: Guard,
  room: ActRoom,
  others: {
    /** Containers that somebody may mean. */
    readonly suggestContainers: (typing: Typing) => Promise<readonly Suggestion[]>
    /** *Grant access* for whoever is to become a member. */
    readonly grantMember: (pressed: ActionRequest, member: MemberToGrant) => Promise<void>
  },
): void {
  if (!room.alert.settings.canAct) return
  for (const [action, act] of onCards) {
    listeners.action(
      action,
      guard.action('act', async (pressed) => {
        const press = readCardPress(pressed.value)
        if (press !== undefined) await act(room, pressed, press)
      }),
    )
  }
  for (const [action, press] of onAnswers) {
    listeners.action(
      action,
      guard.action('act', (pressed) => press(room, pressed)),
    )
  }
  listeners.action(
    grantMemberAction,
    guard.action('grant', async (pressed) =>
      others.grantMember(pressed, await memberToGrant(room, pressed, pressed.value)),
    ),
  )
  for (const [view, read] of forms) {
    listeners.view(
      view,
      guard.submission('act', async (submission) => {
        const { place, errors, act } = await read(room, submission)
        if (Object.keys(errors).length > 0) {
          return submission.ack({ response_action: 'errors', errors: { ...errors } })
        }
        const answerForm = answering(submission)
        // A failure is told after the ack: Slack may take its time for that.
        await guard.tellingFailures('act', place, () => act(answerForm).finally(answerForm))
      }),
    )
  }
  for (const purpose of ['me', 'somebody'] as const) {
    listeners.view(
      assignViews[purpose],
      guard.submission('act', async (submission) => {
        const answered = await answerAssignForm(room, submission)
        if (answered === undefined) return
        const { from, act, isAnswered } = answered
        const answerForm = isAnswered ? async () => {} : answering(submission)
        await guard.tellingFailures('act', from.place, () => act(answerForm).finally(answerForm))
      }),
    )
  }
  listeners.options(
    suggestPersonAction,
    guard.options('act', (typing) => suggestAssignees(room, typing)),
  )
  listeners.options(
    suggestContainerAction,
    guard.options('act', (typing) => others.suggestContainers(typing)),
  )
  listeners.shortcut(
    addAsCommentShortcut,
    guard.messageShortcut('act', (request) => openAddAsComment(room, request)),
  )
}

/** *Assign to somebody* and *Comment* in a card's menu. */
export async function chooseAct(
  room: ActRoom,
  pressed: ActionRequest,
  { offer, cardId, ownerId }: Extract<MenuChoice, CardPress>,
): Promise<void> {
  if (!room.alert.settings.canAct) return
  await (offer === 'comment' ? openCommentForm : openAssignForm)(room, pressed, { cardId, ownerId })
}

/** Answers a form that is done with, once, however often it is called. */
function answering({ ack }: Pick<Submission, 'ack'>): () => Promise<void> {
  let answered: Promise<void> | undefined
  return () => {
    answered ??= ack()
    return answered
  }
}
