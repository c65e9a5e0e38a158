// Slack's side of assigning: its forms, their suggestions, and the buttons of answers. Parses, asks, answers; decides
// nothing.
import { onlyReads } from '../../alert/command.ts'
import { UserError } from '../../errors.ts'
import type { Guard } from '../../slack/guard/guard.ts'
import type { Listeners } from '../../slack/guard/listeners.ts'
import type { ActionRequest, Suggestion, Typing } from '../../slack/guard/requests.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { assignAnyway } from '../again.ts'
import { answering } from '../forms/reading.ts'
import { grantMemberAction, takeOverAction } from '../render/ways-on.ts'
import type { ActRoom } from '../room.ts'
import { answerAssignForm, suggestAssignees } from './answer.ts'
import { askSelf, openAssignFormAgain } from './assign.ts'
import { answerChangeForm } from './change.ts'
import { type MemberToGrant, memberToGrant } from './grant-member.ts'
import { assignViews, suggestContainerAction, suggestPersonAction } from './modal.ts'
import { askSelfAction, openAssignFormAction } from './render.ts'

type Press = (room: ActRoom, pressed: ActionRequest) => Promise<void>
const buttons: ReadonlyMap<string, Press> = new Map<string, Press>([
  [askSelfAction, askSelf],
  [openAssignFormAction, openAssignFormAgain],
  [takeOverAction, (room, pressed) => assignAnyway(room, pressed, pressed.value)],
])

export function registerAssign(
  listeners: Listeners,
  guard: Guard,
  room: ActRoom,
  others: {
    /** Containers that somebody may mean. */
    readonly suggestContainers: (typing: Typing) => Promise<readonly Suggestion[]>
    /** Somebody has changed who they are, and sees it. */
    readonly showWho: (owner: SlackUser) => Promise<void>
    /** *Grant access* for whoever is to become a member. */
    readonly grantMember: (pressed: ActionRequest, member: MemberToGrant) => Promise<void>
  },
): void {
  for (const [action, press] of buttons) {
    listeners.action(
      action,
      guard.action('act', async (pressed) => {
        refuseWhereOnlyRead(room)
        await press(room, pressed)
      }),
    )
  }
  listeners.action(
    grantMemberAction,
    guard.action('grant', async (pressed) =>
      others.grantMember(pressed, await memberToGrant(room, pressed, pressed.value)),
    ),
  )
  for (const purpose of ['me', 'somebody'] as const) {
    listeners.view(
      assignViews[purpose],
      guard.submission('act', async (submission) => {
        refuseWhereOnlyRead(room)
        const answered = await answerAssignForm(room, submission)
        if (answered === undefined) return
        const { from, act, isAnswered } = answered
        const kept = isAnswered ? async () => {} : answering(submission)
        await guard.at('act', from.place, () => act(kept))
        await kept()
      }),
    )
  }
  listeners.view(
    assignViews.nobody,
    guard.submission('act', async (submission) => {
      refuseWhereOnlyRead(room)
      if (await answerChangeForm(room, submission)) await others.showWho(submission.asker)
    }),
  )
  listeners.options(
    suggestPersonAction,
    guard.options('act', (typing) => suggestAssignees(room, typing)),
  )
  listeners.options(
    suggestContainerAction,
    guard.options('act', (typing) => others.suggestContainers(typing)),
  )
}

/** Buttons and forms stay in Slack after their operator has Bellhop only read. @throws UserError */
function refuseWhereOnlyRead({ alert }: ActRoom): void {
  if (!alert.settings.canAct) throw new UserError(onlyReads)
}
