// Draws verdicts on acts, for the asker alone: in words, with buttons for what to do next, and the text if refused. Pure.
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
import { textRefusal } from './forms.ts'

/** Names for an alert’s owners, the one it has and the one it was to have, by their number at the service. */
export interface Owners {
  /** The asker’s own number, if it is known. */
  readonly own: number | undefined
  /** Names of others, raw, as far as the sender’s token shows them. */
  readonly names: ReadonlyMap<number, string>
}

export interface ActFound {
  readonly id: string
  /** The alert, as the token of the act’s sender showed it last. */
  readonly alert?: Alert | undefined
  readonly reason?: string | undefined
  /** True if the act was asked for a while ago. */
  readonly isLate?: boolean
  /** Buttons that ask for what is missing: a flag for the asker, or membership for the new owner. */
  readonly askingButtons?: readonly Button[]
  readonly owners?: Owners | undefined
}

/** Says what became of an act, then what that means for the reader. Gives back a text that monitoring hasn’t taken. */
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

/**
 * Whether the drawn card says all of the verdict: the new owner, or that the alert is closed. A comment is in its thread
 * alone.
 */
export function isSaidByCard(write: AlertWrite, outcome: SendOutcome, found: ActFound): boolean {
  const isShown = isTaken(outcome) && write.kind !== 'comment' && found.reason === undefined
  return isShown && verdictLines(write, outcome, found).length === 1
}

/** True if monitoring has the sender’s text: the act was done, and not by somebody else or before. */
export function isTaken(outcome: SendOutcome): boolean {
  return outcome.kind === 'done' && outcome.ground !== 'already' && outcome.ground !== 'by-another'
}

type VerdictLines = readonly [string, ...string[]]

function verdictLines(write: AlertWrite, outcome: SendOutcome, found: ActFound): VerdictLines {
  const alert = `alert ${quote(write.ks)}`
  const owner = write.kind === 'assign' ? ownerName(write.ownerId, found) : undefined
  const to = owner === undefined ? '' : ` to ${owner}`
  /** As in: “your comment on alert “5HkX””. */
  const what = `${actKinds[write.kind].noun} ${alert}${to}`
  switch (outcome.kind) {
    case 'done': {
      const done = `${actKinds[write.kind].done}${to}`
      if (outcome.ground === 'already') return [`Nothing was sent: ${alert} is already ${done}.`]
      if (outcome.ground === 'by-another')
        return [`Alert ${quote(write.ks)} was ${done} meanwhile, but not by you.`]
      return takenWords(write, alert, to, found)
    }
    case 'not-done':
      return notDoneWords(write, alert, outcome.code, found)
    case 'uncertain':
      return doubtfulWords(what, outcome.cause)
    case 'not-sent':
      return [`Not sent: ${what}.`, 'I was stopped before I sent anything. Try again.']
    default:
      return outcome satisfies never
  }
}

function takenWords(
  { kind, message }: AlertWrite,
  which: string,
  to: string,
  { alert }: ActFound,
): VerdictLines {
  if (kind === 'comment') return [`Commented on ${which}: “${cut(message, 300)}”`]
  if (kind === 'assign') return [`Assigned${to}: ${which}.`]
  const isOpen = alert !== undefined && !isClosed(alert)
  const again = isOpen ? ['The trouble is still there, so monitoring has opened it again.'] : []
  return [`Closed: ${which}.`, ...again]
}

/** @param line - The line that the button runs, which opens the form. */
export function renderNoComment(line: string): Message {
  const lines = ['What is the comment? Add it in "quotes" behind the key, or open the form.']
  return describe({ lines, buttons: [button(askAgainAction, 'Comment', line)] })
}

