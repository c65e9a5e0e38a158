// Verdicts on acts, for the asker alone: in words, with buttons for what to do next, and the text if refused. Pure.
import type { Button } from '@slack/types'
import { pressValue } from '../../alert/render/card.ts'
import { askAgainAction } from '../../alert/render/look-up.ts'
import { isClosed } from '../../alert/render/state.ts'
import { monitorSentences } from '../../monitor/failures.ts'
import type { Alert } from '../../monitor/schema.ts'
import {
  type AlertWrite,
  type Cause,
  causeWords,
  isRefusedFor,
  type NotDoneCode,
  type SendOutcome,
  signOf,
} from '../../send/outcome.ts'
import { button, describe, type Message } from '../../slack/outbound/message.ts'
import { cut } from '../../slack/text/mrkdwn.ts'
import { quote, quoteLast } from '../../slack/text/typed.ts'
import { actKinds } from '../kinds.ts'
import { lengthOf, longestComment } from './forms.ts'

/** The alert’s owner, or the one it was to have. */
export interface AssignFacts {
  /** The asker wanted the alert for themselves. */
  readonly isForSelf: boolean
  /** The asker is that owner: the present one where nothing was sent, else the new one. */
  readonly isOwn: boolean
  /** The owner’s name, raw; undefined where the sender’s token shows none. */
  readonly name: string | undefined
  /** Name of the one who was to have it, where somebody else has it. Raw. */
  readonly wanted?: string | undefined
}

export interface ActFound {
  readonly id: string
  /** The alert as its sender’s token showed it last. */
  readonly alert?: Alert | undefined
  readonly reason?: string | undefined
  /** Asked for a while ago. */
  readonly isLate?: boolean
  /** Buttons that ask for what is missing: a flag for the asker, or membership for the new owner. */
  readonly ways?: readonly Button[]
  readonly assigned?: AssignFacts | undefined
}

/** The sentence first, then what it means for the reader, and their own text if it was not taken. */
export function renderActVerdict(
  write: AlertWrite,
  outcome: SendOutcome,
  found: ActFound,
): Message {
  const [first, ...more] = verdictLines(write, outcome, found)
  const sign = outcome.kind !== 'done' || isTaken(outcome) ? signOf(outcome) : 'ℹ️'
  return describe({
    lines: [
      found.isLate ? 'Here’s the result of something you asked for earlier.' : undefined,
      `${sign} ${first}`,
      ...more,
      found.reason && `Monitoring says: “${cut(found.reason, 200)}”`,
    ],
    toCopy: isTaken(outcome) ? undefined : write.message,
    buttons: buttonsFor(write, outcome, found),
  })
}

/** Whether the drawn card says it all: its owner, or that it’s closed. A comment is in its thread alone. */
export function isSaidByCard(write: AlertWrite, outcome: SendOutcome, found: ActFound): boolean {
  const isShown = isTaken(outcome) && actKinds[write.kind].isOnCard && found.reason === undefined
  return isShown && verdictLines(write, outcome, found).length === 1
}

/** Whether the sender did it, as far as anybody can tell, so that their text is in monitoring. */
export function isTaken(outcome: SendOutcome): boolean {
  return outcome.kind === 'done' && outcome.on !== 'already' && outcome.on !== 'by-another'
}

type VerdictLines = readonly [string, ...string[]]

function verdictLines(write: AlertWrite, outcome: SendOutcome, found: ActFound): VerdictLines {
  const who = assigneeName(found.assigned)
  const to = write.kind === 'assign' && who !== undefined ? ` to ${who}` : ''
  /** As in: “your comment on alert “5HkX””. */
  const what = `${actKinds[write.kind].noun} alert ${quote(write.ks)}${to}`
  switch (outcome.kind) {
    case 'done':
      return doneWords(write, outcome, to, found)
    case 'not-done':
      return notDoneWords(write, outcome.code, found)
    case 'uncertain':
      return doubtfulWords(what, outcome.cause)
    case 'not-sent':
      return [`Not sent: ${what}.`, 'I was stopped before I sent anything. Try again.']
    default:
      return outcome satisfies never
  }
}

function doneWords(
  { kind, ks, message }: AlertWrite,
  outcome: Extract<SendOutcome, { kind: 'done' }>,
  to: string,
  { alert, assigned }: ActFound,
): VerdictLines {
  const which = `alert ${quote(ks)}`
  const done = `${actKinds[kind].done}${to}`
  if (outcome.on === 'already')
    return [`Nothing was sent: ${which} is already ${assigned?.isOwn ? 'yours' : done}.`]
  if (outcome.on === 'by-another')
    return [`Alert ${quote(ks)} was ${done} meanwhile, but not by you.`]
  if (kind === 'comment') return [`Commented on ${which}: “${cut(message, 300)}”`]
  if (kind === 'assign') return [`Assigned${to}: ${which}.`]
  const isOpen = alert !== undefined && !isClosed(alert)
  const again = isOpen ? ['The trouble is still there, so monitoring has opened it again.'] : []
  return [`Closed: ${which}.`, ...again]
}

