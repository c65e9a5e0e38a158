// Questions before a grant is sent: to its asker, who confirms it, or to a colleague, who has to approve it. Pure.
import type { Button } from '@slack/types'
import { button, describe, type Message } from '../../slack/outbound/message.ts'
import { cut } from '../../slack/text/mrkdwn.ts'
import type { Profile } from '../../slack/workspace/people.ts'
import { type Access, flagsWith, together, wantedLines } from '../access.ts'
import { lookAlikeReasons } from '../line/people.ts'
import { type Flag, flagMeanings, type Roles, sensitiveFlags } from '../roles.ts'

/** Action ids of the buttons, for the listeners. The value of each is the id of the request. */
export const grantAction = 'grant.confirm'
export const cancelAction = 'grant.cancel'
export const askApprovalAction = 'grant.ask-approval'

/** A grant that is not sent yet. Raw. */
export interface Question {
  readonly access: Access
  /** Why its asker is asked about it or, where `needsApproval`, a colleague. */
  readonly reasons: readonly string[]
  readonly needsApproval: boolean
  readonly roles: Roles
  /** “Customer 1 (12)”, where its reader’s token has shown the name. */
  readonly container: string | undefined
}

/** Why a grant asks before it is sent: raw text, one line each; empty when nothing calls for it. */
export function confirmReasons(access: Access, origins: readonly Profile[]): readonly string[] {
  const sensitive = access.permissions.filter((flag) => sensitiveFlags.has(flag))
  return [
    ...origins.map((one) => {
      return `${cut(one.email, longestEmail)} is from the Slack profile of ${whoseProfile(one)}.`
    }),
    ...lookAlikeReasons(access),
    ...(sensitive.length === 0
      ? []
      : ['Sensitive flags:', ...sensitive.map((flag) => `• ${flag}: ${flagMeanings[flag]}`)]),
    ...(access.there === undefined ? [] : ['They keep all that they have.']),
    ...(flagsWith(access).length === 0 ? ['No flags: they can open dashboards only.'] : []),
  ]
}

/** Each stands in full above; twenty of the longest would be more than Slack takes in one message. */
const longestEmail = 100

/** Raw. */
export function whoseProfile({ name, isGuest }: Profile): string {
  return `${cut(name, 80)}${isGuest ? ', a guest here' : ''}`
}

export const lackingReasons = [
  'Your token lacks CONTAINER_ACCESS there. To ask a colleague who has it, press Ask for approval.',
]

/** @param flags - Those that a colleague has to approve. */
export function approvalReasons(access: Access, flags: readonly Flag[]): readonly string[] {
  const first = `A colleague has to approve ${flags.join(', ')} first. To ask one, press Ask for approval.`
  return [first, ...lookAlikeReasons(access)]
}

/** Asks before a grant is sent, or says that a colleague has to approve it: nothing was sent. */
export function renderQuestion(id: string, question: Question): Message {
  const { access, reasons, needsApproval, roles, container } = question
  return describe({
    headline: needsApproval ? 'Not sent yet' : 'Grant this access?',
    lines: [together([...wantedLines(access, roles, container), ...reasons])],
    buttons: needsApproval
      ? [askApprovalButton(id, 'primary')]
      : [button(grantAction, 'Grant access', id, 'primary'), button(cancelAction, 'Cancel', id)],
  })
}

/** Asks a colleague for a grant that one cannot make alone. Who is asked, and how, is another feature's. */
export function askApprovalButton(id: string, style?: 'primary'): Button {
  return button(askApprovalAction, 'Ask for approval', id, style)
}
