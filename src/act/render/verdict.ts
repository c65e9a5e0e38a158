// Verdicts on what somebody wanted done to an alert, for them alone: in words, and with buttons for what they may do next.
// A text that was not taken comes back. Pure.
import type { Button } from '@slack/types'
import { isClosed } from '../../alert/render/state.ts'
import type { Alert } from '../../monitor/schema.ts'
import { type Cause, isRefusedFor, type NotDoneCode, type SendOutcome } from '../../send/outcome.ts'
import { causeWords, signOf } from '../../send/words.ts'
import type { AlertWrite } from '../../send/writes.ts'
import { button, describe, type Message } from '../../slack/outbound/message.ts'
import { cut } from '../../slack/text/mrkdwn.ts'
import { quote } from '../../slack/text/typed.ts'
import { acts, lengthOf, longestComment } from '../acts.ts'
import {
  type AssignFacts,
  assignedWords,
  heldBackWords,
  notAMemberWords,
  toWhom,
  type VerdictLines,
} from './assign-words.ts'

/** What is known besides the outcome. */
export interface Found {
  /** Of the wish. */
  readonly id: string
  /** The alert as its sender’s token showed it last. */
  readonly alert: Alert | undefined
  /** Why it was refused, in the service’s own words. */
  readonly reason: string | undefined
  /** It was asked for a while ago. */
  readonly isLate: boolean
  /** Where what their token lacks can be asked for. */
  readonly ways: readonly Button[]
  /** Of an assignment. */
  readonly assigned?: AssignFacts | undefined
}

/** Sentence first; below it what follows for the reader, and their own text where it was not taken. */
export function renderActVerdict(write: AlertWrite, outcome: SendOutcome, found: Found): Message {
  const [first, ...more] = linesOf(write, outcome, found)
  const { isLate, reason } = found
  return describe({
    lines: [
      ...(isLate ? ['Here’s the result of something you asked for earlier.'] : []),
      `${signFor(outcome)} ${first}`,
      ...more,
      ...(reason === undefined ? [] : [`Monitoring says: “${cut(reason, 200)}”`]),
    ],
    toCopy: isTaken(outcome) || write.message === '' ? undefined : write.message,
    buttons: buttonsFor(write, outcome, found),
  })
}

/** The card says all of it, once it is drawn: whose the alert is, or that it is closed. A comment is in its thread alone. */
export function isSaidByCard(write: AlertWrite, outcome: SendOutcome, found: Found): boolean {
  const isDone = isTaken(outcome) && write.kind !== 'comment' && found.reason === undefined
  return isDone && linesOf(write, outcome, found).length === 1
}

/** Their own text stands in monitoring. */
function isTaken(outcome: SendOutcome): boolean {
  return outcome.kind === 'done' && outcome.on !== 'already' && outcome.on !== 'by-another'
}

function signFor(outcome: SendOutcome): string {
  return isTaken(outcome) || outcome.kind !== 'done' ? signOf(outcome) : 'ℹ️'
}

function linesOf(write: AlertWrite, outcome: SendOutcome, found: Found): VerdictLines {
  switch (outcome.kind) {
    case 'done':
      return doneWords(write, outcome.on, found)
    case 'not-done':
      return notDoneWords(write, outcome.code, found)
    case 'uncertain':
      return doubtfulWords(write, outcome.cause, found)
    case 'not-sent':
      return [
        `Not sent: ${nameOf(write, found.assigned)}.`,
        'I was stopped before I sent anything. Try again.',
      ]
    default:
      return outcome satisfies never
  }
}

type DoneOn = Extract<SendOutcome, { kind: 'done' }>['on']

function doneWords(write: AlertWrite, on: DoneOn, { alert, assigned }: Found): VerdictLines {
  const which = `alert ${quote(write.ks)}`
  if (write.kind === 'comment') return [`Commented on ${which}: “${cut(write.message, 300)}”`]
  if (write.kind === 'assign') return assignedWords(write, on, assigned)
  if (on === 'already') return [`Nothing was sent: ${which} is already closed.`]
  if (on === 'by-another') return [`Alert ${quote(write.ks)} was closed meanwhile, but not by you.`]
  const isOpen = alert !== undefined && !isClosed(alert)
  return [
    `Closed: ${which}.`,
    ...(isOpen ? ['The trouble is still there, so monitoring has opened it again.'] : []),
  ]
}

/** Nouns for sentences: “your comment on alert “disk-full””. */
function nameOf({ kind, ks }: AlertWrite, assigned: AssignFacts | undefined): string {
  return `${acts[kind].noun} alert ${quote(ks)}${kind === 'assign' ? toWhom(assigned) : ''}`
}

