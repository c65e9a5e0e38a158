// Ways on from a verdict, each a button: the text edited, sent as a comment, the alert closed or taken all the same, or
// what is missing asked for. Pure.
import type { Button, KnownBlock } from '@slack/types'
import { isClosed } from '../../alert/render/state.ts'
import type { Alert } from '../../monitor/schema.ts'
import type { SendOutcome } from '../../send/outcome.ts'
import type { AlertWrite } from '../../send/writes.ts'
import { plain } from '../../slack/text/mrkdwn.ts'
import { lengthOf, longestComment } from '../text-rules.ts'
import type { AssignFacts } from './assign-words.ts'

/** Action ids of the buttons, for the listeners. */
export const editActAction = 'act.edit'
export const commentInsteadAction = 'act.comment-instead'
export const closeAnywayAction = 'act.close-anyway'
export const askInThreadAction = 'act.ask-in-thread'
export const takeOverAction = 'act.take-over'
export const grantMemberAction = 'act.grant-member'

/** The flag, beside API, that the service wants. Source: its documentation of each. */
export const flagFor = { comment: 'ALERT_CHANGE', close: 'ALERT_CHANGE', assign: 'ALERT_ASSIGN' } as const

/** What the ways on depend on, besides what was wanted and what became of it. */
interface Situation {
  /** Of the wish. */
  readonly id: string
  /** As its sender’s token showed it last. */
  readonly alert: Alert | undefined
  /** What their token lacks can be asked for in the thread of the card. */
  readonly canAsk: boolean
  /** Of an assignment. */
  readonly assigned?: AssignFacts | undefined
}

/** Buttons that carry the wish’s id, and what was read of the alert: the text is looked up. */
export function waysOn(write: AlertWrite, outcome: SendOutcome, situation: Situation): readonly KnownBlock[] {
  const elements = buttonsFor(write, outcome, situation)
  return elements.length === 0 ? [] : [{ type: 'actions', elements }]
}

function buttonsFor(write: AlertWrite, outcome: SendOutcome, situation: Situation): Button[] {
  const { id, alert, canAsk, assigned } = situation
  if (outcome.kind === 'not-done') {
    switch (outcome.code) {
      case 'bad-request':
        return canBeEdited(write) ? [button(editActAction, 'Edit and try again', id)] : []
      case 'forbidden':
        return canAsk ? [button(askInThreadAction, 'Ask in thread', `${id}${alert ? '' : ' unread'}`)] : []
      case 'not-found':
        return write.kind === 'assign' && alert !== undefined
          ? [button(grantMemberAction, 'Grant access', id)]
          : []
      case 'changed':
        if (write.kind === 'assign') return alert === undefined ? [] : takeOver(id, alert, assigned)
        if (write.kind === 'close' && alert !== undefined && !isClosed(alert)) {
          return [button(closeAnywayAction, 'Close anyway', `${id} ${alert.ownerId ?? '-'}`)]
        }
        return write.kind === 'comment' ? commentInstead(write, id) : []
      default:
        return []
    }
  }
  const isTooLate = outcome.kind === 'done' && (outcome.on === 'already' || outcome.on === 'by-another')
  return isTooLate && write.kind === 'close' ? commentInstead(write, id) : []
}

/** They were told whose it is, so that nobody loses it unawares. */
function takeOver(id: string, alert: Alert, assigned: AssignFacts | undefined): Button[] {
  if (isClosed(alert) || assigned?.isOwn) return []
  const label = assigned?.isForSelf && alert.ownerId !== null ? 'Take it over' : 'Assign anyway'
  return [button(takeOverAction, label, `${id} ${alert.ownerId ?? '-'}`)]
}

function canBeEdited({ kind, message }: AlertWrite): boolean {
  return kind !== 'assign' && message !== ''
}

/** Whether the service takes comments on closed alerts, only it can say. */
function commentInstead({ message }: AlertWrite, id: string): Button[] {
  if (message === '' || lengthOf(message) > longestComment) return []
  return [button(commentInsteadAction, 'Comment with this text', id)]
}

function button(actionId: string, label: string, value: string): Button {
  return { type: 'button', action_id: actionId, text: plain(label), value }
}

/** Ids of what was typed hold dots, and those of what was said spaces. */
const withOwner = /^(.{1,255}) (-|\d{1,15})$/

/** Of *Close anyway* and *Take it over*: the wish, and the owner that its sender was told of. Undefined for what no button carries. */
export function readAnyway(
  value: string,
): { readonly id: string; readonly ownerId: number | null } | undefined {
  const [, id, owner] = withOwner.exec(value) ?? []
  if (id === undefined || owner === undefined) return undefined
  return { id, ownerId: owner === '-' ? null : Number(owner) }
}

/** Of *Ask in thread*: the wish, and whether its sender’s token may lack API as well. */
export function readAskInThread(value: string): { readonly id: string; readonly mayLackApi: boolean } {
  const [id = '', word] = value.split(' ')
  return { id, mayLackApi: word === 'unread' }
}

/** To whoever presses *Ask in thread*. Raw. */
export const askWords = {
  asked: 'Asked in the alert’s thread.',
  askedBefore: 'You already asked in that alert’s thread.',
  noThread: 'That card has no thread where Bellhop could ask. Ask a colleague directly.',
  othersRead:
    'People of another organisation may read in that channel, so Bellhop doesn’t ask there. Ask a colleague directly.',
  quietHere: 'That channel is quiet, so Bellhop doesn’t ask there. Ask a colleague directly.',
} as const

/** To whoever uses what is forgotten by now: a button of an old verdict, or a form of an old card. Raw. */
export const tooOldWords = {
  verdict: 'This is too old, so nothing was sent. Use the alert’s card, or type it again.',
  wish: 'This is too old, so nothing was sent. Type it again.',
  card: 'This card is too old. Nothing was sent. Use /alert again.',
} as const
