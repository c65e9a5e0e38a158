// Verdicts on what somebody wanted done to an alert, for them alone: in words, and with buttons for what they may do next.
// A text that was not taken comes back. Pure.
import type { Button } from '@slack/types'
import { isClosed } from '../../alert/render/state.ts'
import type { Alert } from '../../monitor/schema.ts'
import {
  type AlertWrite,
  type AssignAlert,
  type Cause,
  causeWords,
  isRefusedFor,
  type NotDoneCode,
  type SendOutcome,
  signOf,
} from '../../send/outcome.ts'
import { button, describe, type Message } from '../../slack/outbound/message.ts'
import { cut } from '../../slack/text/mrkdwn.ts'
import { quote } from '../../slack/text/typed.ts'
import { acts, lengthOf, longestComment } from '../acts.ts'

/** What is known of the one whom the alert has, or was to have. */
export interface AssignFacts {
  /** Whoever asked wanted the alert for themselves. */
  readonly isForSelf: boolean
  /** It is about whoever asked: the present owner where nothing was sent, else the new one. */
  readonly isOwn: boolean
  /** Of that one, raw; undefined where the sender’s token shows none. */
  readonly name: string | undefined
}

/** What is known besides the outcome. */
export interface Found {
  /** Of what was wanted. */
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

/** What happened, then what follows from it: a line each, raw. */
type VerdictLines = readonly [string, ...string[]]

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

const longestName = 80

/** “you”, a name, or undefined where nobody can tell. */
function who(facts: AssignFacts | undefined): string | undefined {
  if (facts?.isOwn) return 'you'
  return facts?.name === undefined ? undefined : cut(facts.name, longestName)
}

/** “ to Dave Doe”, as far as it is known. */
function toWhom(facts: AssignFacts | undefined): string {
  const name = who(facts)
  return name === undefined ? '' : ` to ${name}`
}

function assignedWords({ ks }: AssignAlert, on: DoneOn, facts: AssignFacts | undefined): VerdictLines {
  const which = `alert ${quote(ks)}`
  const to = who(facts)
  if (on === 'already') {
    const whose = facts?.isOwn ? 'yours' : `assigned to ${to ?? 'that person'}`
    return [`Nothing to do: ${which} is already ${whose}.`]
  }
  if (on === 'by-another') return [`Somebody else assigned ${which} to ${to ?? 'the same person'} meanwhile.`]
  return [`Assigned${toWhom(facts)}: ${which}.`]
}

/** Nothing was sent, as the alert is not as its sender saw it. */
function heldBackWords(ks: string, alert: Alert | undefined, facts: AssignFacts | undefined): VerdictLines {
  const which = `Nothing was sent: alert ${quote(ks)}`
  if (alert === undefined) {
    return [`${which} changed before this could be sent.`, 'Look it up again, then decide.']
  }
  if (isClosed(alert)) return [`${which} is closed.`]
  if (alert.ownerId === null) return [`${which} is no longer assigned to anybody.`]
  if (facts?.isOwn) return [`${which} is yours now.`]
  return [`${which} is assigned to ${who(facts) ?? 'somebody else'} now.`]
}

/**
 * The service takes nobody for an owner who is no member (404).
 * @param isRead - Their token shows the alert; where it does not, there may be none.
 */
function notAMemberWords(
  { ks, cardId }: AssignAlert,
  isRead: boolean,
  facts: AssignFacts | undefined,
): VerdictLines {
  const nobody = facts?.isOwn ? 'you aren’t' : `${who(facts) ?? 'that user'} isn’t`
  const why = isRead
    ? `${nobody} a member of this container; alerts can only be assigned to members`
    : `there’s no alert ${quote(ks)}, or ${nobody} a member of its container`
  return [
    `Not done: ${why}.`,
    ...(cardId === undefined && !isRead ? ['Check the key, capitals included.'] : []),
    ...(facts?.isOwn ? ['If that’s not who you are in monitoring, press Forget on my Home tab.'] : []),
  ]
}

/** Action ids of the buttons, for the listeners. */
export const editActAction = 'act.edit'
export const commentInsteadAction = 'act.comment-instead'
export const anywayAction = 'act.anyway'

/** Buttons that carry its id, and what was read of the alert: the text is looked up. */
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
    if (kind === 'assign' && assigned?.isOwn) return []
    const isTaking = assigned?.isForSelf && alert.ownerId !== null
    const label = kind === 'close' ? 'Close anyway' : isTaking ? 'Take it over' : 'Assign anyway'
    return [button(anywayAction, label, `${id} ${alert.ownerId ?? '-'}`)]
  }
  if (isRefusedFor(outcome, ['forbidden'])) return found.ways
  const isToEdit = outcome.kind === 'not-done' && outcome.code === 'bad-request' && kind !== 'assign'
  return isToEdit && message !== '' ? [button(editActAction, 'Edit and try again', id)] : []
}

/** Ids of what was typed hold dots, and those of what was said spaces. */
const withOwner = /^(.{1,255}) (-|\d{1,15})$/

/** Of *Close anyway* and *Take it over*: its id, and the owner that its sender was told of. Undefined for what no button carries. */
export function readAnyway(
  value: string,
): { readonly id: string; readonly ownerId: number | null } | undefined {
  const [, id, owner] = withOwner.exec(value) ?? []
  if (id === undefined || owner === undefined) return undefined
  return { id, ownerId: owner === '-' ? null : Number(owner) }
}