/** Of refusals that say nothing of the alert. */
const refusals = {
  refused: ['monitoring no longer accepts your token', 'Nothing was sent.'],
  busy: ['monitoring is busy or has a fault', 'Nothing was changed. Try again in a minute.'],
  unreachable: ['I couldn’t reach monitoring', 'Nothing was sent. Try again in a minute.'],
  malformed: [
    'monitoring answered in a way I don’t understand',
    'Nothing was sent. Tell whoever runs Bellhop.',
  ],
  'no-operation': [
    'this monitoring service doesn’t let me do that',
    'Nothing was changed. Do it in monitoring itself.',
  ],
} as const

function notDoneWords(write: AlertWrite, code: NotDoneCode, { alert, assigned }: Found): VerdictLines {
  const { kind, ks } = write
  switch (code) {
    case 'bad-request':
      return [
        'Not done: monitoring says no (400).',
        kind === 'close' && write.isSolution
          ? 'The text is probably shorter than this container asks for. Say more, or don’t call it the solution.'
          : 'Nothing was changed.',
      ]
    case 'forbidden': {
      // A token that could read the alert has API.
      const { flag } = acts[kind]
      const lacks = alert === undefined ? `API or ${flag}` : flag
      return [
        `Not done: your token lacks ${lacks} on this alert’s container.`,
        'Nothing was changed. Somebody with CONTAINER_ACCESS there can add what’s missing.',
      ]
    }
    case 'not-found':
      return kind === 'assign'
        ? notAMemberWords(write, alert !== undefined, assigned)
        : [`Not done: there’s no alert ${quote(ks)}.`, 'Check the key, capitals included.']
    case 'changed':
      // Nothing else keeps a comment back.
      return kind === 'comment'
        ? [`Nothing was sent: alert ${quote(ks)} is closed.`]
        : heldBackWords(ks, alert, assigned)
    default: {
      const [why, then] = refusals[code]
      return [`Not done: ${why}.`, then]
    }
  }
}

function doubtfulWords(write: AlertWrite, cause: Cause, found: Found): VerdictLines {
  const name = nameOf(write, found.assigned)
  if (cause === 'not-readable')
    return [`Sent: ${name}.`, 'I can’t confirm it, because your token lacks READ.']
  if (cause === 'not-seen') {
    return [
      `Sent, not visible yet: ${name}.`,
      'Monitoring accepted it. Check there before you send it again.',
    ]
  }
  // Whoever could not read it before it was sent cannot afterwards.
  const canLook = found.isLate || found.alert !== undefined
  const cannotLook = canLook ? '' : ' I can’t look, because your token lacks READ.'
  return [
    `Not certain: ${name}.`,
    `The request went out, but ${causeWords[cause]}.${cannotLook} Check monitoring before you try again; I won’t resend it.`,
  ]
}

/** Action ids of the buttons, for the listeners. */
export const editActAction = 'act.edit'
export const commentInsteadAction = 'act.comment-instead'
export const closeAnywayAction = 'act.close-anyway'
export const takeOverAction = 'act.take-over'

/** Buttons that carry the wish’s id, or its card, and what was read of the alert: the text is looked up. */
function buttonsFor(write: AlertWrite, outcome: SendOutcome, found: Found): readonly Button[] {
  const { id, alert, assigned } = found
  const { kind, message } = write
  const isTooLate = outcome.kind === 'done' && !isTaken(outcome)
  const isHeldBack = outcome.kind === 'not-done' && outcome.code === 'changed'
  // Whether the service takes comments on closed alerts, only it can say.
  const canComment = message !== '' && lengthOf(message) <= longestComment
  if (canComment && ((isTooLate && kind === 'close') || (isHeldBack && kind === 'comment'))) {
    return [button(commentInsteadAction, 'Comment with this text', id)]
  }
  if (isHeldBack && kind !== 'comment' && alert !== undefined && !isClosed(alert)) {
    // They were told whose it is, so that nobody loses it unawares.
    const value = `${id} ${alert.ownerId ?? '-'}`
    if (kind === 'close') return [button(closeAnywayAction, 'Close anyway', value)]
    if (assigned?.isOwn) return []
    const label = assigned?.isForSelf && alert.ownerId !== null ? 'Take it over' : 'Assign anyway'
    return [button(takeOverAction, label, value)]
  }
  if (isRefusedFor(outcome, ['forbidden'])) return found.ways
  const isToEdit = outcome.kind === 'not-done' && outcome.code === 'bad-request' && kind !== 'assign'
  return isToEdit && message !== '' ? [button(editActAction, 'Edit and try again', id)] : []
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