function notDoneWords(
  write: AlertWrite,
  which: string,
  code: NotDoneCode,
  found: ActFound,
): VerdictLines {
  const { kind } = write
  const { alert } = found
  switch (code) {
    case 'bad-request':
      return [
        'Not done: monitoring says no (400).',
        kind === 'close' && write.isSolution
          ? 'The text is probably shorter than this container asks for. Say more, or don’t call it the solution.'
          : 'Nothing was changed.',
      ]
    case 'forbidden': {
      // A token that could read the alert has API, so only the flag is missing.
      const { flag } = actKinds[kind]
      const lacks = alert === undefined ? `API or ${flag}` : flag
      return [
        `Not done: your token lacks ${lacks} on this alert’s container.`,
        'Nothing was changed. Somebody with CONTAINER_ACCESS there can add what’s missing.',
      ]
    }
    case 'not-found':
      return kind === 'assign'
        ? notAMemberWords(write.ownerId, which, found)
        : [`Not done: there’s no alert ${quoteLast(write.ks)}`, checkKey]
    case 'changed':
      return [`Nothing was sent: ${which} ${sinceThen(found)}.`]
    // `is-there` is an outcome for people on a container alone.
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

/** Words for a write that may have been made. @param what - “your comment on alert “5HkX””. */
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

const longestName = 50

/** “you”, a name, or undefined if nobody can tell. */
function ownerName(ownerId: number, { owners }: ActFound): string | undefined {
  if (ownerId === owners?.own) return 'you'
  const name = owners?.names.get(ownerId)
  return name && cut(name, longestName)
}

/** Words for what has changed since the sender saw the alert, as in “is closed”. */
function sinceThen(found: ActFound): string {
  const { alert } = found
  if (alert === undefined) return 'had changed. Look it up again, then decide'
  if (isClosed(alert)) return 'is closed'
  const { ownerId } = alert
  return ownerId === null
    ? 'is no longer assigned to anybody'
    : `is assigned to ${ownerName(ownerId, found) ?? 'somebody else'} now`
}

/** Words for a 404: the owner is no member or, if the alert couldn’t be read, there may be no such alert. */
function notAMemberWords(ownerId: number, which: string, found: ActFound): VerdictLines {
  const isOwn = ownerId === found.owners?.own
  const nobody = isOwn ? 'you aren’t' : `${ownerName(ownerId, found) ?? 'that user'} isn’t`
  const more = isOwn
    ? ['If that’s not who you are in monitoring, press Forget on my Home tab.']
    : []
  if (found.alert === undefined)
    return [
      `Not done: there’s no ${which}, or ${nobody} a member of its container.`,
      checkKey,
      ...more,
    ]
  const why = `${nobody} a member of this container; alerts can only be assigned to members`
  return [`Not done: ${why}.`, ...more]
}

export const editActAction = 'act.edit'
export const commentInsteadAction = 'act.comment-instead'
export const anywayAction = 'act.anyway'

/** Buttons carry the request’s id, by which the text is found, and the owner that was read. */
function buttonsFor(write: AlertWrite, outcome: SendOutcome, found: ActFound): readonly Button[] {
  const { id, alert } = found
  const { kind, message } = write
  const isHeldBack = isRefusedFor(outcome, ['changed'])
  const wasClosedBefore =
    kind === 'close'
      ? outcome.kind === 'done' && !isTaken(outcome)
      : kind === 'comment' && isHeldBack
  // The service may refuse comments on closed alerts. The button is offered all the same.
  if (wasClosedBefore && textRefusal('comment', message) === undefined)
    return [button(commentInsteadAction, 'Comment with this text', id)]

  if (isHeldBack && kind !== 'comment' && alert !== undefined && !isClosed(alert))
    return [button(anywayAction, anywayLabel(write, alert, found), pressValue(id, alert.ownerId))]

  if (isRefusedFor(outcome, ['forbidden', 'not-found'])) return found.askingButtons ?? []

  const isToEdit = isRefusedFor(outcome, ['bad-request']) && kind !== 'assign' && message !== ''
  return isToEdit ? [button(editActAction, 'Edit and try again', id)] : []
}

/** Label for acting all the same. The verdict has named the present owner, so nobody loses the alert by accident. */
function anywayLabel(write: AlertWrite, alert: Alert, found: ActFound): string {
  if (write.kind !== 'assign') return 'Close anyway'
  if (write.ownerId === found.owners?.own)
    return alert.ownerId === null ? 'Assign anyway' : 'Take it over'
  const name = ownerName(write.ownerId, found)
  return name === undefined ? 'Assign anyway' : `Assign to ${name} anyway`
}