/** @param line - Run by the button, it opens the form. */
export function renderNoComment(line: string): Message {
  const lines = ['What is the comment? Add it in "quotes" behind the key, or open the form.']
  return describe({ lines, buttons: [button(askAgainAction, 'Comment', line)] })
}

function notDoneWords(
  write: AlertWrite,
  code: NotDoneCode,
  { alert, assigned }: ActFound,
): VerdictLines {
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
      const { flag } = actKinds[kind]
      const lacks = alert === undefined ? `API or ${flag}` : flag
      return [
        `Not done: your token lacks ${lacks} on this alert’s container.`,
        'Nothing was changed. Somebody with CONTAINER_ACCESS there can add what’s missing.',
      ]
    }
    case 'not-found':
      return kind === 'assign'
        ? notAMemberWords(ks, alert !== undefined, assigned)
        : [`Not done: there’s no alert ${quoteLast(ks)}`, checkKey]
    case 'changed':
      return [`Nothing was sent: alert ${quote(ks)} ${sinceThen(alert, assigned)}.`]
    // Said of people on a container alone.
    case 'is-there':
    case 'no-operation':
      return [
        'Not done: this monitoring service doesn’t let me do that.',
        'Do it in monitoring itself.',
      ]
    default:
      return ['Not done.', monitorSentences[code]]
  }
}

const checkKey = 'Check the key, capitals included.'

/** A write that may have been made. @param what - “your comment on alert “5HkX””. */
export function doubtfulWords(what: string, cause: Cause): VerdictLines {
  if (cause === 'not-readable')
    return [`Sent: ${what}.`, 'I can’t confirm it, because your token lacks READ.']
  if (cause === 'not-seen')
    return [
      `Sent, not visible yet: ${what}.`,
      'Monitoring accepted it. Check there before you send it again.',
    ]
  return [
    `Not certain: ${what}.`,
    `The request went out, but ${causeWords[cause]}. Check monitoring before you try again; I won’t resend it.`,
  ]
}

const longestName = 80

/** “you”, a name, or undefined where nobody can tell. */
function assigneeName(facts: AssignFacts | undefined): string | undefined {
  if (facts?.isOwn) return 'you'
  return facts?.name === undefined ? undefined : cut(facts.name, longestName)
}

/** The change since the sender saw the alert. */
function sinceThen(alert: Alert | undefined, facts: AssignFacts | undefined): string {
  if (alert === undefined) return 'had changed. Look it up again, then decide'
  if (isClosed(alert)) return 'is closed'
  if (alert.ownerId === null) return 'is no longer assigned to anybody'
  return facts?.isOwn
    ? 'is yours now'
    : `is assigned to ${assigneeName(facts) ?? 'somebody else'} now`
}

/** The service answers 404 for an owner who is no member. @param isRead - Else the alert may not exist. */
function notAMemberWords(
  ks: string,
  isRead: boolean,
  facts: AssignFacts | undefined,
): VerdictLines {
  const nobody = facts?.isOwn ? 'you aren’t' : `${assigneeName(facts) ?? 'that user'} isn’t`
  const why = isRead
    ? `${nobody} a member of this container; alerts can only be assigned to members`
    : `there’s no alert ${quote(ks)}, or ${nobody} a member of its container`
  const own = 'If that’s not who you are in monitoring, press Forget on my Home tab.'
  const more: string[] = []
  if (!isRead) more.push(checkKey)
  if (facts?.isOwn) more.push(own)
  return [`Not done: ${why}.`, ...more]
}

export const editActAction = 'act.edit'
export const commentInsteadAction = 'act.comment-instead'
export const anywayAction = 'act.anyway'

/** Buttons carry the id, and the owner that was read; the text is looked up. */
function buttonsFor(write: AlertWrite, outcome: SendOutcome, found: ActFound): readonly Button[] {
  const { id, alert, assigned } = found
  const { kind, message } = write
  const isTooLate = outcome.kind === 'done' && !isTaken(outcome)
  const isHeldBack = isRefusedFor(outcome, ['changed'])
  // Only the service can say whether it takes comments on closed alerts.
  const canComment = message !== '' && lengthOf(message) <= longestComment
  if (canComment && ((isTooLate && kind === 'close') || (isHeldBack && kind === 'comment'))) {
    return [button(commentInsteadAction, 'Comment with this text', id)]
  }
  if (isHeldBack && kind !== 'comment' && alert !== undefined && !isClosed(alert)) {
    // The verdict has named the owner, so nobody loses it by accident.
    const isTaking = assigned?.isForSelf && alert.ownerId !== null
    const to = assigned?.wanted === undefined ? '' : ` to ${cut(assigned.wanted, 50)}`
    const assign = isTaking ? 'Take it over' : `Assign${to} anyway`
    const label = kind === 'close' ? 'Close anyway' : assign
    return [button(anywayAction, label, pressValue(id, alert.ownerId))]
  }
  if (isRefusedFor(outcome, ['forbidden', 'not-found'])) return found.ways ?? []
  const isToEdit = isRefusedFor(outcome, ['bad-request']) && kind !== 'assign' && message !== ''
  return isToEdit ? [button(editActAction, 'Edit and try again', id)] : []
}
